import { performance } from 'node:perf_hooks';
import type { Request } from 'autocannon';
import { signatureOf } from '../src/provider/webhook/webhook.ts';
import { call, JSON_HEADERS } from './loads.ts';
import type { Tenant } from './tenant.ts';

// Signed webhooks of the provider, with one item each unless a caller gives more.

export const WEBHOOK = '/api/provider/webhook';

export type Item = { messages: object } | { statuses: object };

const seconds = () => String(Math.floor(Date.now() / 1000));
let count = 0;

/** A customer's message; its text begins with `word` and holds the time of its creation. */
export const inbound = (word: string, contact: number): Item => {
  count += 1;
  const body = `${word} ${performance.timeOrigin + performance.now()}`;
  const from = `9197${10_000_000 + contact}`;
  const id = `wamid.in.${count}`;
  return { messages: { from, id, timestamp: seconds(), type: 'text', text: { body } } };
};

/** Since 2026 a status shows the user id of its recipient, too. */
export const status = (id: string, word: string, recipient: string): Item => ({
  statuses: {
    id,
    status: word,
    timestamp: seconds(),
    recipient_id: recipient,
    recipient_user_id: `IN.${recipient}`,
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' },
  },
});

/** The request with these items of one number. */
export const delivery = ({ wabaId, phoneNumberId }: Tenant, items: readonly Item[]): Request => {
  const metadata = { display_phone_number: '15550100001', phone_number_id: phoneNumberId };
  const changes = items.map((item) => {
    const [[list, one]] = Object.entries(item) as [[string, { from?: string }]];
    const contacts = one.from && [{ profile: { name: 'Mia' }, wa_id: one.from }];
    const value = { messaging_product: 'whatsapp', metadata, contacts, [list]: [one] };
    return { field: 'messages', value };
  });
  const entry = [{ id: wabaId, changes }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const signature = signatureOf(Buffer.from(body), 'bench-app-secret');
  const headers = { ...JSON_HEADERS, 'x-hub-signature-256': signature };
  return { method: 'POST', path: WEBHOOK, headers, body };
};

export const deliver = async (url: string, { path, headers, body }: Request): Promise<void> => {
  const given = { method: 'POST' as const, body: String(body) };
  await call(`${url}${path}`, headers as Record<string, string>, given);
};

/** Forwards inbound messages of the tenant to this URL. */
export const forwardTo = async (url: string, tenant: Tenant, target: string): Promise<void> => {
  const path = `${url}/api/v1/phones/${tenant.phoneNumberId}/webhook`;
  const body = JSON.stringify({ webhookUrl: target });
  await call(path, tenant.headers, { method: 'PATCH', body });
};

/** Creates a bot that answers texts that begin with `keyword`. */
export const addBot = async (url: string, tenant: Tenant, keyword: string): Promise<void> => {
  const bot = {
    name: 'Bench',
    trigger: 'KEYWORD',
    triggerKeywords: [keyword],
    triggerMatchType: 'STARTS_WITH',
    nodes: [
      { id: 'thank', type: 'message', data: { text: 'Thank you, {{contact.name}}.' } },
      { id: 'done', type: 'end', data: {} },
    ],
    edges: [{ id: 'e1', source: 'thank', sourceHandle: 'default', target: 'done' }],
  };
  const given = { method: 'POST' as const, body: JSON.stringify(bot) };
  await call(`${url}/api/v1/bots`, tenant.headers, given);
};
