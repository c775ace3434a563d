import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { EVERY_MIN_MS, KEEP } from './audit/backups/schedule.ts';
import { type Policy, parsePolicy } from './audit/witness/policy.ts';
import { operatorRoles } from './events/person.ts';
import { tracingOf, tracingSettings } from './service/tracing/settings.ts';
import { nearest } from './shared/nearest.ts';
import { type Environment, readSecretFiles, valuesOf } from './shared/secret-files.ts';
import {
  addressList,
  decodeSecret,
  httpUrl,
  isLoopback,
  manual,
  oneOf,
  span,
  wholeNumber,
} from './shared/setting-types.ts';

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

const yesOrNo = () => oneOf(['yes', 'no']).default('no');

const ADMIN_TOKEN_LENGTH_MIN = 24;
/** A token of few different characters is not random. */
const ADMIN_TOKEN_DIFFERENT_MIN = 12;
const ADMIN_TOKEN_RULE =
  `must have ${ADMIN_TOKEN_LENGTH_MIN} characters or more, ${ADMIN_TOKEN_DIFFERENT_MIN} of them ` +
  'different, such as those of openssl rand -base64 24';

/**
 * A secret that may have two values, with a comma between them, while it is being changed: the present one
 * first. Each must fit the schema.
 */
const twoValues = (each: z.ZodType<string, string>, missing?: string) =>
  z
    .string(missing === undefined ? {} : { error: missing })
    .transform(valuesOf)
    .pipe(
      z
        .array(each)
        .max(2, 'must have two values at most, with a comma between them')
        .refine(
          (values) => new Set(values).size === values.length,
          'must have two different values',
        ),
    );

/** A secret of the provider is at least one character, so that a comma too many is seen. */
const someText = z.string().min(1, 'must not have an empty value beside a comma');

