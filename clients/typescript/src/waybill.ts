import { type Billing, billingOf } from './billing.ts';
import { WaybillError } from './errors.ts';
import { List } from './list.ts';
import { liveMessages } from './live.ts';
import type {
  EventName,
  Message,
  NotificationBatchOf,
  NotificationOf,
  QuoteRequest,
} from './notification.ts';
import { wait } from './retry.ts';
import {
  type Answered,
  type Call,
  type CallOptions,
  request,
  type SendOptions,
  type Settings,
} from './transport.ts';
import type { AnswerOf, BodyOf, LiveEvents, Operations, QueryOf, Schemas } from './types.ts';

export interface WaybillOptions {
  /** `wb_live_…`. It can spend the account's credits: keep it on servers. */
  apiKey: string;
  /** The root of the service, which ends in `/api`, such as `https://waybill.example/api`. */
  baseUrl: string;
  /** For each attempt, in ms; 60 s when absent. A send that is cut short is refunded, and may go out. */
  timeoutMs?: number;
  /** Attempts after the first one; 4 when absent. */
  maxRetries?: number;
  /** In place of the global one. */
  fetch?: typeof fetch;
  /** For tests: between 0 and 1. */
  random?: () => number;
  /** For tests: resolves after so many ms. */
  wait?: typeof wait;
}

/** What the answer of a send says in its headers. */
export interface Sent {
  billing: Billing;
  /** Whether an earlier request under the same key was answered with this. */
  isReplayed: boolean;
  /** Under which it was sent. */
  idempotencyKey: string;
  /** Finds the request in the log of the service. */
  requestId: string | undefined;
  /** Where it is to go out later, as asked or after quiet hours: then there is no message yet. */
  scheduled?: Schemas['Later'];
}

/** The rows of an answer that is a page. */
type RowOf<Page, Field extends keyof Page> = Page[Field] extends readonly (infer Row)[]
  ? Row
  : never;

const MINUTE_MS = 60_000;
/** A batch keeps to the rate of the number and takes up to 120 s. */
const BATCH_MS = 3 * MINUTE_MS;
/** A file may take 5 minutes. */
const FILE_MS = 6 * MINUTE_MS;
const RETRIES = 4;

const settingsOf = (options: WaybillOptions): Settings => {
  const { apiKey, baseUrl } = options;
  if (!apiKey) throw new WaybillError('apiKey is needed, such as wb_live_…');
  if (!/^https?:\/\//.test(baseUrl ?? '')) {
    throw new WaybillError('baseUrl is needed, such as https://waybill.example/api');
  }
  return {
    apiKey,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    timeoutMs: options.timeoutMs ?? MINUTE_MS,
    maxRetries: options.maxRetries ?? RETRIES,
    // Browsers refuse a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    random: options.random ?? Math.random,
    wait: options.wait ?? wait,
  };
};

const sentOf = <Id extends keyof Operations>(
  _operation: Id,
  { response: { headers }, body, idempotencyKey }: Answered,
): AnswerOf<Id> & Sent => {
  const sent: Sent = {
    billing: billingOf(headers),
    isReplayed: headers.get('idempotency-replayed') === 'true',
    idempotencyKey: idempotencyKey!,
    requestId: headers.get('x-request-id') ?? undefined,
  };
  return Object.assign({}, body, sent) as AnswerOf<Id> & Sent;
};

const part = (text: string): string => encodeURIComponent(text);

const webhookPath = (...parts: string[]): string => ['/v1/webhooks', ...parts.map(part)].join('/');

/**
 * A client of the service for one API key. Every method throws an ApiError for a refusal and a
 * ConnectionError without an answer; see `./errors.ts`.
 */
export class Waybill {
  readonly #settings: Settings;

  constructor(options: WaybillOptions) {
    this.#settings = settingsOf(options);
  }

