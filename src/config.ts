import { z } from 'zod';
import { tracingOf, tracingSettings } from './service/tracing/settings.ts';
import { type Environment, readSecretFiles } from './shared/secret-files.ts';
import { addressList, decodeSecret, httpUrl, oneOf, wholeNumber } from './shared/setting-types.ts';

// The only file that reads the environment. Its result is parsed, complete and frozen.

/** The settings are wrong: one line for each problem, none of which shows a value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

const lost = oneOf(['yes', 'no']).default('no');

const ADMIN_TOKEN_LENGTH_MIN = 24;
/** A token of few different characters is not random. */
const ADMIN_TOKEN_DIFFERENT_MIN = 12;
const ADMIN_TOKEN_RULE =
  `must have ${ADMIN_TOKEN_LENGTH_MIN} characters or more, ${ADMIN_TOKEN_DIFFERENT_MIN} of them ` +
  'different, such as those of openssl rand -base64 24';

const settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  /** Port of a server with health and metrics alone; 0 takes a free one. */
  WAYBILL_OPS_PORT: wholeNumber(0, 65_535).optional(),
  WAYBILL_DATA: z.string().default('./data'),
  /** Without it, the log is embedded. */
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/\S+$/, 'must begin with esdb:// or esdb+discover://')
    .optional(),
  /** Without it, the views are embedded. */
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must begin with mongodb:// or mongodb+srv://')
    .optional(),
  /** Partitions of a new read model on MongoDB, which the workers share; a rebuild makes a new one. */
  WAYBILL_PARTITIONS: wholeNumber(1, 256).default(16),
  WAYBILL_ROLE: oneOf(['all', 'api', 'worker']).default('all'),
  /** The keys for encryption and for key hashes are derived from it. */
  WAYBILL_SECRET: z
    .string({ error: 'is required: 32 bytes or more, in base64 or hex' })
    .transform(decodeSecret)
    .refine((bytes) => bytes.length >= 32, 'must be 32 bytes or more, in base64 or hex'),
  /** These accept another secret, or other data keys, than the log was written with. */
  WAYBILL_SECRET_LOST: lost,
  WAYBILL_KEYS_LOST: lost,
  WAYBILL_ADMIN_TOKEN: z
    .string({ error: 'is required: the token of the root administrator' })
    .min(ADMIN_TOKEN_LENGTH_MIN, ADMIN_TOKEN_RULE)
    .refine((token) => new Set(token).size >= ADMIN_TOKEN_DIFFERENT_MIN, ADMIN_TOKEN_RULE)
    .max(512, 'must have 512 characters at most')
    .regex(/^[!-~]*$/, 'must be made of printable ASCII characters without spaces'),
  WAYBILL_PROVIDER_URL: httpUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://graph.facebook.com'),
  WAYBILL_PROVIDER_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v25.0')
    .default('v25.0'),
  WAYBILL_PROVIDER_TIMEOUT_MS: wholeNumber(100, 300_000).default(15_000),
  /** Without it or the verify token, the provider's webhook answers 503. */
  WAYBILL_APP_SECRET: z.string().optional(),
  WAYBILL_VERIFY_TOKEN: z.string().optional(),
  WAYBILL_DEAD_LETTER_RETENTION_MONTHS: wholeNumber(1, 120).default(3),
  /** Signs the seals of the ledger; derived from the secret when absent. */
  WAYBILL_SEAL_KEY: z
    .string()
    .transform(decodeSecret)
    .refine((bytes) => bytes.length === 32, 'must be 32 bytes, in base64 or hex')
    .optional(),
  /** A file that seals are appended to. */
  WAYBILL_SEAL_FILE: z.string().optional(),
  /** A URL that seals are posted to. */
  WAYBILL_SEAL_URL: httpUrl.optional(),
  /** Private addresses and networks that forwards and bot requests may reach. */
  WAYBILL_FORWARD_ALLOW: addressList.default([]),
  /** Hops of `X-Forwarded-For` that are believed. */
  WAYBILL_TRUST_PROXY: wholeNumber(0, 32).default(0),
  /** Logs one line for each request. */
  WAYBILL_ACCESS_LOG: oneOf(['yes', 'no']).default('no'),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  /** An idle connection stays open this long: longer than that of the proxy in front. */
  WAYBILL_KEEP_ALIVE_MS: wholeNumber(1_000, 3_600_000).default(65_000),
  /** Time for open requests after the service was told to stop. */
  WAYBILL_DRAIN_MS: wholeNumber(0, 600_000).default(30_000),
  WAYBILL_CONNECTIONS_MAX: wholeNumber(1, 1_000_000).default(10_000),
  ...tracingSettings,
});

/** The names of all settings; those of secrets also have a form that ends in `_FILE`. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

const configOf = (values: z.output<typeof settings>) =>
  Object.freeze({
    host: values.HOST,
    port: values.PORT,
    opsPort: values.WAYBILL_OPS_PORT ?? null,
    dataDirectory: values.WAYBILL_DATA,
    eventStoreUrl: values.EVENTSTORE_URL ?? null,
    mongoUrl: values.MONGODB_URL ?? null,
    partitions: values.WAYBILL_PARTITIONS,
    role: values.WAYBILL_ROLE,
    secret: values.WAYBILL_SECRET,
    secretLost: values.WAYBILL_SECRET_LOST === 'yes',
    keysLost: values.WAYBILL_KEYS_LOST === 'yes',
    adminToken: values.WAYBILL_ADMIN_TOKEN,
    provider: Object.freeze({
      url: values.WAYBILL_PROVIDER_URL,
      version: values.WAYBILL_PROVIDER_VERSION,
      timeoutMs: values.WAYBILL_PROVIDER_TIMEOUT_MS,
      appSecret: values.WAYBILL_APP_SECRET ?? null,
      verifyToken: values.WAYBILL_VERIFY_TOKEN ?? null,
    }),
    deadLetterRetentionMonths: values.WAYBILL_DEAD_LETTER_RETENTION_MONTHS,
    seals: Object.freeze({
      key: values.WAYBILL_SEAL_KEY ?? null,
      file: values.WAYBILL_SEAL_FILE ?? null,
      url: values.WAYBILL_SEAL_URL ?? null,
    }),
    forwardAllow: Object.freeze(values.WAYBILL_FORWARD_ALLOW),
    trustProxyHops: values.WAYBILL_TRUST_PROXY,
    accessLog: values.WAYBILL_ACCESS_LOG === 'yes',
    logLevel: values.LOG_LEVEL,
    keepAliveTimeoutMs: values.WAYBILL_KEEP_ALIVE_MS,
    drainTimeoutMs: values.WAYBILL_DRAIN_MS,
    connectionsMax: values.WAYBILL_CONNECTIONS_MAX,
    /** Null while traces are off. */
    tracing: tracingOf(values),
  });

export type Config = ReturnType<typeof configOf>;

/** An empty variable counts as not set. Throws ConfigError. */
export const loadConfig = (env: Environment): Config => {
  const problems: string[] = [];
  const files = readSecretFiles(env, problems);
  const given = Object.fromEntries(
    Object.keys(settings.shape)
      .map((name) => [name, files[name] ?? env[name]])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settings.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    // The secret of an unreadable file is missing too, which is no second problem.
    if (!problems.some((problem) => problem.startsWith(name))) problems.push(`${name}: ${message}`);
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return configOf(parsed.data);
};