/** The policy in a file. */
const policyIn = (file: string, context: z.RefinementCtx): Policy => {
  try {
    return parsePolicy(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    context.addIssue(code === undefined ? message : `the file cannot be read (${code})`);
    return z.NEVER;
  }
};

const RoleMapping = z.strictObject({
  claim: z.string().min(1).max(200),
  roles: z.record(z.string(), z.enum(operatorRoles)),
});
const ROLE_MAPPING_RULE =
  'must be JSON like { "claim": "groups", "roles": { "<value>": "admin" } }, with the roles ' +
  operatorRoles.join(', ');

/** Which values of a claim make an operator. */
const roleMappingIn = (text: string, context: z.RefinementCtx): z.output<typeof RoleMapping> => {
  try {
    return RoleMapping.parse(JSON.parse(text));
  } catch {
    context.addIssue(ROLE_MAPPING_RULE);
    return z.NEVER;
  }
};

/** The settings in the order of docs/running.md, whose table `npm run openapi` writes from them. */
const settings = z.object({
  HOST: z.string().default('127.0.0.1').register(manual, {
    says: 'address on which the service listens',
    initially: '`127.0.0.1` (`0.0.0.0` in the image)',
  }),
  PORT: wholeNumber(0, 65_535).default(8080).register(manual, {
    says: 'its port; 0 takes a free one and prints it',
  }),
  WAYBILL_OPS_PORT: wholeNumber(0, 65_535).optional().register(manual, {
    says: 'a second port on `HOST` for `/health/*` and `/metrics` without a token: keep it private',
  }),
  WAYBILL_DATA: z.string().default('./data').register(manual, {
    says: 'directory of the embedded files',
  }),
  EVENTSTORE_URL: z
    .string()
    .regex(/^esdb(\+discover)?:\/\/\S+$/, 'must begin with esdb:// or esdb+discover://')
    .optional()
    .register(manual, {
      says: 'server of the log: `esdb://user:password@host:2113?tls=true`, `esdb+discover://…` for a cluster; both servers or none',
      isSecret: true,
    }),
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must begin with mongodb:// or mongodb+srv://')
    .optional()
    .register(manual, {
      says: 'server of the read models: `mongodb://…/waybill`; without a path the database is `waybill`',
      isSecret: true,
    }),
  WAYBILL_ROLE: oneOf(['all', 'api', 'worker']).default('all').register(manual, {
    says: '`api` answers requests, `worker` runs projections, reactors and sweeps, `all` does both',
  }),
  WAYBILL_SECRET: z
    .string({ error: 'is required: 32 bytes or more, in base64 or hex (openssl rand -hex 32)' })
    .transform(decodeSecret)
    .refine((bytes) => bytes.length >= 32, 'must be 32 bytes or more, in base64 or hex')
    .register(manual, {
      says: '32 bytes or more, in base64 or hex; wraps the [key of the installation](#secrets-and-keys)',
      isSecret: true,
    }),
  WAYBILL_SECRET_PREVIOUS: z
    .string()
    .transform(decodeSecret)
    .refine((bytes) => bytes.length >= 32, 'must be 32 bytes or more, in base64 or hex')
    .optional()
    .register(manual, {
      says: 'the secret before, [while it is changed](#changing-waybill_secret)',
      isSecret: true,
    }),
  WAYBILL_SECRET_LOST: yesOrNo().register(manual, {
    says: '`yes` accepts a new secret in place of a lost one, for one start only',
  }),
  WAYBILL_KEYS_LOST: yesOrNo().register(manual, {
    says: '`yes` accepts new data keys in place of lost ones, for one start only',
  }),
  WAYBILL_ADMIN_TOKEN: twoValues(
    z
      .string()
      .min(ADMIN_TOKEN_LENGTH_MIN, ADMIN_TOKEN_RULE)
      .refine((token) => new Set(token).size >= ADMIN_TOKEN_DIFFERENT_MIN, ADMIN_TOKEN_RULE)
      .max(512, 'must have 512 characters at most')
      .regex(/^[!-~]*$/, 'must be made of printable ASCII characters without spaces'),
    'is required: the token of the root administrator (openssl rand -base64 24)',
  ).register(manual, {
    says: 'token of the root administrator: 24 characters or more, 12 of them different (`openssl rand -base64 24`); takes [two values](#changing-another-secret)',
    isSecret: true,
  }),
  WAYBILL_PROVIDER_URL: httpUrl
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://graph.facebook.com')
    .register(manual, { says: 'address of the provider' }),
  WAYBILL_PROVIDER_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v25.0')
    .default('v25.0')
    .register(manual, { says: "version of the provider's API" }),
  WAYBILL_PROVIDER_TIMEOUT_MS: wholeNumber(100, 300_000).default(15_000).register(manual, {
    says: 'limit of one call to the provider, retries included',
  }),
  WAYBILL_APP_SECRET: twoValues(someText).optional().register(manual, {
    says: "signs the callbacks of the provider; without it the provider's webhook answers 503; takes [two values](#changing-another-secret)",
    isSecret: true,
  }),
  WAYBILL_VERIFY_TOKEN: twoValues(someText).optional().register(manual, {
    says: "registers the provider's webhook, which answers 503 without it; takes [two values](#changing-another-secret)",
    isSecret: true,
  }),
  WAYBILL_FORWARD_ALLOW: addressList.default([]).register(manual, {
    says: 'private addresses or networks that forwards, webhooks and bot requests may reach, over http and on any port',
  }),
  WAYBILL_TRUST_PROXY: wholeNumber(0, 32).default(0).register(manual, {
    says: 'how many proxies in front, also on this machine, whose `X-Forwarded-For` it believes',
  }),
  WAYBILL_KEEP_ALIVE_MS: wholeNumber(1_000, 3_600_000).default(65_000).register(manual, {
    says: 'how long an idle connection stays open: longer than in the proxy in front',
  }),
  WAYBILL_DRAIN_MS: wholeNumber(0, 600_000).default(30_000).register(manual, {
    says: 'how long requests may run on after `SIGTERM`; the process ends 10 s later at most',
  }),
  WAYBILL_DEAD_LETTER_RETENTION_MONTHS: wholeNumber(1, 120).default(3).register(manual, {
    says: 'months, 1 to 120, that dead letters without an account keep their content',
  }),
  WAYBILL_CONNECTIONS_MAX: wholeNumber(1, 1_000_000).default(10_000).register(manual, {
    says: 'most open connections; beyond it those without a credential are closed first, then idle ones',
  }),
  WAYBILL_SEAL_KEY: z
    .string()
    .transform(decodeSecret)
    .refine((bytes) => bytes.length === 32, 'must be 32 bytes, in base64 or hex')
    .optional()
    .register(manual, {
      says: '32 bytes in base64 or hex: the Ed25519 key that signs [seals](seals.md#seals). Without it, who holds the secret can sign seals, and the worker warns at its start',
      initially: "from the installation's key",
      isSecret: true,
    }),
  WAYBILL_SEAL_FILE: z.string().optional().register(manual, {
    says: 'a file that gets every seal, on a disk that the administrators of the log cannot write to',
  }),
  WAYBILL_SEAL_URL: httpUrl.optional().register(manual, {
    says: 'an https URL that gets every seal, as text; a private address must be in `WAYBILL_FORWARD_ALLOW`',
  }),
  WAYBILL_WITNESSES: z.string().transform(policyIn).optional().register(manual, {
    says: 'a file, C2SP tlog-policy, whose [witnesses](seals.md#witnesses) sign each seal, too; addresses as above',
  }),
  WAYBILL_BACKUP_TO: z
    .string()
    .regex(
      /^s3:\/\/[\w.-]+(\/.*)?$|^(?![a-z0-9+.-]+:\/\/)/i,
      'must be a directory or s3://<bucket>/<folder>',
    )
    .optional()
    .register(manual, {
      says: 'a directory or `s3://<bucket>/<folder>` for [backups](backups.md#backup-and-restore) of the embedded files',
    }),
  WAYBILL_BACKUP_EVERY: span(EVERY_MIN_MS).optional().register(manual, {
    says: 'makes one each time, such as `6h`; without it only on request',
  }),
  WAYBILL_BACKUP_KEEP: wholeNumber(1, 100_000).default(KEEP).register(manual, {
    says: 'how many are kept',
  }),
  WAYBILL_ISSUER_NAME: z.string().trim().min(1).max(200).optional().register(manual, {
    says: 'who issues [statements](audit.md#read-the-statements) of periods that are sealed after the start with it',
  }),
  WAYBILL_ISSUER_ADDRESS: z.string().trim().min(1).max(500).optional().register(manual, {
    says: 'its address, on one line or on several',
  }),
  WAYBILL_ISSUER_TAX_ID: z.string().trim().min(1).max(100).optional().register(manual, {
    says: 'its number for taxes',
  }),
  WAYBILL_OIDC_ISSUER: httpUrl
    .refine(
      (url) => new URL(url).protocol === 'https:' || isLoopback(new URL(url)),
      'must be an https URL, or http on this machine',
    )
    .optional()
    .register(manual, {
      says: 'the issuer at which people [sign in](console.md#openid-connect): an https URL, or http on this machine',
    }),
  WAYBILL_OIDC_CLIENT_ID: z.string().min(1).max(500).optional().register(manual, {
    says: 'the id of this service at the issuer',
  }),
  WAYBILL_OIDC_CLIENT_SECRET: z.string().min(1).max(2000).optional().register(manual, {
    says: 'the secret of this service at the issuer',
    isSecret: true,
  }),
  WAYBILL_OIDC_ROLES: z.string().transform(roleMappingIn).optional().register(manual, {
    says: 'JSON: which values of a claim make [operators](console.md#openid-connect) of which role',
  }),
  WAYBILL_TOP_UP: z
    .string()
    .refine(
      (text) => z.union([z.email(), z.url({ protocol: /^https$/ })]).safeParse(text).success,
      'must be a mail address or an https URL',
    )
    .transform((text) => (text.includes('://') ? text : `mailto:${text}`))
    .optional()
    .register(manual, {
      says: 'where the console leads for a top-up: a mail address or an https URL',
    }),
  WAYBILL_ACCESS_LOG: yesOrNo().register(manual, {
    says: '`yes` [logs](monitoring.md#access-log) each request',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .default('info')
    .register(manual, { says: '`trace` to `fatal`, or `silent`' }),
  ...tracingSettings,
});

/** The settings with their names; a test and `npm run openapi` make the tables of docs/ from them. */
export const settingSchemas: Readonly<Record<string, z.ZodType>> = settings.shape;

/** The names of all settings; those of secrets also have a form that ends in `_FILE`. */
export const settingNames: readonly string[] = Object.keys(settings.shape);

const secretNames = settingNames.filter((name) => manual.get(settingSchemas[name]!)?.isSecret);

/** Names of the command line, the simulator, deploy/ and the tests, which may be set beside ours. */
const FOREIGN_NAMES = [
  'WAYBILL_URL',
  'WAYBILL_API_KEY',
  'WAYBILL_API_KEY_FILE',
  'WAYBILL_PROFILE',
  'WAYBILL_WEBHOOK_URL',
  'WAYBILL_HOST',
  'WAYBILL_UPSTREAM',
  'WAYBILL_IMAGE',
  'WAYBILL_FAULTS_SEED',
];

/** The names that may be set without ending the start. */
export const knownNames: ReadonlySet<string> = new Set([
  ...settingNames,
  ...secretNames.map((name) => `${name}_FILE`),
  ...FOREIGN_NAMES,
]);

const PREFIX = 'WAYBILL_';
/** By what follows the prefix, whose letters would make all names alike. */
const namesByRest = new Map([...knownNames].map((name) => [name.replace(PREFIX, ''), name]));

/** Kubernetes sets such variables in each pod beside a service named waybill. */
const isServiceLink = (name: string, value: string) =>
  /_SERVICE_(HOST|PORT\w*)$|_PORT_\d+_\w+$/.test(name) || /^(tcp|udp|sctp):\/\//.test(value);

/** A line for each name that is nearly or wholly of our form, and that nothing reads. */
const unknownNames = (env: Environment): string[] =>
  Object.entries(env).flatMap(([name, value]) => {
    const [, prefix = '', rest = ''] = /^(w[^_]*_)(.+)$/i.exec(name) ?? [];
    const isOurs = prefix === PREFIX;
    if (!value || knownNames.has(name) || nearest(prefix, [PREFIX]) === undefined) return [];
    if (isServiceLink(name, value)) return [];
    const meant = namesByRest.get(nearest(rest, [...namesByRest.keys()]) ?? '');
    if (meant !== undefined) return [`${name}: is not a setting. Did you mean ${meant}?`];
    return isOurs ? [`${name}: is not a setting. docs/running.md lists all settings`] : [];
  });

/** Null while the settings name no issuer. */
const issuerOf = ({
  WAYBILL_ISSUER_NAME: name,
  WAYBILL_ISSUER_ADDRESS: address,
  WAYBILL_ISSUER_TAX_ID: taxId,
}: z.output<typeof settings>) =>
  name === undefined
    ? null
    : Object.freeze({ name, address: address ?? null, taxId: taxId ?? null });

/** Null while people sign in here alone. */
const openIdOf = ({
  WAYBILL_OIDC_ISSUER: issuer,
  WAYBILL_OIDC_CLIENT_ID: clientId = '',
  WAYBILL_OIDC_CLIENT_SECRET: clientSecret = '',
  WAYBILL_OIDC_ROLES: roles,
}: z.output<typeof settings>) =>
  issuer === undefined
    ? null
    : Object.freeze({ issuer, clientId, clientSecret, roles: roles ?? null });

/** Settings that mean nothing without another one. */
const together: readonly [name: string, other: string][] = [
  ['EVENTSTORE_URL', 'MONGODB_URL'],
  ['MONGODB_URL', 'EVENTSTORE_URL'],
  ['WAYBILL_BACKUP_EVERY', 'WAYBILL_BACKUP_TO'],
  ['WAYBILL_BACKUP_KEEP', 'WAYBILL_BACKUP_TO'],
  ['WAYBILL_ISSUER_ADDRESS', 'WAYBILL_ISSUER_NAME'],
  ['WAYBILL_ISSUER_TAX_ID', 'WAYBILL_ISSUER_NAME'],
  ['WAYBILL_OIDC_ISSUER', 'WAYBILL_OIDC_CLIENT_ID'],
  ['WAYBILL_OIDC_ISSUER', 'WAYBILL_OIDC_CLIENT_SECRET'],
  ['WAYBILL_OIDC_CLIENT_ID', 'WAYBILL_OIDC_ISSUER'],
  ['WAYBILL_OIDC_CLIENT_SECRET', 'WAYBILL_OIDC_ISSUER'],
  ['WAYBILL_OIDC_ROLES', 'WAYBILL_OIDC_ISSUER'],
];

/** Null while no backups are made. */
const backupsOf = ({
  WAYBILL_BACKUP_TO: to,
  WAYBILL_BACKUP_EVERY: everyMs,
  WAYBILL_BACKUP_KEEP: keep,
}: z.output<typeof settings>) =>
  to === undefined ? null : Object.freeze({ to, everyMs: everyMs ?? null, keep });

/** Null for the embedded form. */
const serversOf = ({
  EVENTSTORE_URL: eventStoreUrl,
  MONGODB_URL: mongoUrl,
}: z.output<typeof settings>) =>
  eventStoreUrl === undefined || mongoUrl === undefined
    ? null
    : Object.freeze({ eventStoreUrl, mongoUrl });

const configOf = (values: z.output<typeof settings>) =>
  Object.freeze({
    host: values.HOST,
    port: values.PORT,
    opsPort: values.WAYBILL_OPS_PORT ?? null,
    dataDirectory: values.WAYBILL_DATA,
    servers: serversOf(values),
    role: values.WAYBILL_ROLE,
    secret: values.WAYBILL_SECRET,
    /** Null unless the secret is being changed. */
    previousSecret: values.WAYBILL_SECRET_PREVIOUS ?? null,
    secretLost: values.WAYBILL_SECRET_LOST === 'yes',
    keysLost: values.WAYBILL_KEYS_LOST === 'yes',
    /** The present one first. */
    adminTokens: Object.freeze(values.WAYBILL_ADMIN_TOKEN),
    provider: Object.freeze({
      url: values.WAYBILL_PROVIDER_URL,
      version: values.WAYBILL_PROVIDER_VERSION,
      timeoutMs: values.WAYBILL_PROVIDER_TIMEOUT_MS,
      /** None where it is not set. */
      appSecrets: Object.freeze(values.WAYBILL_APP_SECRET ?? []),
      verifyTokens: Object.freeze(values.WAYBILL_VERIFY_TOKEN ?? []),
    }),
    deadLetterRetentionMonths: values.WAYBILL_DEAD_LETTER_RETENTION_MONTHS,
    seals: Object.freeze({
      key: values.WAYBILL_SEAL_KEY ?? null,
      file: values.WAYBILL_SEAL_FILE ?? null,
      url: values.WAYBILL_SEAL_URL ?? null,
    }),
    backups: backupsOf(values),
    witnesses: values.WAYBILL_WITNESSES ?? null,
    issuer: issuerOf(values),
    openId: openIdOf(values),
    /** Null while the operator names none. */
    topUp: values.WAYBILL_TOP_UP ?? null,
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
  const files = readSecretFiles(secretNames, env, problems);
  const given = Object.fromEntries(
    settingNames
      .map((name) => [name, files[name] ?? env[name]])
      .filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = settings.safeParse(given);
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = String(path[0]);
    // The secret of an unreadable file is missing too, which is no second problem.
    const told = [`${name}:`, `${name}_FILE:`];
    if (problems.some((problem) => told.some((start) => problem.startsWith(start)))) continue;
    problems.push(`${name}: ${message}`);
  }
  for (const [name, other] of together) {
    if (given[name] === undefined || given[other] !== undefined) continue;
    problems.push(`${name}: goes with ${other}, which is missing`);
  }
  const { WAYBILL_ROLE: role } = given;
  if ((role === 'api' || role === 'worker') && given.EVENTSTORE_URL === undefined) {
    problems.push(
      `WAYBILL_ROLE: ${role} goes with EVENTSTORE_URL and MONGODB_URL, which are missing`,
    );
  }
  if (given.WAYBILL_BACKUP_TO !== undefined && given.EVENTSTORE_URL !== undefined) {
    problems.push(
      'WAYBILL_BACKUP_TO: copies the embedded files alone; for EventStoreDB and MongoDB see docs/backups.md#on-servers',
    );
  }
  problems.push(...unknownNames(env));
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return configOf(parsed.data);
};
