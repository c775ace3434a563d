import nock from 'nock';
import { conversationIdOf, conversationStream } from '../../src/events/conversation.ts';
import {
  type Answer,
  type Json,
  numberAnswer,
  onlyLoopback,
  openTenant,
  orderShipped,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  startWaybill,
  type Tenant,
  templateAnswer,
  untilCurrent,
  VERSION,
  type Waybill,
  type WaybillOptions,
} from './waybill.ts';

// What the tests of single operations have in common, beside the service itself.

/** One service for all tests of a file; what the provider answers is forgotten before each. */
export const useWaybill = (options: WaybillOptions = {}): { readonly waybill: Waybill } => {
  const held = {} as { waybill: Waybill };
  before(async () => {
    onlyLoopback();
    held.waybill = await startWaybill(options);
    await untilCurrent(held.waybill);
  });
  beforeEach(() => {
    nock.cleanAll();
  });
  after(async () => {
    await held.waybill.stop();
    nock.cleanAll();
    nock.enableNetConnect();
  });
  return held;
};

/** A tenant of its own for each test, or one for all; the provider has approved these templates of it. */
export const useTenant = (
  {
    templates = [],
    once = false,
    ...terms
  }: { once?: boolean } & Parameters<typeof openTenant>[1] = {},
  options: WaybillOptions = {},
): {
  readonly waybill: Waybill;
  tenant: Tenant;
  /** Calls with the key of the tenant. */
  readonly call: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
} => {
  const on = useWaybill(options) as ReturnType<typeof useTenant>;
  (once ? before : beforeEach)(async () => {
    on.tenant = await openTenant(on.waybill, terms);
  });
  beforeEach(() => {
    if (templates.length === 0) return;
    providerHasTemplates(on.tenant, ...templates.map((name) => templateAnswer(name)));
  });
  return Object.assign(on, {
    call: ((method, path, body, headers = {}) => {
      const how = { token: on.tenant.apiKey, headers, ...(body !== undefined && { body }) };
      return on.waybill.call(method, path, how);
    }) satisfies ReturnType<typeof useTenant>['call'],
  });
};

type Place = Pick<Tenant, 'phoneNumberId' | 'wabaId'>;

/** A payload of the provider's with one change in it. */
export const changePayload = (wabaId: string, field: string, value: Json) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: wabaId, time: 1795262400, changes: [{ field, value }] }],
});

/** A change of the field `messages`, with these lists in it. */
export const messagesPayload = ({ phoneNumberId, wabaId }: Place, lists: Json) =>
  changePayload(wabaId, 'messages', {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550100001', phone_number_id: phoneNumberId },
    ...lists,
  });

/** A customer's text as the provider posts it. */
export const inboundPayload = (
  place: Place,
  message: { id: string; from?: string; at: number; body?: string; name?: string; rest?: Json },
) => {
  const { id, from = '919812345678', at, body = 'Hello', name = 'Mia', rest } = message;
  return messagesPayload(place, {
    contacts: [{ wa_id: from, profile: { name } }],
    messages: [
      { id, from, timestamp: String(Math.floor(at / 1000)), type: 'text', text: { body }, ...rest },
    ],
  });
};

/** Id of the conversation of a tenant with a contact, who is known already. */
export const conversationOf = async (
  waybill: Pick<Waybill, 'refOf'>,
  { accountId, phoneNumberId }: Pick<Tenant, 'accountId' | 'phoneNumberId'>,
  id = '919812345678',
): Promise<string> => {
  const contactRef = await waybill.refOf(accountId, id);
  return conversationIdOf({ accountId, phoneNumberId, contactRef });
};

/** Name of its stream. */
export const threadOf = async (
  waybill: Pick<Waybill, 'refOf'>,
  tenant: Pick<Tenant, 'accountId' | 'phoneNumberId'>,
  id?: string,
): Promise<string> => conversationStream(await conversationOf(waybill, tenant, id));