  async #ask<Id extends keyof Operations>(
    _operation: Id,
    call: Call,
    options?: CallOptions,
  ): Promise<AnswerOf<Id>> {
    return (await request(this.#settings, call, options)).body as AnswerOf<Id>;
  }

  #send(call: Pick<Call, 'path' | 'json' | 'timeoutMs'>, options?: SendOptions) {
    return request(this.#settings, { ...call, method: 'POST', isSend: true }, options);
  }

  #list<Id extends keyof Operations, Field extends keyof AnswerOf<Id> & string>(
    operation: Id,
    { path, field, query }: { path: string; field: Field; query: object | undefined },
    options: CallOptions | undefined,
  ) {
    type Page = AnswerOf<Id> & { nextCursor: string | null };
    const load = async (cursor: string | undefined): Promise<Page> => {
      const asked = { ...query, ...(cursor !== undefined && { cursor }) };
      const call: Call = { method: 'GET', path, query: asked };
      return (await this.#ask(operation, call, options)) as Page;
    };
    return new List<Page, RowOf<AnswerOf<Id>, Field>>(
      load,
      (page) => page[field] as unknown as readonly RowOf<AnswerOf<Id>, Field>[],
    );
  }

  /** The 18 events that can be sent, with their variables. */
  getCatalog(options?: CallOptions) {
    return this.#ask('getCatalog', { method: 'GET', path: '/v1/notifications/catalog' }, options);
  }

  /** Which events are ready, and what keeps the number from sending. */
  getReadiness(query?: QueryOf<'getReadiness'>, options?: CallOptions) {
    const path = '/v1/notifications/events';
    return this.#ask('getReadiness', { method: 'GET', path, query: { ...query } }, options);
  }

  /** Submits the templates of the catalog to the provider. */
  submitCatalog(body: BodyOf<'submitCatalog'> = {}, options?: CallOptions) {
    const path = '/v1/notifications/templates/submit';
    return this.#ask('submitCatalog', { method: 'POST', path, json: body }, options);
  }

  /** Sends one message of the catalog. */
  async sendNotification<Event extends EventName>(
    notification: NotificationOf<Event>,
    options?: SendOptions,
  ) {
    const path = '/v1/notifications/send';
    return sentOf('sendNotification', await this.#send({ path, json: notification }, options));
  }

  /** Sends one event to many. A recipient that is missing from `results` was neither charged nor sent to. */
  async sendNotificationBatch<Event extends EventName>(
    batch: NotificationBatchOf<Event>,
    options?: SendOptions,
  ) {
    const path = '/v1/notifications/send/batch';
    const call = { path, json: batch, timeoutMs: BATCH_MS };
    const { body, idempotencyKey } = await this.#send(call, options);
    return { ...(body as AnswerOf<'sendNotificationBatch'>), idempotencyKey: idempotencyKey! };
  }

  /** Sends a message that you build yourself: text, template, media, location, interactive and more. */
  async sendMessage(message: Message, options?: SendOptions) {
    const path = '/v1/messages/send';
    return sentOf('sendMessage', await this.#send({ path, json: message }, options));
  }

  /** What a send would cost, and whether it would be refused; sends nothing. Its `quoteId` holds the send to it. */
  createQuote(quote: QuoteRequest, options?: CallOptions) {
    return this.#ask('createQuote', { method: 'POST', path: '/v1/quotes', json: quote }, options);
  }

  /** The newest status of a message. */
  getMessageStatus(messageId: string, options?: CallOptions) {
    const path = `/v1/notifications/status/${part(messageId)}`;
    return this.#ask('getMessageStatus', { method: 'GET', path }, options);
  }

  /** The history of both directions, newest first. */
  listMessages(query?: QueryOf<'listMessages'>, options?: CallOptions) {
    return this.#list('listMessages', { path: '/v1/messages', field: 'messages', query }, options);
  }

  /** Every attempt to send, newest first, refused ones included: why a customer did not get a message. */
  listSends(query?: QueryOf<'listSends'>, options?: CallOptions) {
    return this.#list('listSends', { path: '/v1/sends', field: 'sends', query }, options);
  }

  /** Sends that were refused before a charge, by code and minute, newest first. */
  listSendRefusals(query?: QueryOf<'listSendRefusals'>, options?: CallOptions) {
    const list = { path: '/v1/sends/refusals', field: 'refusals', query } as const;
    return this.#list('listSendRefusals', list, options);
  }

  /** Sends that wait for their time, and what became of those that did, newest first. */
  listScheduled(query?: QueryOf<'listScheduled'>, options?: CallOptions) {
    const list = { path: '/v1/scheduled', field: 'scheduled', query } as const;
    return this.#list('listScheduled', list, options);
  }

  getScheduled(scheduleId: string, options?: CallOptions) {
    const path = `/v1/scheduled/${part(scheduleId)}`;
    return this.#ask('getScheduled', { method: 'GET', path }, options);
  }

  /** Changes time or content of a send that waits. */
  updateScheduled(scheduleId: string, body: BodyOf<'updateScheduled'>, options?: CallOptions) {
    const path = `/v1/scheduled/${part(scheduleId)}`;
    return this.#ask('updateScheduled', { method: 'PATCH', path, json: body }, options);
  }

  cancelScheduled(scheduleId: string, options?: CallOptions) {
    const path = `/v1/scheduled/${part(scheduleId)}`;
    return this.#ask('cancelScheduled', { method: 'DELETE', path }, options);
  }

  /** Sends what waits now, or after the quiet hours. */
  sendScheduledNow(scheduleId: string, options?: CallOptions) {
    const path = `/v1/scheduled/${part(scheduleId)}/send-now`;
    return this.#ask('sendScheduledNow', { method: 'POST', path }, options);
  }

  /** Everything that happened to a message. */
  getMessageTimeline(messageId: string, options?: CallOptions) {
    const path = `/v1/messages/${part(messageId)}/timeline`;
    return this.#ask('getMessageTimeline', { method: 'GET', path }, options);
  }

  /** Every rule that led to the outcome and the price of a message, with its event. */
  explainMessage(messageId: string, options?: CallOptions) {
    const path = `/v1/messages/${part(messageId)}/explain`;
    return this.#ask('explainMessage', { method: 'GET', path }, options);
  }

  /** Shows the customer that a message was read, and with `typing` that an answer is on its way. */
  readMessage(messageId: string, body: BodyOf<'readMessage'> = {}, options?: CallOptions) {
    const path = `/v1/messages/${part(messageId)}/read`;
    return this.#ask('readMessage', { method: 'POST', path, json: body }, options);
  }

  /** Uploads a file, whose id messages can name. Its type is that of the blob. */
  uploadMedia(
    { file, filename, phoneNumberId }: { file: Blob; filename?: string; phoneNumberId?: string },
    options?: CallOptions,
  ) {
    const form = new FormData();
    // The service reads the file last.
    if (phoneNumberId !== undefined) form.append('phoneNumberId', phoneNumberId);
    form.append('file', file, filename ?? 'file');
    const call: Call = { method: 'POST', path: '/v1/media', form, timeoutMs: FILE_MS };
    return this.#ask('uploadMedia', call, options);
  }

  /** A file that a customer sent: `response.body` is a stream, `response.headers` has its type. */
  async getMedia(id: string, options?: CallOptions): Promise<Response> {
    const call: Call = {
      method: 'GET',
      path: `/v1/media/${part(id)}`,
      isFile: true,
      timeoutMs: FILE_MS,
    };
    return (await request(this.#settings, call, options)).response;
  }

  /** Conversations with their 24-hour windows, newest first. */
  listConversations(query?: QueryOf<'listConversations'>, options?: CallOptions) {
    return this.#list(
      'listConversations',
      { path: '/v1/conversations', field: 'conversations', query },
      options,
    );
  }

  /** Keeps bots silent in a conversation, so that a person can answer. */
  takeConversation(
    conversationId: string,
    body: BodyOf<'takeConversation'> = {},
    options?: CallOptions,
  ) {
    const path = `/v1/conversations/${part(conversationId)}/handoff`;
    return this.#ask('takeConversation', { method: 'POST', path, json: body }, options);
  }

  /** Lets bots answer in a conversation again. */
  giveConversationBack(conversationId: string, options?: CallOptions) {
    const path = `/v1/conversations/${part(conversationId)}/handoff`;
    return this.#ask('giveConversationBack', { method: 'DELETE', path }, options);
  }

  /** The numbers of the account. */
  listPhones(options?: CallOptions) {
    return this.#ask('listPhones', { method: 'GET', path: '/v1/phones' }, options);
  }

  /** Sets or removes the URL to which inbound messages of a number go. */
  updatePhoneWebhook(
    phoneNumberId: string,
    body: BodyOf<'updatePhoneWebhook'>,
    options?: CallOptions,
  ) {
    const path = `/v1/phones/${part(phoneNumberId)}/webhook`;
    return this.#ask('updatePhoneWebhook', { method: 'PATCH', path, json: body }, options);
  }

  listBots(options?: CallOptions) {
    return this.#ask('listBots', { method: 'GET', path: '/v1/bots' }, options);
  }

  createBot(body: BodyOf<'createBot'>, options?: CallOptions) {
    return this.#ask('createBot', { method: 'POST', path: '/v1/bots', json: body }, options);
  }

  getBot(botId: string, options?: CallOptions) {
    return this.#ask('getBot', { method: 'GET', path: `/v1/bots/${part(botId)}` }, options);
  }

  updateBot(botId: string, body: BodyOf<'updateBot'>, options?: CallOptions) {
    const path = `/v1/bots/${part(botId)}`;
    return this.#ask('updateBot', { method: 'PATCH', path, json: body }, options);
  }

  deleteBot(botId: string, options?: CallOptions) {
    return this.#ask('deleteBot', { method: 'DELETE', path: `/v1/bots/${part(botId)}` }, options);
  }

  /** The problems of a bot's graph, or of one that is given. */
  validateBot(botId: string, body: BodyOf<'validateBot'> = {}, options?: CallOptions) {
    const path = `/v1/bots/${part(botId)}/validate`;
    return this.#ask('validateBot', { method: 'POST', path, json: body }, options);
  }

  /** What a bot would answer; nothing is sent. */
  simulateBot(botId: string, body: BodyOf<'simulateBot'>, options?: CallOptions) {
    const path = `/v1/bots/${part(botId)}/simulate`;
    return this.#ask('simulateBot', { method: 'POST', path, json: body }, options);
  }

  /** The runs of a bot, newest first. */
  listBotRuns(botId: string, query?: Omit<QueryOf<'listBotRuns'>, 'botId'>, options?: CallOptions) {
    const path = `/v1/bots/${part(botId)}/runs`;
    return this.#list('listBotRuns', { path, field: 'runs', query }, options);
  }

  /** What a bot was after each change, newest first, with its graph. */
  listBotVersions(
    botId: string,
    query?: Omit<QueryOf<'listBotVersions'>, 'botId'>,
    options?: CallOptions,
  ) {
    const path = `/v1/bots/${part(botId)}/versions`;
    return this.#list('listBotVersions', { path, field: 'versions', query }, options);
  }

  getBotRun(botId: string, runId: string, options?: CallOptions) {
    const path = `/v1/bots/${part(botId)}/runs/${part(runId)}`;
    return this.#ask('getBotRun', { method: 'GET', path }, options);
  }

  /** The webhooks of the account; `verifyWebhook` checks what they deliver. */
  listWebhooks(options?: CallOptions) {
    return this.#ask('listWebhooks', { method: 'GET', path: '/v1/webhooks' }, options);
  }

  /** Its answer alone has the secret of the webhook. */
  createWebhook(body: BodyOf<'createWebhook'>, options?: CallOptions) {
    const call: Call = { method: 'POST', path: '/v1/webhooks', json: body };
    return this.#ask('createWebhook', call, options);
  }

  getWebhook(webhookId: string, options?: CallOptions) {
    return this.#ask('getWebhook', { method: 'GET', path: webhookPath(webhookId) }, options);
  }

  updateWebhook(webhookId: string, body: BodyOf<'updateWebhook'>, options?: CallOptions) {
    const call: Call = { method: 'PATCH', path: webhookPath(webhookId), json: body };
    return this.#ask('updateWebhook', call, options);
  }

  deleteWebhook(webhookId: string, options?: CallOptions) {
    return this.#ask('deleteWebhook', { method: 'DELETE', path: webhookPath(webhookId) }, options);
  }

  /** A new secret; the one before signs too for 24 hours. */
  rotateWebhook(webhookId: string, options?: CallOptions) {
    const path = webhookPath(webhookId, 'rotate');
    return this.#ask('rotateWebhook', { method: 'POST', path }, options);
  }

  testWebhook(webhookId: string, options?: CallOptions) {
    const path = webhookPath(webhookId, 'test');
    return this.#ask('testWebhook', { method: 'POST', path }, options);
  }

  /** Delivers all events since a time once more. */
  replayWebhook(webhookId: string, body: BodyOf<'replayWebhook'>, options?: CallOptions) {
    const path = webhookPath(webhookId, 'replay');
    return this.#ask('replayWebhook', { method: 'POST', path, json: body }, options);
  }

  /** The deliveries of a webhook, newest first. */
  listWebhookDeliveries(
    webhookId: string,
    query?: QueryOf<'listWebhookDeliveries'>,
    options?: CallOptions,
  ) {
    const path = webhookPath(webhookId, 'deliveries');
    return this.#list('listWebhookDeliveries', { path, field: 'deliveries', query }, options);
  }

  /** A delivery with its body. */
  getWebhookDelivery(webhookId: string, deliveryId: string, options?: CallOptions) {
    const path = webhookPath(webhookId, 'deliveries', deliveryId);
    return this.#ask('getWebhookDelivery', { method: 'GET', path }, options);
  }

  resendWebhookDelivery(webhookId: string, deliveryId: string, options?: CallOptions) {
    const path = webhookPath(webhookId, 'deliveries', deliveryId, 'resend');
    return this.#ask('resendWebhookDelivery', { method: 'POST', path }, options);
  }

  /** The templates of the business account of a number. */
  listTemplates(query: QueryOf<'listTemplates'>, options?: CallOptions) {
    const call: Call = { method: 'GET', path: '/v1/templates', query: { ...query } };
    return this.#ask('listTemplates', call, options);
  }

  /** Submits a template of your own to the provider. */
  createTemplate(body: BodyOf<'createTemplate'>, options?: CallOptions) {
    const call: Call = { method: 'POST', path: '/v1/templates', json: body };
    return this.#ask('createTemplate', call, options);
  }

  getTemplate(id: string, query?: QueryOf<'getTemplate'>, options?: CallOptions) {
    const call: Call = { method: 'GET', path: `/v1/templates/${part(id)}`, query: { ...query } };
    return this.#ask('getTemplate', call, options);
  }

  /** Credits, usage and the newest movements of a credit plan. */
  getCredits(options?: CallOptions) {
    return this.#ask('getCredits', { method: 'GET', path: '/v1/credits' }, options);
  }

  /** What proves a charge to anybody: its link, and the path to a signed seal. */
  getCreditProof(query: QueryOf<'getCreditProof'>, options?: CallOptions) {
    const call: Call = { method: 'GET', path: '/v1/credits/proof', query };
    return this.#ask('getCreditProof', call, options);
  }

  /** Name, unit and caps of the account. */
  getOwnAccount(options?: CallOptions) {
    return this.#ask('getOwnAccount', { method: 'GET', path: '/v1/account' }, options);
  }

  /** Every movement of the balance, newest first. */
  getLedger(query?: QueryOf<'getLedger'>, options?: CallOptions) {
    return this.#list('getLedger', { path: '/v1/ledger', field: 'entries', query }, options);
  }

  /** The statement of a month, counted from the log. */
  getStatement(query: QueryOf<'getStatement'> = {}, options?: CallOptions) {
    return this.#ask('getStatement', { method: 'GET', path: '/v1/statement', query }, options);
  }

  /** Balance, usage and the newest movements of a wallet plan. */
  getWallet(options?: CallOptions) {
    return this.#ask('getWallet', { method: 'GET', path: '/v1/wallet' }, options);
  }

  /** A link that signs the holder of the key in to the console, once, within 10 minutes. */
  createConsoleLink(options?: CallOptions) {
    return this.#ask('createConsoleLink', { method: 'POST', path: '/v1/console-links' }, options);
  }

  /** Sends, failures, refunds and spend by hour, of the last `hours`. */
  getOverview(query: { hours?: number } = {}, options?: CallOptions) {
    return this.#ask('getOverview', { method: 'GET', path: '/v1/overview', query }, options);
  }

  /**
   * What happens in the account from now on, without personal data. Ends when the service ends the
   * connection, after 5 minutes: call it again.
   */
  async *followAccount(options?: CallOptions): AsyncGenerator<LiveEvents, void, void> {
    const call: Call = { method: 'GET', path: '/v1/live', isFile: true, timeoutMs: FILE_MS };
    const { response } = await request(this.#settings, call, options);
    yield* liveMessages<LiveEvents>(response);
  }

  /** What an id, a number or a name stands for in the account. */
  find(q: string, options?: CallOptions) {
    return this.#ask('find', { method: 'GET', path: '/v1/find', query: { q } }, options);
  }

  /** A charge: its price, its message, and why it was given back. */
  getCharge(id: string, options?: CallOptions) {
    return this.#ask('getCharge', { method: 'GET', path: `/v1/charges/${part(id)}` }, options);
  }
}
