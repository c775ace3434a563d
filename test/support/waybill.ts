import nock from 'nock';
import { request as undiciRequest } from 'undici';
import { type Config, loadConfig } from '../../src/config.ts';
import type { EventStore, Recorded } from '../../src/events/store.ts';
import { createMemoryRateLimiter } from '../../src/http/edge/limits.ts';
import type { ServerSettings } from '../../src/http/edge/server.ts';
import { createMetrics } from '../../src/http/ops/metrics.ts';
import { createLiveKey } from '../../src/keys/installation-key.ts';
import type { KeyStore } from '../../src/keys/key-store.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import type { Views } from '../../src/projections/views.ts';
import { signatureOf } from '../../src/provider/webhook/webhook.ts';
import { type Open, type RunDeps, runOver } from '../../src/run.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { systemIds } from '../../src/shared/system.ts';
import { currentTraceId } from '../../src/shared/trace-context.ts';
import { type Advice, adviceIn } from './advice.ts';
import { fixedClock } from './ambient.ts';
import { temporaryFolder } from './folder.ts';
import { readLog } from './invariants/log.ts';
import type { Caller } from './invariants/recorder.ts';
import { createLoopbackAgent } from './loopback.ts';
import { SECRET } from './message-refs.ts';
import { mustBeDocumented } from './openapi.ts';
import { openedAnew } from './opened-anew.ts';
import { keepSecretAsKey } from './secret-as-key.ts';
import { openStores, type Stores } from './stores.ts';
import { untilTrue } from './until.ts';

export const PROVIDER = 'http://provider.test';
export const VERSION = 'v25.0';
export const ADMIN_TOKEN = 'root-administrator-token';
export const APP_SECRET = 'app-secret';
export const VERIFY_TOKEN = 'verify-token';
/** Far longer than a provider that answers takes on a busy machine. */
export const PROVIDER_TIMEOUT_MS = 30_000;

// biome-ignore lint/suspicious/noExplicitAny: tests look into JSON of every shape
export type Json = any;

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Without the advice of a refusal. */
  body: Json;
  advice?: Advice;
}

export interface Call {
  /** Bearer token; none when absent. */
  token?: string | undefined;
  /** The cookie of a session of the console, sent as its page sends it. */
  cookie?: string | undefined;
  body?: unknown;
  /** Sent as it is, instead of `body`. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The headers of a way to authenticate. */
export const credentialsOf = ({ token, cookie }: Pick<Call, 'token' | 'cookie'>) => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(cookie !== undefined && { cookie, 'x-waybill-console': '1' }),
});

export interface Client {
  call: Caller;
  /** Calls the administration API as root; throws on a refusal. */
  admin(method: string, path: string, body?: object): Promise<Json>;
  close(): Promise<void>;
}