/** One `order_shipped` of this tenant. */
export const notify = (
  { call }: Pick<Waybill, 'call'>,
  { apiKey: token }: Pick<Tenant, 'apiKey'>,
  change: Json = {},
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Answer> => {
  const how = { token, body: orderShipped(change), headers, ...(signal && { signal }) };
  return call('POST', '/v1/notifications/send', how);
};

/** The same, which the provider takes: a 200. */
export const notified = async (
  waybill: Pick<Waybill, 'call'>,
  tenant: Pick<Tenant, 'apiKey' | 'phoneNumberId'>,
  ...how: [change?: Json, headers?: Record<string, string>]
): Promise<Answer> => {
  providerAccepts(tenant);
  const answer = await notify(waybill, tenant, ...how);
  if (answer.status === 200) return answer;
  throw new Error(`the send answered ${answer.status}: ${JSON.stringify(answer.body)}`);
};

/** The status of a message as its account is shown it; that of the answer where there is none. */
export const statusOf = async (
  { call }: Pick<Waybill, 'call'>,
  { apiKey: token }: Pick<Tenant, 'apiKey'>,
  messageId: string,
): Promise<string | number> => {
  const path = `/v1/notifications/status/${encodeURIComponent(messageId)}`;
  const { status, body } = await call('GET', path, { token });
  return status === 200 ? body.status : status;
};

/** A bot for every first message that is written from now on; resolves to it. */
export const makeBot = async (
  { call, waybill: { clock } }: Pick<Waybill, 'call'> & { waybill: Pick<Waybill, 'clock'> },
  { apiKey: token }: Pick<Tenant, 'apiKey'>,
  nodes: readonly Json[],
  edges: readonly Json[] = [],
): Promise<Json> => {
  clock.advance(1);
  const body = { name: 'Helper', trigger: 'ANY_MESSAGE', nodes, edges };
  const made = await call('POST', '/v1/bots', { token, body });
  if (made.status === 201) return made.body;
  throw new Error(`the bot answered ${made.status}: ${JSON.stringify(made.body)}`);
};

/** Events of an account, of one type where that is given. */
export const accountEvents = async (
  waybill: Pick<Waybill, 'events'>,
  { accountId }: Pick<Tenant, 'accountId'>,
  type?: string,
): Promise<Json[]> => {
  const events = await waybill.events(`account-${accountId}`);
  return type === undefined ? events : events.filter((event) => event.type === type);
};

/** How many charges an account has reserved, and how many of them were given back. */
export const countCharges = async (
  waybill: Pick<Waybill, 'events'>,
  tenant: Pick<Tenant, 'accountId'>,
): Promise<{ reserved: number; refunded: number }> => {
  const types = typesOf(await accountEvents(waybill, tenant));
  const count = (wanted: string) => types.filter((type) => type === wanted).length;
  return { reserved: count('ChargeReserved'), refunded: count('ChargeRefunded') };
};

let written = 0;

/** A customer writes to this number now; resolves to the id of the message. */
export const customerWrites = async (
  waybill: Waybill,
  place: Place,
  message: Partial<Parameters<typeof inboundPayload>[1]> = {},
): Promise<string> => {
  written += 1;
  const whole = { id: `wamid.IN${written}`, at: waybill.clock.now(), ...message };
  const { status } = await waybill.webhook(inboundPayload(place, whole));
  if (status !== 200) throw new Error(`the webhook answered ${status}`);
  return whole.id;
};

/** What the provider says of a template, by notice. */
export const templateNotice = (
  wabaId: string,
  name: string,
  event: string,
  reason: string | null = 'NONE',
  id: string = templateAnswer(name).id,
) =>
  changePayload(wabaId, 'message_template_status_update', {
    event,
    message_template_id: id,
    message_template_name: name,
    message_template_language: 'en_US',
    reason,
  });

/** The provider shows this number, with changes to a healthy one, as often as it is asked. */
export const providerHasNumber = ({ phoneNumberId }: Place, change: Json = {}): nock.Scope =>
  nock(PROVIDER)
    .persist()
    .get(`/${VERSION}/${phoneNumberId}`)
    .query(true)
    .reply(200, { ...numberAnswer(phoneNumberId), ...change });

export const OUR_APP = '600000000000006';

/**
 * The provider's list of subscribed apps, and its answer to a subscription, which is a success unless
 * told otherwise. Returns the number of subscriptions so far.
 */
export const providerSubscribes = (
  { wabaId }: { wabaId: string },
  { apps = [], refusal }: { apps?: string[]; refusal?: Json } = {},
): (() => number) => {
  const path = `/${VERSION}/${wabaId}/subscribed_apps`;
  let count = 0;
  const data = apps.map((id) => ({ whatsapp_business_api_data: { id, name: 'App', link: '' } }));
  nock(PROVIDER).persist().get(`/${VERSION}/app`).query(true).reply(200, { id: OUR_APP });
  nock(PROVIDER).persist().get(path).query(true).reply(200, { data });
  nock(PROVIDER)
    .persist()
    .post(path)
    .reply(() => {
      count += 1;
      return refusal ? [403, { error: refusal }] : [200, { success: true }];
    });
  return () => count;
};

/** Every refusal of a field stands under its name, in the contract's shape. */
export const fieldErrorsOf = ({ status, body }: Answer): string[] => {
  if (status !== 400) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  const { formErrors, fieldErrors } = body.error;
  const lists = [formErrors, ...Object.values(fieldErrors)];
  const sound = lists.every(
    (list) => Array.isArray(list) && list.every((text) => typeof text === 'string'),
  );
  if (!sound) throw new Error(`not a validation object: ${JSON.stringify(body)}`);
  return Object.keys(fieldErrors);
};

export const typesOf = (events: readonly { type: string }[]): string[] =>
  events.map(({ type }) => type);
