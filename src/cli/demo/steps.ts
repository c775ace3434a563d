import { businessAccountOf } from '../../provider/simulator/world.ts';
import { pause } from '../../shared/timing.ts';
import { type Api, createApi } from '../api/api.ts';

/** The tenant that the demo creates. */
export interface DemoTenant {
  organisationId: string;
  accountId: string;
  apiKey: string;
  phoneNumberId: string;
  wabaId: string;
}

interface LedgerRow {
  amount: number;
  balanceAfter: number;
  type: string;
  reason: string | null;
}

export interface DemoSend {
  messageId: string;
  balance: number;
  transactions: readonly LedgerRow[];
}

const PHONE_NUMBER_ID = '100000000000001';
const WABA_ID = businessAccountOf(PHONE_NUMBER_ID);
const ACCESS_TOKEN = 'demo-access-token';
const RECIPIENT = '+919812345678';
const CREDITS = 1000;
/** Approval of the templates and delivery of a message take less than 2 s. */
const WAIT_MAX_MS = 30_000;
const POLL_MS = 50;

/** Polls until `look` finds something; throws after the time limit. */
const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const deadline = performance.now() + WAIT_MAX_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline)
      throw new Error(`waited ${WAIT_MAX_MS / 1000} s in vain for ${what}`);
    await pause(POLL_MS);
  }
};

const clientName = 'waybill-demo';

const adminApi = (url: string, token: string): Api =>
  createApi({ url, below: '/admin/v1', token, clientName });

const productApi = (url: string, token: string): Api =>
  createApi({ url, below: '/v1', token, clientName });

/** Creates an organisation, an account with credits, a linked number and an approved catalog. */
export const openTenant = async (
  url: string,
  adminToken: string,
  line: (text: string) => void,
): Promise<DemoTenant> => {
  const admin = adminApi(url, adminToken);
  const create = (path: string, body: object) =>
    admin.send<{ id: string; key: string; displayPhoneNumber: string }>('POST', path, body);
  const organisation = await create('/organisations', { name: 'Demo Organisation' });
  const account = await create(`/organisations/${organisation.id}/accounts`, { name: 'Demo Shop' });
  const of = `/accounts/${account.id}`;
  await admin.send('PATCH', `${of}/limits`, { strict: true });
  await create(`${of}/credits/grant`, { amount: CREDITS, reason: 'demo' });
  const number = await create(`${of}/numbers`, {
    phoneNumberId: PHONE_NUMBER_ID,
    wabaId: WABA_ID,
    accessToken: ACCESS_TOKEN,
  });
  const { key: apiKey } = await create(`${of}/keys`, { name: 'demo' });
  line(`  account    ${account.id}, ${CREDITS} credits`);
  line(`  number     ${number.displayPhoneNumber} (${PHONE_NUMBER_ID})`);

  const product = productApi(url, apiKey);
  const { submitted } = await product.send<{ submitted: number }>(
    'POST',
    '/notifications/templates/submit',
    {},
  );
  const ready = await until('the approval of the catalog', async () => {
    const events = await product.get<{ total: number; ready: number }>('/notifications/events');
    return events.ready === events.total ? events.ready : undefined;
  });
  line(`  templates  ${submitted} submitted, ${ready} approved`);
  return {
    organisationId: organisation.id,
    accountId: account.id,
    apiKey,
    phoneNumberId: PHONE_NUMBER_ID,
    wabaId: WABA_ID,
  };
};

/** The address that signs the root administrator in to the console, once. */
export const consoleLink = async (url: string, adminToken: string): Promise<string> => {
  const { path } = await adminApi(url, adminToken).send<{ path: string }>('POST', '/console-links');
  return url.replace(/\/api$/, path);
};

/** Sends one `order_shipped` and follows it until it is read. */
export const sendFirstMessage = async (
  url: string,
  { apiKey }: DemoTenant,
  line: (text: string) => void,
): Promise<DemoSend> => {
  const product = productApi(url, apiKey);
  const variables = {
    orderId: 'A-1001',
    awbCode: 'AWB778',
    trackingLink: 'https://shop.example/t/1',
  };
  const { headers, body } = await product.call<{ messageId: string }>(
    'POST',
    '/notifications/send',
    { body: { to: RECIPIENT, event: 'order_shipped', variables } },
  );
  const { messageId } = body;
  line(`\nSent order_shipped to ${RECIPIENT}: ${messageId}`);
  line(
    `  ${headers['x-message-category']}, price ${headers['x-message-price']} USD, ` +
      `${headers['x-credits-charged']} credit, ${headers['x-credits-remaining']} left`,
  );
  const seen: string[] = [];
  await until('the message to be read', async () => {
    const path = `/notifications/status/${encodeURIComponent(messageId)}`;
    const { status } = await product.get<{ status: string }>(path);
    if (seen.at(-1) !== status) seen.push(status);
    return status === 'read' ? true : undefined;
  });
  line(`  ${seen.join(' → ')}`);
  const credits = await product.get<Pick<DemoSend, 'balance' | 'transactions'>>('/credits');
  const { balance, transactions } = credits;
  return { messageId, balance, transactions };
};

/** The templates of the tenant, as its simulated provider lists them. */
export const templatesAt = async (
  providerUrl: string,
  { wabaId }: DemoTenant,
): Promise<readonly Record<string, unknown>[]> => {
  const answer = await fetch(`${providerUrl}/v25.0/${wabaId}/message_templates?limit=100`, {
    headers: { authorization: `Bearer ${ACCESS_TOKEN}` },
  });
  return ((await answer.json()) as { data: Record<string, unknown>[] }).data;
};

const GRAPH = {
  nodes: [
    { id: 'start', type: 'start', position: { x: 0, y: 0 }, data: {} },
    {
      id: 'hours',
      type: 'message',
      position: { x: 0, y: 100 },
      data: { text: 'Hi {{contact.name}}, we are open from 9 to 18 h.' },
    },
    { id: 'end', type: 'end', position: { x: 0, y: 200 }, data: {} },
  ],
  edges: [
    { id: 'e1', source: 'start', sourceHandle: 'default', target: 'hours' },
    { id: 'e2', source: 'hours', sourceHandle: 'default', target: 'end' },
  ],
};

interface Shown {
  direction: 'inbound' | 'outbound';
  text: string | null;
}

/**
 * Creates a bot of three nodes, lets a customer ask it something, and reads the conversation back.
 * Resolves to the bot's id.
 */
export const askBot = async (
  url: string,
  { apiKey }: DemoTenant,
  customerWrites: (from: string, text: string) => Promise<unknown>,
  line: (text: string) => void,
): Promise<string> => {
  const product = productApi(url, apiKey);
  const trigger = { trigger: 'KEYWORD', triggerKeywords: ['open', 'hours'] };
  const bot = { name: 'Opening hours', ...trigger, ...GRAPH };
  const { id: botId } = await product.send<{ id: string }>('POST', '/bots', bot);
  const customer = RECIPIENT.replace('+', '');
  await customerWrites(customer, 'When are you open?');
  const conversation = await until('the bot to answer', async () => {
    const query = { contact: customer, limit: 2 };
    const { messages } = await product.get<{ messages: Shown[] }>('/messages', query);
    return messages[0]?.direction === 'outbound' && messages[1]?.direction === 'inbound'
      ? messages
      : undefined;
  });
  line('\nA customer wrote, and a bot of three nodes answered (free inside the 24-hour window):');
  for (const { direction, text } of conversation.toReversed()) {
    line(`  ${direction === 'inbound' ? 'customer' : 'bot     '}  ${text}`);
  }
  return botId;
};
