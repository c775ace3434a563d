import { cookieOf } from './session.ts';
import type { Json, Waybill } from './waybill.ts';

const OWN = { 'x-waybill-console': '1' };
export const PASSWORD = 'correct horse battery';

let people = 0;

/** Invites a person as root; resolves to the answer's body. */
export const invite = async (waybill: Waybill, draft: Json): Promise<Json> => {
  people += 1;
  const email = `person${people}@shop.example`;
  const body = { name: `Person ${people}`, email, ...draft };
  const answer = await waybill.admin('POST', '/people', body);
  if (answer.status === 201) return answer.body;
  throw new Error(`the invitation answered ${answer.status}: ${JSON.stringify(answer.body)}`);
};

/** An administrator whom root makes, with the token. */
export const makeAdministrator = async (
  { admin }: Pick<Waybill, 'admin'>,
  role: 'admin' | 'auditor' = 'auditor',
): Promise<Json> => {
  const ada = { name: 'Ada', email: 'ada@shop.example', role };
  const { status, body } = await admin('POST', '/administrators', ada);
  if (status === 201) return body;
  throw new Error(`not made: ${JSON.stringify(body)}`);
};

export const accept = ({ call }: Waybill, link: string, password = PASSWORD) =>
  call('POST', '/console/invitations/accept', { body: { link, password }, headers: OWN });

export const signInWith = ({ call }: Waybill, email: string, password = PASSWORD) =>
  call('POST', '/console/session', { body: { email, password }, headers: OWN });

/** A person who has accepted the invitation, with the session that this began. */
export const aPerson = async (waybill: Waybill, draft: Json) => {
  const { link, ...person } = await invite(waybill, draft);
  const answer = await accept(waybill, link);
  if (answer.status !== 201) throw new Error(`not accepted: ${JSON.stringify(answer.body)}`);
  return { ...person, cookie: cookieOf(answer) } as Json;
};
