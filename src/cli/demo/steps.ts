import { setTimeout as pause } from 'node:timers/promises';
import { conversationIdOf } from '../../events/conversation.ts';
import type { Answer, DemoClient } from './client.ts';

/** What the demo made for itself. */
export interface DemoTenant {
  organisationId: string;
  accountId: string;
  apiKey: string;
  phoneNumberId: string;
  wabaId: string;
}

export interface LedgerRow {
  amount: number;
  balanceAfter: number;
  type: string;
  reason: string | null;
  metadata: string | null;
}

export interface DemoSend {
  messageId: string;
  recipient: string;
  headers: Answer<unknown>['headers'];
  balance: number;
  transactions: readonly LedgerRow[];
}

const WABA_ID = '200000000000002';
const PHONE_NUMBER_ID = '100000000000001';
const RECIPIENT = '+919812345678';
const CREDITS = 1000;
/** Templates are approved, and a message is read, long before this. */
const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/** Looks again and again until there is something to see; throws when patience runs out. */
const until = async <T>(what: string, look: () => Promise<T | undefined>): Promise<T> => {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await pause(LOOK_AGAIN_MS);
  }
};

/** An organisation, an account with credits, a linked number and an approved catalog. */
export const openTenant = async (
  client: DemoClient,
  line: (text: string) => void,
): Promise<DemoTenant> => {
  const organisation = await client.admin<{ id: string }>('POST', '/organisations', {
    name: 'Demo Organisation',
  });
  const accountsPath = `/organisations/${organisation.id}/accounts`;
  const account = await client.admin<{ id: string }>('POST', accountsPath, { name: 'Demo Shop' });
  const of = `/accounts/${account.id}`;
  await client.admin('POST', `${of}/credits/grant`, { amount: CREDITS, reason: 'demo' });
  const number = await client.admin<{ displayPhoneNumber: string }>('POST', `${of}/numbers`, {
    phoneNumberId: PHONE_NUMBER_ID,
    wabaId: WABA_ID,
    accessToken: 'demo-access-token',
  });
  const key = await client.admin<{ key: string }>('POST', `${of}/keys`, { name: 'demo' });
  line(`  account    ${account.id}, ${CREDITS} credits`);
  line(`  number     ${number.displayPhoneNumber} (${PHONE_NUMBER_ID})`);

  const submitted = await client.product<{ submitted: number }>(
    key.key,
    'POST',
    '/notifications/templates/submit',
    {},
  );
  const readiness = await until('the approval of the catalog', async () => {
    const { body } = await client.product<{ total: number; ready: number }>(
      key.key,
      'GET',
      '/notifications/events',
    );
    return body.ready === body.total ? body : undefined;
  });
  line(`  templates  ${submitted.body.submitted} submitted, ${readiness.ready} approved`);
  return {
    organisationId: organisation.id,
    accountId: account.id,
    apiKey: key.key,
    phoneNumberId: PHONE_NUMBER_ID,
    wabaId: WABA_ID,
  };
};

/** Sends one `order_shipped` and follows it until it is read. */
export const sendFirstMessage = async (
  client: DemoClient,
  tenant: DemoTenant,
  line: (text: string) => void,
): Promise<DemoSend> => {
  const { apiKey } = tenant;
  const sent = await client.product<{ messageId: string }>(apiKey, 'POST', '/notifications/send', {
    to: RECIPIENT,
    event: 'order_shipped',
    variables: { orderId: 'A-1001', awbCode: 'AWB778', trackingLink: 'https://shop.example/t/1' },
  });
  const { messageId } = sent.body;
  line(`\nSent order_shipped to ${RECIPIENT}: ${messageId}`);
  const { headers } = sent;
  line(
    `  ${headers['x-message-category']}, price ${headers['x-message-price']} USD, ` +
      `${headers['x-credits-charged']} credit, ${headers['x-credits-remaining']} left`,
  );
  const seen: string[] = [];
  await until('the message to be read', async () => {
    const path = `/notifications/status/${encodeURIComponent(messageId)}`;
    const { body } = await client.product<{ status: string }>(apiKey, 'GET', path);
    if (seen.at(-1) !== body.status) seen.push(body.status);
    return body.status === 'read' ? true : undefined;
  });
  line(`  ${seen.join(' → ')}`);
  const credits = await client.product<{ balance: number; transactions: LedgerRow[] }>(
    apiKey,
    'GET',
    '/credits',
  );
  const { balance, transactions } = credits.body;
  return { messageId, recipient: RECIPIENT, headers, balance, transactions };
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
 * Makes a bot of three nodes, lets a customer ask it something, and reads the thread back.
 * Resolves to the bot's id.
 */
export const askBot = async (
  client: DemoClient,
  { apiKey, accountId, phoneNumberId }: DemoTenant,
  customerWrites: (from: string, text: string) => Promise<unknown>,
  line: (text: string) => void,
): Promise<string> => {
  const trigger = { trigger: 'KEYWORD', triggerKeywords: ['open', 'hours'] };
  const bot = { name: 'Opening hours', ...trigger, ...GRAPH };
  const made = await client.product<{ id: string }>(apiKey, 'POST', '/bots', bot);
  const customer = RECIPIENT.replace('+', '');
  await customerWrites(customer, 'When are you open?');
  const thread = conversationIdOf({ accountId, phoneNumberId, waId: customer });
  const messages = await until('the bot to answer', async () => {
    const path = `/messages?conversationId=${encodeURIComponent(thread)}&limit=2`;
    const { body } = await client.product<{ messages: Shown[] }>(apiKey, 'GET', path);
    return body.messages[0]?.direction === 'outbound' && body.messages[1]?.direction === 'inbound'
      ? body.messages
      : undefined;
  });
  line('\nA customer wrote, and a bot of three nodes answered (free inside the 24-hour window):');
  for (const { direction, text } of messages.toReversed()) {
    line(`  ${direction === 'inbound' ? 'customer' : 'bot     '}  ${text}`);
  }
  return made.body.id;
};
