import type { Content } from '../../src/events/content.ts';
import { edge, node } from '../commands/bots/graphs.ts';
import { ADMIN_TOKEN, type Json, type Tenant } from '../support/waybill.ts';
import { type Contents, createWorld, type Form } from './world.ts';

/** Enough for some sends, so that the last ones are refused. */
const CREDITS = [12, 40];
const SETUP_STEPS_MAX = 100_000;

export interface Start {
  contents: Contents;
  tenants: readonly Tenant[];
}

const setUp = async (form: Form): Promise<Start> => {
  const world = createWorld(0, form);
  const instance = world.boot();
  const wait = async (what: string, holds: () => boolean) => {
    if (await world.runtime.until(holds, SETUP_STEPS_MAX)) return;
    throw new Error(`the simulation cannot begin: ${what}`);
  };
  await wait('the service starts', () => instance.isUp);
  const call = async (path: string, token: string, body: Json): Promise<Json> => {
    let answer: Json;
    void world.call('POST', path, { token, body }).then((came) => {
      answer = came;
    });
    await wait(path, () => answer !== undefined && world.areRead());
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const admin = (path: string, body: Json) => call(`/admin/v1${path}`, ADMIN_TOKEN, body);
  const tenants: Tenant[] = [];
  for (const [nth, amount] of CREDITS.entries()) {
    const organisation = await admin('/organisations', { name: `Organisation ${nth}` });
    const account = await admin(`/organisations/${organisation.id}/accounts`, { name: `A ${nth}` });
    const of = `/accounts/${account.id}`;
    await admin(`${of}/credits/grant`, { amount });
    const number = { phoneNumberId: `10000000000000${nth}`, wabaId: `20000000000000${nth}` };
    const pace = { accessToken: `token-${nth}`, messagesPerSecond: 1_000 };
    await admin(`${of}/numbers`, { ...number, ...pace });
    const { key } = await admin(`${of}/keys`, { name: 'simulated', rateLimit: 100_000 });
    const ids = { organisationId: organisation.id, accountId: account.id };
    tenants.push({ ...ids, ...number, apiKey: key });
  }
  await call('/v1/bots', tenants[0]!.apiKey, {
    name: 'Helper',
    trigger: 'ANY_MESSAGE',
    nodes: [
      node('ask', 'question', { text: 'What?', saveAs: 'said' }),
      node('thank', 'message', { text: 'Thanks for {{vars.said}} .' }),
    ],
    edges: [edge('ask -> thank')],
  });
  world.kill(instance);
  return { contents: world.contents(), tenants };
};

/** Whether a message is one of that bot: no caller writes such texts. */
export const isOfBot = (content: Content): boolean =>
  /"(What\?|Thanks for )/.test(JSON.stringify(content));

const starts = new Map<Form, Promise<Start>>();

/** Two accounts, the first with a bot. Set up once, by the service itself. */
export const startOf = (form: Form): Promise<Start> => {
  const start = starts.get(form) ?? setUp(form);
  starts.set(form, start);
  return start;
};