/** HTTP to a service whose address may change from one call to the next. */
export const createClient = (address: () => string): Client => {
  const agent = createLoopbackAgent({ keepAliveTimeout: 1000 });

  const call = async (method: string, path: string, how: Call = {}): Promise<Answer> => {
    const sent = how.raw ?? (how.body === undefined ? undefined : JSON.stringify(how.body));
    const response = await undiciRequest(`${address()}/api${path}`, {
      method: method as 'GET',
      dispatcher: agent,
      headers: {
        ...credentialsOf(how),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...how.headers,
      },
      ...(sent !== undefined && { body: sent }),
      ...(how.signal && { signal: how.signal }),
    });
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    const body = isJson ? JSON.parse(text) : text;
    if (isJson) mustBeDocumented(method, path, response.statusCode, body);
    const { statusCode: status, headers } = response;
    return { status, headers, ...adviceIn(status, body) };
  };
  return {
    call,
    async admin(method, path, body) {
      const answer = await onceShown(() =>
        call(method, `/admin/v1${path}`, { token: ADMIN_TOKEN, ...(body && { body }) }),
      );
      if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    close: () => agent.destroy(),
  };
};

/** A whole service, on embedded stores unless servers are named in the environment, behind a real socket; its provider is whatever nock says. */
export interface Waybill {
  url: string;
  /** The log, with personal data in clear. */
  store: EventStore;
  /** The log as it is stored. */
  sealed: EventStore;
  views: Views;
  keys: KeyStore;
  clock: ReturnType<typeof fixedClock>;
  directory: string;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  /** Calls the administration API as root. */
  admin(method: string, path: string, body?: unknown): Promise<Answer>;
  /** All events of a stream. */
  events(stream: string): Promise<Recorded[]>;
  /** The pseudonym of a number or a user id; `nobody` where nothing is held of it. */
  refOf(accountId: string, id: string): Promise<string>;
  /** Every event of the log. */
  log(): Promise<Recorded[]>;
  /** A signed call of the provider's. */
  webhook(payload: unknown): Promise<Answer>;
  /** Waits until every read model has seen the whole log. */
  settled(): Promise<void>;
  stop(): Promise<void>;
}

/** Settings that tests change. */
type Changed =
  | ('role' | 'secret' | 'previousSecret' | 'tracing' | 'logLevel' | 'seals' | 'witnesses')
  | ('openId' | 'topUp' | 'forwardAllow' | 'backups');

export interface WaybillOptions
  extends Partial<Pick<Config, Changed>>,
    Pick<RunDeps, 'resolve' | 'bodyBudget' | 'bounds' | 'metrics' | 'backupWork'> {
  /** Keeps the files of an earlier service; they are then not removed at the stop. */
  directory?: string;
  clock?: ReturnType<typeof fixedClock>;
  providerUrl?: string;
  providerTimeoutMs?: number;
  /** Takes the log's lines, parsed, instead of standard output. */
  logLines?: Json[];
  /** The stores of another service, which closes them, instead of those of its directory. */
  over?: Stores;
  /** For what stands between the service and its log. */
  wrapStore?: (store: EventStore) => EventStore;
  /** For what stands between the service and its views. */
  wrapViews?: (views: Views) => Views;
  /** For what stands between the service and its data keys. */
  wrapKeys?: (keys: KeyStore) => KeyStore;
  /** Bounds of the server, where a test reaches them. */
  server?: Partial<ServerSettings>;
  /** False where the test writes to the log as another process would; as the store says when absent. */
  soleWriter?: boolean;
}

/** The settings of a service in tests, as its environment has them. */
export const environmentOf = ({
  directory,
  providerUrl,
  env,
}: {
  directory: string;
  providerUrl: string;
  env?: Record<string, string> | undefined;
}): Record<string, string> => ({
  PORT: '0',
  WAYBILL_DATA: directory,
  WAYBILL_SECRET: SECRET.toString('hex'),
  WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN,
  WAYBILL_PROVIDER_URL: providerUrl,
  WAYBILL_PROVIDER_VERSION: VERSION,
  WAYBILL_APP_SECRET: APP_SECRET,
  WAYBILL_VERIFY_TOKEN: VERIFY_TOKEN,
  ...env,
});

export const startWaybill = async (options: WaybillOptions = {}): Promise<Waybill> => {
  const { clock = fixedClock(), logLines, over, soleWriter } = options;
  const { providerUrl = PROVIDER, providerTimeoutMs = PROVIDER_TIMEOUT_MS } = options;
  const { backupWork } = options;
  const { resolve, bodyBudget, bounds, metrics = createMetrics({ ofProcess: false }) } = options;
  const folder = options.directory === undefined ? temporaryFolder() : undefined;
  const directory = options.directory ?? folder!.path;
  const env = { WAYBILL_PROVIDER_TIMEOUT_MS: String(providerTimeoutMs) };
  const config = {
    ...loadConfig(environmentOf({ directory, providerUrl, env })),
    // Longer than any test, so that a connection that is used again is not just being closed.
    keepAliveTimeoutMs: 600_000,
    drainTimeoutMs: 2000,
    idleGraceMs: 0,
    ...options,
    ...options.server,
  };
  const logger = createLogger({
    traceId: options.tracing ? currentTraceId : undefined,
    level: options.logLevel ?? (logLines ? 'info' : 'silent'),
    ...(logLines && {
      destination: { write: (line: string) => void logLines.push(JSON.parse(line)) },
    }),
  });
  const opened = over ?? (await openStores(directory));
  const wrapped = options.wrapStore?.(opened.store) ?? opened.store;
  const sealed = soleWriter === undefined ? wrapped : { ...wrapped, soleWriter };
  const views = options.wrapViews?.(opened.views) ?? opened.views;
  const keys = options.wrapKeys?.(opened.keys) ?? opened.keys;
  const store: EventStore = openedAnew(sealed, keys);
  if (!over) await keepSecretAsKey(opened.keys);
  const open: Open = async ({ secret, previousSecret }) => {
    const secrets = previousSecret ? [secret, previousSecret] : [secret];
    return {
      // Tests put their own functions in place of those of `store` later.
      store: { ...sealed, append: (...what) => store.append(...what) },
      views,
      keys,
      coordination: opened.coordination,
      installationKey: createLiveKey({ keys, secrets, ids: systemIds }, clock, 0),
      queuedEvents: () => 0,
    };
  };
  const running = await runOver(open, config, {
    metrics,
    // A busy machine may need more than a minute for what falls into one.
    keyLimits: createMemoryRateLimiter({ monotonicMs: clock.now }),
    addressLimits: createMemoryRateLimiter({ monotonicMs: clock.now }),
    checkResponses: true,
    passwordCost: { N: 2, r: 1, p: 1 },
    ...(resolve && { resolve }),
    ...(bodyBudget && { bodyBudget }),
    ...(bounds && { bounds }),
    ...(backupWork && { backupWork }),
    clock,
    logger,
    onFatal(error) {
      throw error;
    },
  });
  const url = `http://127.0.0.1:${running.server.port}`;
  const client = createClient(() => url);
  const { call } = client;

  return {
    url,
    store,
    sealed,
    views,
    keys,
    clock,
    directory,
    call,
    admin: (method, path, body) =>
      call(method, `/admin/v1${path}`, { token: ADMIN_TOKEN, ...(body !== undefined && { body }) }),
    events: (stream) => store.read(stream),
    async refOf(accountId, id) {
      const [subject] = await keys.subjects([createWrapping(SECRET).hashOf(accountId, id)]);
      return subject?.ref ?? 'nobody';
    },
    log: () => readLog(store),
    webhook(payload) {
      const raw = Buffer.from(JSON.stringify(payload));
      const signature = signatureOf(raw, APP_SECRET);
      return call('POST', '/provider/webhook', {
        raw,
        headers: { 'x-hub-signature-256': signature },
      });
    },
    settled: () => untilCaughtUp(store, views),
    async stop() {
      await running.stop();
      await opened.close?.();
      await client.close();
      folder?.remove();
    },
  };
};

/** Waits until every read model has seen the whole log. */
export const untilCaughtUp = async (
  store: Pick<EventStore, 'head'>,
  views: Pick<Views, 'live' | 'checkpoint'>,
): Promise<void> => {
  const head = await store.head();
  await untilTrue('the read models to catch up', async () => {
    const live = Object.values(await views.live());
    const places = await Promise.all(live.map((name) => views.checkpoint(name)));
    return places.every((place) => place >= head);
  });
};

/** Only this machine may be reached beside what nock answers for. */
export const onlyLoopback = (): void => {
  nock.disableNetConnect();
  nock.enableNetConnect('127.0.0.1');
};

export interface Tenant {
  organisationId: string;
  accountId: string;
  apiKey: string;
  phoneNumberId: string;
  wabaId: string;
}

/** Asks again while the answer is a 503 whose error is like this. */
const whileBusy = async (error: RegExp, ask: () => Promise<Answer>): Promise<Answer> => {
  let answer = await ask();
  await untilTrue(`another answer than 503 "${error.source}"`, async () => {
    if (answer.status !== 503 || !error.test(answer.body.error)) return true;
    answer = await ask();
    return false;
  });
  return answer;
};

/** Asks again while the service does not see yet what was just made, as on a busy machine; it has done nothing then. */
const onceShown = (ask: () => Promise<Answer>): Promise<Answer> =>
  whileBusy(/^The service is behind its log/, ask);

/** Resolves when the service shows its log; on servers one that has just started is behind that of all tests. */
export const untilCurrent = (waybill: Pick<Waybill, 'admin'>): Promise<void> =>
  untilTrue('the read models have caught up', async () => {
    const { status } = await waybill.admin('GET', '/accounts/none');
    return status === 404;
  });

let tenants = 0;

/** An account with credits, a key and a linked number; its templates are set up by the test. */
export const openTenant = async (
  waybill: Waybill,
  options: {
    credits?: number;
    planId?: string;
    number?: boolean;
    rateLimit?: number;
    messagesPerSecond?: number;
    /** Of its organisation and its account. */
    name?: string;
    /** The business account of its number; one of its own when absent. */
    wabaId?: string;
    /** What the provider has approved for it, by name. */
    templates?: readonly string[];
  } = {},
): Promise<Tenant> => {
  tenants += 1;
  const phoneNumberId = `1000000000${10_000 + tenants}`;
  const wabaId = options.wabaId ?? `2000000000${10_000 + tenants}`;
  const made = async (path: string, body: object, before: () => void = () => undefined) => {
    // A server that stands still for some seconds is no concern of a test that has not begun.
    const answer = await whileBusy(/^The service /, () => {
      before();
      return waybill.admin('POST', path, body);
    });
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  await untilCurrent(waybill);
  const organisation = await made('/organisations', {
    name: options.name ?? `Organisation ${tenants}`,
  });
  const account = await made(`/organisations/${organisation.id}/accounts`, {
    name: options.name ?? `Account ${tenants}`,
    ...(options.planId && { planId: options.planId }),
  });
  const of = `/accounts/${account.id}`;
  const credits = options.credits ?? 1000;
  if (credits > 0 && !options.planId) await made(`${of}/credits/grant`, { amount: credits });
  if (options.number !== false) {
    let stub: nock.Scope | undefined;
    const number = {
      phoneNumberId,
      wabaId,
      accessToken: `token-of-${phoneNumberId}`,
      messagesPerSecond: options.messagesPerSecond ?? 10_000,
    };
    await made(`${of}/numbers`, number, () => {
      if (stub && !stub.isDone()) return;
      stub = nock(PROVIDER)
        .get(`/${VERSION}/${phoneNumberId}`)
        .query(true)
        .reply(200, numberAnswer(phoneNumberId));
    });
  }
  const key = await made(`${of}/keys`, { name: 'test', rateLimit: options.rateLimit ?? 100_000 });
  const { templates = [] } = options;
  if (templates.length > 0) {
    providerHasTemplates({ wabaId }, ...templates.map((one) => templateAnswer(one)));
  }
  return {
    organisationId: organisation.id,
    accountId: account.id,
    apiKey: key.key,
    phoneNumberId,
    wabaId,
  };
};

/** What the provider says of a healthy number. */
export const numberAnswer = (phoneNumberId: string) => ({
  id: phoneNumberId,
  display_phone_number: '+1 555-010-0001',
  verified_name: 'Shop X',
  quality_rating: 'GREEN',
  status: 'CONNECTED',
  platform_type: 'CLOUD_API',
});

/** A template as the provider lists it. */
export const templateAnswer = (name: string, change: Record<string, unknown> = {}) => ({
  id: `3000${name.length}`,
  name,
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [],
  ...change,
});

/** The provider has these templates, asked for by name or all together, as often as it is asked. */
export const providerHasTemplates = (
  { wabaId }: Pick<Tenant, 'wabaId'>,
  ...templates: readonly ReturnType<typeof templateAnswer>[]
): nock.Scope =>
  nock(PROVIDER)
    .persist()
    .get(`/${VERSION}/${wabaId}/message_templates`)
    .query(true)
    .reply(200, (request: Request) => {
      const name = new URL(request.url).searchParams.get('name');
      const data = templates.filter((one) => name === null || one.name.includes(name));
      return { data, paging: {} };
    });

/** The next message of this number, which the test answers. */
export const nextMessage = ({ phoneNumberId }: Pick<Tenant, 'phoneNumberId'>): nock.Interceptor =>
  nock(PROVIDER).post(`/${VERSION}/${phoneNumberId}/messages`);

let messages = 0;

/** The provider takes the next `times` messages of this number and says so. */
export const providerAccepts = (
  number: Pick<Tenant, 'phoneNumberId'>,
  times = 1,
): { ids: string[]; bodies: Json[]; scope: nock.Scope } => {
  const ids: string[] = [];
  const bodies: Json[] = [];
  const scope = nextMessage(number)
    .times(times)
    .reply(200, async (request: Request) => {
      const body = (await request.json()) as Json;
      messages += 1;
      const id = `wamid.TEST${messages}`;
      const { to, recipient } = body as { to?: string; recipient?: string };
      ids.push(id);
      bodies.push(body);
      return {
        messaging_product: 'whatsapp',
        contacts: [
          to ? { input: to, wa_id: to.replace('+', '') } : { input: recipient, user_id: recipient },
        ],
        messages: [{ id, message_status: 'accepted' }],
      };
    });
  return { ids, bodies, scope };
};

/** The provider refuses the next message of this number. */
export const providerRefuses = (
  number: Pick<Tenant, 'phoneNumberId'>,
  code = 131026,
  message = 'Message undeliverable',
): nock.Scope =>
  nextMessage(number).reply(400, {
    error: { message: `(#${code}) ${message}`, type: 'OAuthException', code },
  });

/** The connection breaks at the next messages of this number: nobody knows what became of them. */
export const providerBreaks = (
  number: Pick<Tenant, 'phoneNumberId'>,
  { code = 'ECONNRESET', times = 1 } = {},
): nock.Scope =>
  nextMessage(number)
    .times(times)
    .replyWithError(Object.assign(new Error('broken'), { code }));

/** A status update as the provider posts it. */
export const statusPayload = (
  { phoneNumberId, wabaId }: Pick<Tenant, 'phoneNumberId' | 'wabaId'>,
  update: {
    id: string;
    status: string;
    timestamp?: string;
    chargeId?: string;
    errors?: readonly object[];
    recipient?: string;
    pricing?: object;
  },
) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: wabaId,
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: { display_phone_number: '15550100001', phone_number_id: phoneNumberId },
            statuses: [
              {
                id: update.id,
                status: update.status,
                timestamp: update.timestamp ?? '1795262410',
                recipient_id: update.recipient ?? '919812345678',
                ...(update.chargeId && { biz_opaque_callback_data: update.chargeId }),
                ...(update.errors && { errors: update.errors }),
                ...(update.pricing && { pricing: update.pricing }),
              },
            ],
          },
        },
      ],
    },
  ],
});

export const orderShipped = (change: Record<string, unknown> = {}) => ({
  to: '+919812345678',
  event: 'order_shipped',
  variables: { orderId: 'A-77', awbCode: 'AWB1', trackingLink: 'https://shop.example/t/1' },
  ...change,
});
