import { type Billing, billingOf } from './billing.ts';
import { WaybillError } from './errors.ts';
import { OperationMethods } from './generated/operations.ts';
import { createJobs, type Jobs } from './jobs.ts';
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
import type { AnswerOf, FormOf, LiveEvents, Operations, RowOf, Schemas } from './types.ts';

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
  /** Absent where nothing has been sent yet. */
  billing?: Billing;
  /** Whether an earlier request under the same key was answered with this. */
  isReplayed: boolean;
  /** Under which it was sent. */
  idempotencyKey: string;
  /** Finds the request in the log of the service. */
  requestId: string | undefined;
  /** Where it is to go out later, as asked or after quiet hours: then there is no message yet. */
  scheduled?: Schemas['Later'];
}

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
  const billing = billingOf(headers);
  const sent: Sent = {
    ...(billing && { billing }),
    isReplayed: headers.get('idempotency-replayed') === 'true',
    idempotencyKey: idempotencyKey!,
    requestId: headers.get('x-request-id') ?? undefined,
  };
  return Object.assign({}, body, sent) as AnswerOf<Id> & Sent;
};

/**
 * A client of the service for one API key. Every method throws an ApiError for a refusal and a
 * ConnectionError without an answer; see `./errors.ts`.
 */
export class Waybill extends OperationMethods {
  readonly #settings: Settings;
  /** Jobs by their files, and how far they are. */
  readonly jobs: Jobs;

  constructor(options: WaybillOptions) {
    super();
    const settings = settingsOf(options);
    this.#settings = settings;
    this.jobs = createJobs({
      create: (call, how) => this.ask('createJob', call, how),
      get: (jobId, how) => this.getJob(jobId, how),
      wait: settings.wait,
      uploadMs: FILE_MS,
    });
  }

  protected async ask<Id extends keyof Operations>(
    _operation: Id,
    call: Call,
    options?: CallOptions,
  ): Promise<AnswerOf<Id>> {
    return (await request(this.#settings, call, options)).body as AnswerOf<Id>;
  }

  protected async form<Id extends keyof Operations, Format>(
    call: Call,
    options?: CallOptions,
  ): Promise<FormOf<Id, Format>> {
    const isText = (call.query?.format ?? 'json') !== 'json';
    const { body } = await request(this.#settings, { ...call, isText }, options);
    return body as FormOf<Id, Format>;
  }

  #send(call: Pick<Call, 'path' | 'json' | 'timeoutMs'>, options?: SendOptions) {
    return request(this.#settings, { ...call, method: 'POST', isSend: true }, options);
  }

  protected async file(call: Call, options?: CallOptions): Promise<Response> {
    const asked = { ...call, isFile: true, timeoutMs: FILE_MS };
    return (await request(this.#settings, asked, options)).response;
  }

  protected list<Id extends keyof Operations, Field extends keyof AnswerOf<Id> & string>(
    operation: Id,
    { path, field, query }: { path: string; field: Field; query: object | undefined },
    options: CallOptions | undefined,
  ) {
    type Page = AnswerOf<Id> & { nextCursor: string | null };
    const load = async (cursor: string | undefined): Promise<Page> => {
      const asked = { ...query, ...(cursor !== undefined && { cursor }) };
      const call: Call = { method: 'GET', path, query: asked };
      return (await this.ask(operation, call, options)) as Page;
    };
    return new List<Page, RowOf<AnswerOf<Id>, Field>>(
      load,
      (page) => page[field] as unknown as readonly RowOf<AnswerOf<Id>, Field>[],
    );
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
    return this.ask('createQuote', { method: 'POST', path: '/v1/quotes', json: quote }, options);
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
    return this.ask('uploadMedia', call, options);
  }

  /**
   * What happens in the account from now on, without personal data. Ends when the service ends the
   * connection, after 5 minutes: call it again.
   */
  async *followAccount(options?: CallOptions): AsyncGenerator<LiveEvents, void, void> {
    yield* liveMessages<LiveEvents>(await this.file({ method: 'GET', path: '/v1/live' }, options));
  }

  /** What an id, a number or a name stands for in the account. */
  find(q: string, options?: CallOptions) {
    return this.ask('find', { method: 'GET', path: '/v1/find', query: { q } }, options);
  }
}
