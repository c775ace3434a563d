import { type Callee, startCallee } from '../callee.ts';
import { FORM_TYPE, formOf } from '../form.ts';
import { changePayload, messagesPayload } from '../surface.ts';
import {
  type Answer,
  type Json,
  numberAnswer,
  openTenant,
  orderShipped,
  startWaybill,
  statusPayload,
  type Tenant,
  templateAnswer,
  type Waybill,
  type WaybillOptions,
} from '../waybill.ts';
import { type Person, personOf } from './person.ts';

/** An account, and the provider's words to it. */
export interface Voice {
  readonly waybill: Waybill;
  tenant: Tenant;
  /** Calls the API of the tenant, and fails unless the status is one of these. */
  api(
    method: string,
    path: string,
    body?: Json,
    how?: { statuses?: number[]; key?: string },
  ): Promise<Answer>;
  /** Posts lists of the field `messages` as the provider does. */
  post(lists: Json, place?: { phoneNumberId: string; wabaId: string }): Promise<void>;
  change(field: string, value: Json): Promise<void>;
  status(id: string, status: string, rest?: Json): Promise<void>;
  timestamp(): string;
  /** A word that nobody else says. */
  freshWord(): string;
}

/** A service, a provider and a customer's URL that say what they are told. */
export interface Stage extends Voice {
  /** The URL of forwards and of a bot's request. */
  callee: Callee;
  provider: Callee;
  logLines: Json[];
  /** What the provider says of the next message. */
  refuseNext(error: Json): void;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** The provider's id of each file of a customer. */
export const INBOUND_FILE = '900000000000002';

const TEMPLATES = ['order_shipped', 'own_template'].map((name) => templateAnswer(name));

let words = 0;

const startProvider = async (refusals: Json[]) => {
  const provider = await startCallee();
  provider.answer((response, { method, path, body }) => {
    const answer = (value: Json, status = 200) => {
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (method === 'GET' && path.includes('message_templates')) {
      return answer({ data: TEMPLATES, paging: {} });
    }
    const template = TEMPLATES.find(({ id }) => path.includes(`/${id}?`));
    if (template) return answer(template);
    if (method === 'GET') return answer(numberAnswer('1'));
    if (path.endsWith('/media')) return answer({ id: '900000000000001' });
    const { to, recipient, status } = JSON.parse(body || '{}');
    if (!path.endsWith('/messages') || status) return answer({ success: true });
    const refusal = refusals.shift();
    if (refusal) return answer({ error: refusal }, 400);
    const contact = to
      ? { input: to, wa_id: String(to).replace('+', '') }
      : { input: recipient, user_id: recipient };
    const id = personOf((contact.wa_id ?? contact.user_id).trim()).messageId('outbound');
    answer({ contacts: [contact], messages: [{ id }] });
  });
  return provider;
};

/** How a tenant and the provider speak to a service, which may start anew. */
export const voiceOf = (service: () => Waybill, tenant: Tenant): Voice => {
  const mustTake = ({ status, body }: Answer) => {
    if (status !== 200) throw new Error(`the webhook answered ${status}: ${JSON.stringify(body)}`);
  };
  const timestamp = () => String(Math.floor(service().clock.now() / 1000));
  return {
    get waybill() {
      return service();
    },
    tenant,
    async api(method, path, body, { statuses = [200, 201], key } = {}) {
      const answer = await service().call(method, `/v1${path}`, {
        token: tenant.apiKey,
        ...(body !== undefined && { body }),
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      });
      if (statuses.includes(answer.status)) return answer;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
    async post(lists, place = tenant) {
      mustTake(await service().webhook(messagesPayload(place, lists)));
    },
    async change(field, value) {
      mustTake(await service().webhook(changePayload(tenant.wabaId, field, value)));
    },
    async status(id, status, rest = {}) {
      const update = { id, status, timestamp: timestamp(), ...rest };
      mustTake(await service().webhook(statusPayload(tenant, update)));
    },
    timestamp,
    freshWord() {
      words += 1;
      return `word ${words}`;
    },
  };
};

export const openStage = async (
  options: WaybillOptions & { directory: string },
): Promise<Stage> => {
  const refusals: Json[] = [];
  const provider = await startProvider(refusals);
  const callee = await startCallee();
  const logLines: Json[] = [];
  const start = () =>
    startWaybill({
      forwardAllow: ['127.0.0.1'],
      providerUrl: provider.url,
      logLines,
      logLevel: 'trace',
      ...options,
    });
  let waybill = await start();
  const tenant = await openTenant(waybill);
  const stage: Stage = {
    ...voiceOf(() => waybill, tenant),
    get waybill() {
      return waybill;
    },
    callee,
    provider,
    logLines,
    refuseNext: (error) => void refusals.push(error),
    async restart() {
      await waybill.stop();
      waybill = await start();
    },
    async close() {
      await waybill.stop();
      await callee.close();
      await provider.close();
    },
  };
  await stage.api('PATCH', `/phones/${tenant.phoneNumberId}/webhook`, { webhookUrl: callee.url });
  return stage;
};

/** Sends of templates, single and in a batch, refused ones too. */
export const sendTemplates = async ({ api, refuseNext, status }: Stage, person: Person) => {
  const { number, text } = person;
  const to = `+${number}`;
  const variables = (place: string) => ({
    orderId: text(`${place} order`),
    awbCode: text(`${place} code`),
    trackingLink: `https://shop.example/t/?q=${encodeURIComponent(text(`${place} link`))}`,
  });
  const send = (place: string, how = {}) => {
    const own = { variables: variables(place), clientReference: `order ${place}` };
    return api('POST', '/notifications/send', orderShipped({ to, ...own }), how);
  };
  const sent = (await send('send')).body.messageId;
  const keyed = (await send('keyed send', { key: `key of ${number}` })).body.messageId;
  await send('keyed send', { key: `key of ${number}` });
  await status(sent, 'delivered', { recipient: number });
  const named = { title: text('error title'), message: text('error message') };
  const error_data = { details: `+${number} cannot be reached: ${text('error details')}` };
  const errors = [{ code: 131026, ...named, error_data }];
  await status(keyed, 'failed', { recipient: number, errors });
  const recipients = [
    { to, variables: variables('batch') },
    { to, variables: variables('batch again'), clientReference: 'order batch' },
  ];
  const batch = { event: 'order_shipped', recipients };
  await api('POST', '/notifications/send/batch', batch, { key: `batch of ${number}` });
  const body = { type: 'text', text: text('component') };
  await api('POST', '/messages/send', {
    to,
    type: 'template',
    template: { name: 'own_template', components: [{ type: 'body', parameters: [body] }] },
    clientReference: 'order template',
  });
  const words = `(#131026) ${number} is no good: ${text('refusal')}`;
  const details = { details: `to ${number} ${text('refusal details')}` };
  const refusal = { message: words, type: 'OAuthException', code: 131026, error_data: details };
  refuseNext(refusal);
  await send('refused send', { statuses: [502] });
  refuseNext(refusal);
  await send('refused keyed send', { statuses: [502], key: `refused of ${number}` });
  return { sent, keyed };
};

/** Messages of the contact, of every type, and its other words. */
export const write = async (stage: Voice, person: Person, more: Json = {}) => {
  const { number, text } = person;
  const { timestamp, tenant } = stage;
  const contacts = [{ wa_id: number, profile: { name: text('name') } }];
  const media = (place: string) => ({
    id: INBOUND_FILE,
    mime_type: 'image/jpeg',
    sha256: text(`${place} hash`),
    caption: text(`${place} caption`),
    filename: text(`${place} file`),
  });
  const product = {
    product_retailer_id: text('product'),
    quantity: 1,
    item_price: 5,
    currency: 'INR',
  };
  const parts: [string, Json][] = [
    ['text', { body: text('inbound text') }],
    ...['image', 'video', 'audio', 'document', 'sticker'].map((type): [string, Json] => [
      type,
      media(type),
    ]),
    ['location', { latitude: 1, longitude: 2, name: text('place'), address: text('address') }],
    [
      'contacts',
      [{ name: { formatted_name: text('friend') }, phones: [{ phone: text('phone') }] }],
    ],
    ['button', { payload: text('payload'), text: text('button') }],
    ['interactive', { type: 'list_reply', list_reply: { id: text('row'), title: text('title') } }],
    ['reaction', { message_id: person.messageIds()[0], emoji: '👍' }],
    ['order', { catalog_id: '1', text: text('order text'), product_items: [product] }],
    ['system', { body: text('system'), type: 'user_identity_changed' }],
    ['unsupported', { type: text('unsupported') }],
    ['strange', { words: text('strange') }],
  ];
  const received: string[] = [];
  for (const [type, part] of parts) {
    const id = person.messageId('inbound');
    received.push(id);
    const message = { id, from: number, timestamp: timestamp(), type, [type]: part, ...more };
    await stage.post({ contacts, messages: [message] });
  }
  const referral = { headline: text('ad'), body: text('ad body'), source_url: text('ad url') };
  const id = person.messageId('inbound');
  const last = { id, from: number, timestamp: timestamp(), type: 'text', referral };
  const errors = [{ code: 131051, title: text('inbound error') }];
  await stage.post({ contacts, messages: [{ ...last, text: { body: text('from ad') }, errors }] });
  const preference = { wa_id: number, category: 'marketing_messages', value: 'stop' };
  const { phoneNumberId } = tenant;
  const metadata = { display_phone_number: '15550100001', phone_number_id: phoneNumberId };
  const detail = text('preference');
  const user_preferences = [{ ...preference, timestamp: timestamp(), detail }];
  await stage.change('user_preferences', { metadata, contacts, user_preferences });
  return received;
};

/** Free replies of every type, which need an open window. */
export const reply = async ({ api, status }: Stage, person: Person) => {
  const { number, text } = person;
  const to = `+${number}`;
  const link = (place: string) => `https://shop.example/?q=${encodeURIComponent(text(place))}`;
  const file = { caption: text('reply caption'), filename: text('reply file') };
  const place = { name: text('reply place'), address: text('reply address') };
  const action = { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] };
  const friend = { formatted_name: text('reply friend'), first_name: text('first name') };
  const contents: [string, Json][] = [
    ['text', { body: text('reply text') }],
    ['media', { type: 'document', link: link('media link'), ...file }],
    ['media', { type: 'image', id: '900000000000001', caption: text('image caption') }],
    ['location', { latitude: 1, longitude: 2, ...place }],
    ['interactive', { type: 'button', body: { text: text('reply body') }, action }],
    ['contacts', [{ name: friend }]],
    ['reaction', { messageId: person.messageIds().at(-1), emoji: '👍' }],
  ];
  const sent: string[] = [];
  for (const [type, content] of contents) {
    const answered = type === 'text' ? { contextMessageId: person.messageIds().at(-1) } : {};
    const body = { to, type, [type]: content, ...answered, clientReference: `order ${type}` };
    sent.push((await api('POST', '/messages/send', body)).body.messageId);
  }
  await status(sent[0]!, 'read', { recipient: number });
  return sent;
};

/** A file to send, and the receipt of a message. */
export const upload = async (
  { waybill, tenant, api }: Stage,
  { text }: Person,
  received: string,
) => {
  const filename = encodeURIComponent(text('upload'));
  const part = { name: 'file', filename, type: 'image/jpeg', value: Buffer.alloc(100) };
  const answer = await fetch(`${waybill.url}/api/v1/media`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.apiKey}`, 'content-type': FORM_TYPE },
    body: formOf(part) as unknown as string,
  });
  if (answer.status !== 201 && answer.status !== 200) {
    throw new Error(`media: ${answer.status} ${await answer.text()}`);
  }
  await api('POST', `/messages/${encodeURIComponent(received)}/read`, { typing: true });
};
