import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';

// The only file that looks at the environment. What it hands on is parsed, whole and frozen.

export interface Config {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Where operators see health and metrics; null: nowhere of their own. 0 takes a free one. */
  readonly opsPort: number | null;
  readonly dataDirectory: string;
  /** Null: the embedded log. */
  readonly eventStoreUrl: string | null;
  /** Null: the embedded views. */
  readonly mongoUrl: string | null;
  readonly role: 'all' | 'api' | 'worker';
  /** 32 bytes or more; keys for encryption and for key hashes are derived from it. */
  readonly secret: Buffer;
  /** Takes the secret for the right one of a log that was written with another one. */
  readonly secretLost: boolean;
  readonly adminToken: string;
  readonly provider: {
    /** Without a slash at its end. */
    readonly url: string;
    readonly version: string;
    readonly timeoutMs: number;
    /** Null: the provider's webhook answers 503. */
    readonly appSecret: string | null;
    /** Null: the provider's webhook answers 503. */
    readonly verifyToken: string | null;
  };
  /** Addresses and networks that forwards and bot requests may reach though private. */
  readonly forwardAllow: readonly string[];
  /** How many hops of `X-Forwarded-For` to believe. */
  readonly trustProxyHops: number;
  readonly logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';
  /** How long an idle connection stays open; longer than that of the proxy in front. */
  readonly keepAliveTimeoutMs: number;
  /** How long requests may take to finish once the service was told to stop. */
  readonly drainTimeoutMs: number;
  readonly connectionsMax: number;
}

/** The settings are wrong: one line for each problem, none of which shows a value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Each may come as a file instead, named by the same variable with `_FILE`. */
const SECRETS = [
  'WAYBILL_SECRET',
  'WAYBILL_ADMIN_TOKEN',
  'WAYBILL_APP_SECRET',
  'WAYBILL_VERIFY_TOKEN',
  'EVENTSTORE_URL',
  'MONGODB_URL',
] as const;

const wholeNumber = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
};

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const decodeSecret = (text: string): Buffer => {
  const isHex = /^[0-9a-f]+$/i.test(text) && text.length % 2 === 0;
  if (isHex) return Buffer.from(text, 'hex');
  return /^[0-9a-z+/_-]+={0,2}$/i.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
};

const isHttpUrl = (text: string) => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.hash === '';
};

const isAddressOrNetwork = (text: string) => {
  const [address = '', ...bits] = text.split('/');
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  return isAddress && (bits.length === 0 || ipaddr.isValidCIDR(text));
};

const addressList = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .refine(
    (entries) => entries.every(isAddressOrNetwork),
    'must be addresses or networks (such as 10.0.0.0/8), separated by commas',
  );

const ADMIN_TOKEN_LENGTH_MIN = 24;
/** A token of few different characters is no random one. */
const ADMIN_TOKEN_DIFFERENT_MIN = 12;
const ADMIN_TOKEN_RULE =
  `must have ${ADMIN_TOKEN_LENGTH_MIN} characters or more, ${ADMIN_TOKEN_DIFFERENT_MIN} of them ` +
  'different, such as those of openssl rand -base64 24';

const settings = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(8080),
  WAYBILL_OPS_PORT: wholeNumber(0, 65_535).optional(),
  WAYBILL_DATA: z.string().default('./data'),
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/\S+$/, 'must begin with esdb:// or esdb+discover://')
    .optional(),
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must begin with mongodb:// or mongodb+srv://')
    .optional(),
  WAYBILL_ROLE: oneOf(['all', 'api', 'worker']).default('all'),
  WAYBILL_SECRET: z
    .string({ error: 'is required: 32 bytes or more, in base64 or hex' })
    .transform(decodeSecret)
    .refine((bytes) => bytes.length >= 32, 'must be 32 bytes or more, in base64 or hex'),
  WAYBILL_SECRET_LOST: oneOf(['yes', 'no']).default('no'),
  WAYBILL_ADMIN_TOKEN: z
    .string({ error: 'is required: the token of the root administrator' })
    .min(ADMIN_TOKEN_LENGTH_MIN, ADMIN_TOKEN_RULE)
    .refine((token) => new Set(token).size >= ADMIN_TOKEN_DIFFERENT_MIN, ADMIN_TOKEN_RULE)
    .max(512, 'must have 512 characters at most')
    .regex(/^[!-~]*$/, 'must be made of printable ASCII characters without spaces'),
  WAYBILL_PROVIDER_URL: z
    .string()
    .refine(isHttpUrl, 'must be an http or https URL without user name or fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://graph.facebook.com'),
  WAYBILL_PROVIDER_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v25.0')
    .default('v25.0'),
  WAYBILL_PROVIDER_TIMEOUT_MS: wholeNumber(100, 300_000).default(15_000),
  WAYBILL_APP_SECRET: z.string().optional(),
  WAYBILL_VERIFY_TOKEN: z.string().optional(),
  WAYBILL_FORWARD_ALLOW: addressList.default([]),
  WAYBILL_TRUST_PROXY: wholeNumber(0, 32).default(0),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  WAYBILL_KEEP_ALIVE_MS: wholeNumber(1_000, 3_600_000).default(65_000),
  WAYBILL_DRAIN_MS: wholeNumber(0, 600_000).default(30_000),
  WAYBILL_CONNECTIONS_MAX: wholeNumber(1, 1_000_000).default(10_000),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** Puts the content of `_FILE` variables in the place of their secrets. */
const readSecretFiles = (env: Environment, problems: string[]): Record<string, string> => {
  const read: Record<string, string> = {};
  for (const name of SECRETS) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) {
      problems.push(`${name}: is given twice, also as ${name}_FILE`);
      continue;
    }
    try {
      read[name] = readFileSync(path, 'utf8').trim();
      if (read[name] === '') problems.push(`${name}_FILE: the file is empty`);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      problems.push(`${name}_FILE: the file cannot be read (${reason})`);
    }
  }
  return read;
};

const configOf = (values: z.output<typeof settings>): Config =>
  Object.freeze({
    host: values.HOST,
    port: values.PORT,
    opsPort: values.WAYBILL_OPS_PORT ?? null,
    dataDirectory: values.WAYBILL_DATA,
    eventStoreUrl: values.EVENTSTORE_URL ?? null,
    mongoUrl: values.MONGODB_URL ?? null,
    role: values.WAYBILL_ROLE,
    secret: values.WAYBILL_SECRET,
    secretLost: values.WAYBILL_SECRET_LOST === 'yes',
    adminToken: values.WAYBILL_ADMIN_TOKEN,
    provider: Object.freeze({
      url: values.WAYBILL_PROVIDER_URL,
      version: values.WAYBILL_PROVIDER_VERSION,
      timeoutMs: values.WAYBILL_PROVIDER_TIMEOUT_MS,
      appSecret: values.WAYBILL_APP_SECRET ?? null,
      verifyToken: values.WAYBILL_VERIFY_TOKEN ?? null,
    }),
    forwardAllow: Object.freeze(values.WAYBILL_FORWARD_ALLOW),
    trustProxyHops: values.WAYBILL_TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    keepAliveTimeoutMs: values.WAYBILL_KEEP_ALIVE_MS,
    drainTimeoutMs: values.WAYBILL_DRAIN_MS,
    connectionsMax: values.WAYBILL_CONNECTIONS_MAX,
  });

/** An empty variable counts as one that is not set. Throws ConfigError. */
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
    // A file that could not be read was told already; that its secret is missing follows from it.
    if (!problems.some((problem) => problem.startsWith(name))) problems.push(`${name}: ${message}`);
  }
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return configOf(parsed.data);
};
