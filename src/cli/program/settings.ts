import { readFileSync } from 'node:fs';
import { presentValue } from '../../shared/secret-files.ts';
import { CliError, codeOf, usageError } from './failure.ts';
import type { Io } from './io.ts';
import { DEFAULT_PROFILE, type Profile, readProfiles } from './profiles.ts';

/** Options of every command. */
export interface GlobalOptions {
  url?: string;
  token?: string;
  apiKey?: string;
  profile?: string;
  json?: boolean;
}

/** The API that a command calls: administration, or `/v1` of one account. */
export type Access = 'admin' | 'key';

interface Credential {
  what: string;
  below: '/admin/v1' | '/v1';
  option: 'token' | 'apiKey';
  flag: string;
  variable: string;
  field: 'adminToken' | 'apiKey';
}

export const credentials: Readonly<Record<Access, Credential>> = {
  admin: {
    what: 'administrator token',
    below: '/admin/v1',
    option: 'token',
    flag: '--token',
    variable: 'WAYBILL_ADMIN_TOKEN',
    field: 'adminToken',
  },
  key: {
    what: 'API key',
    below: '/v1',
    option: 'apiKey',
    flag: '--api-key',
    variable: 'WAYBILL_API_KEY',
    field: 'apiKey',
  },
};

export const DEFAULT_URL = 'http://127.0.0.1:8080/api';

/** An address without a slash at its end. */
const soundUrl = (text: string, source: string): string => {
  const parsed = URL.parse(text);
  const isSound =
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    `${parsed.username}${parsed.password}${parsed.search}${parsed.hash}` === '';
  if (!isSound) throw usageError(`${source} must be an http or https URL such as ${DEFAULT_URL}`);
  return parsed.href.replace(/\/+$/, '');
};

const fromFile = (path: string, variable: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CliError(`${variable} cannot be read: ${codeOf(error)} ${path}`);
  }
};

/** A credential and the setting that it came from. */
export interface Found {
  text: string;
  from: string;
}

/** From the variable, else from the file that another variable names. */
const inVariables = (variable: string, env: Io['env']): Found | undefined => {
  const text = env[variable];
  if (text) return { text: presentValue(text), from: variable };
  const path = env[`${variable}_FILE`];
  if (!path) return undefined;
  return { text: presentValue(fromFile(path, `${variable}_FILE`)), from: `${variable}_FILE` };
};

const VARIABLES = ['WAYBILL_URL', ...Object.values(credentials).map(({ variable }) => variable)];

const hasVariables = (env: Io['env']): boolean =>
  VARIABLES.some((name) => env[name] || env[`${name}_FILE`]);

/** The profile to use. Variables win over all but `--profile`, so that one source gives everything. */
const profileOf = (options: GlobalOptions, env: Io['env']): [string, Profile] | undefined => {
  const named =
    options.profile ?? (hasVariables(env) ? undefined : env.WAYBILL_PROFILE || undefined);
  if (named === undefined && hasVariables(env)) return undefined;
  const name = named ?? DEFAULT_PROFILE;
  const profile = readProfiles(env).get(name);
  if (profile !== undefined) return [name, profile];
  if (named === undefined) return undefined;
  throw usageError(`There is no profile ${name}: waybill login --profile ${name} makes it`);
};

/** Where a command calls the service, and as whom. */
export interface Connection {
  url: string;
  /** Name of the profile that is used, where one is. */
  profile: string | undefined;
  /** Undefined where no setting has one. */
  credential(access: Access): Found | undefined;
}

/** Options win over variables, and variables over a profile. */
export const readConnection = (options: GlobalOptions, env: Io['env']): Connection => {
  const [profile, stored] = profileOf(options, env) ?? [];
  const url =
    options.url !== undefined
      ? soundUrl(options.url, '--url')
      : soundUrl(stored?.url ?? (env.WAYBILL_URL || DEFAULT_URL), 'WAYBILL_URL');
  const lookUp = (access: Access): Found | undefined => {
    const { option, flag, variable, field } = credentials[access];
    const given = options[option];
    if (given !== undefined) return { text: given, from: flag };
    if (!stored) return inVariables(variable, env);
    // The tokens of a profile go to its service alone.
    const text = stored.url === url ? stored[field] : undefined;
    return text === undefined ? undefined : { text, from: `the profile ${profile}` };
  };
  return {
    url,
    profile,
    credential(access) {
      const found = lookUp(access);
      if (!found?.text) return undefined;
      if (/^[!-~]+$/.test(found.text)) return found;
      throw usageError(`The ${credentials[access].what} must be printable ASCII without spaces`);
    },
  };
};

/**
 * A list that both APIs have: of the API key's account; for administrators of any, where an account is named,
 * `--token` is given, or there is no API key.
 */
export const accessToList =
  (io: Pick<Io, 'env'>) =>
  (options: GlobalOptions & { account?: string }): Access => {
    const { credential } = readConnection(options, io.env);
    const isAdmin = options.account ?? (options.apiKey === undefined ? options.token : undefined);
    if (isAdmin !== undefined) return 'admin';
    return credential('key') || !credential('admin') ? 'key' : 'admin';
  };

/** The credential that a command cannot do without. */
export const demandCredential = (connection: Connection, access: Access): Found => {
  const found = connection.credential(access);
  if (found) return found;
  const { what, variable, flag } = credentials[access];
  const { profile, url } = connection;
  const where = profile === undefined ? '' : ` for ${url} in the profile ${profile}`;
  throw usageError(
    `No ${what}${where}: set ${variable} or ${variable}_FILE, add ${flag}, or run waybill login`,
  );
};
