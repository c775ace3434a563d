import type { Answer, Call, Waybill } from './waybill.ts';

/** The cookie that an answer sets, as a browser sends it. */
export const cookieOf = ({ headers }: Pick<Answer, 'headers'>): string =>
  String(headers['set-cookie']).split(';')[0]!;

/** Starts a session of the console; resolves to its cookie. */
export const signIn = async ({ call }: Waybill, credential: string): Promise<string> => {
  const headers = { 'x-waybill-console': '1' };
  const answer = await call('POST', '/console/session', { body: { credential }, headers });
  if (answer.status === 201) return cookieOf(answer);
  throw new Error(`the session answered ${answer.status}: ${JSON.stringify(answer.body)}`);
};

export type Way = Pick<Call, 'token' | 'cookie'>;

/** How the holder of a credential may call: with it, and with a session that it began. */
export const waysOf = async (waybill: Waybill, credential: string): Promise<readonly Way[]> => [
  { token: credential },
  { cookie: await signIn(waybill, credential) },
];
