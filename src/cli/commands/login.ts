import type { Command } from 'commander';
import { ApiRefusal } from '../api/api-error.ts';
import { createLocalAct, type LocalContext, openApi } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { ask, readText } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import {
  DEFAULT_PROFILE,
  type Profile,
  profileName,
  readProfiles,
  writeProfiles,
} from '../program/profiles.ts';
import {
  type Access,
  type Connection,
  credentials,
  type GlobalOptions,
  readConnection,
} from '../program/settings.ts';

interface Options extends GlobalOptions {
  tokenFile?: string;
  apiKeyFile?: string;
}

/** A read that every holder of such a credential may try, and that changes nothing. */
const PROBES: Readonly<Record<Access, string>> = {
  admin: '/organisations',
  key: '/notifications/catalog',
};

const nameOf = ({ profile }: GlobalOptions, io: Io): string =>
  profileName(profile ?? (io.env.WAYBILL_PROFILE || DEFAULT_PROFILE));

/** The address and the credentials that options and variables give, without any profile. */
const givenBy = ({ profile: _, ...options }: Options, io: Io): Connection => {
  // Credentials in variables are for the address in variables.
  const isElsewhere = options.url !== undefined;
  const env = isElsewhere ? {} : { ...io.env, HOME: '', USERPROFILE: '', XDG_CONFIG_HOME: '' };
  return readConnection(options, { ...env, WAYBILL_PROFILE: '' });
};

const readUrl = async (options: Options, io: Io, earlier: Profile | undefined) => {
  if (options.url !== undefined || io.env.WAYBILL_URL) return givenBy(options, io).url;
  const usual = earlier?.url ?? givenBy(options, io).url;
  if (!io.stdin.isTTY) return usual;
  const typed = (await ask(io, `Root of the service [${usual}]: `, { echo: true })).trim();
  return givenBy({ url: typed || usual }, io).url;
};

const readCredential = async (options: Options, io: Io, access: Access) => {
  const { what, option } = credentials[access];
  const file = options[`${option}File`];
  if (file !== undefined) return (await readText(io, file)).trim();
  const given = givenBy(options, io).credential(access);
  if (given || !io.stdin.isTTY) return given?.text;
  return (await ask(io, `${what[0]!.toUpperCase()}${what.slice(1)} (empty for none): `)).trim();
};

/** Throws if the service does not know the credential. */
const check = async (url: string, access: Access, text: string): Promise<void> => {
  const { what } = credentials[access];
  const credential = () => ({ text, from: 'this login' });
  const api = openApi({ url, profile: undefined, credential }, access);
  try {
    await api.get(PROBES[access], access === 'admin' ? { limit: 1 } : {});
  } catch (error) {
    // A key without the scope of this read is one that the service knows.
    if (error instanceof ApiRefusal && error.status === 403) return;
    const why = error instanceof CliError ? error.message : String(error);
    throw new CliError(`The ${what} was not stored: ${why}`, 1, error);
  } finally {
    await api.close();
  }
};

const logIn = async ({ io, out }: LocalContext, options: Options): Promise<void> => {
  const name = nameOf(options, io);
  const profiles = readProfiles(io.env);
  const url = await readUrl(options, io, profiles.get(name));
  const adminToken = (await readCredential(options, io, 'admin')) || undefined;
  const apiKey = (await readCredential(options, io, 'key')) || undefined;
  if ((adminToken ?? apiKey) === undefined) {
    throw usageError('Nothing to store: give --token-file or --api-key-file, or set a variable');
  }
  if (adminToken !== undefined) await check(url, 'admin', adminToken);
  if (apiKey !== undefined) await check(url, 'key', apiKey);
  const file = writeProfiles(io.env, new Map([...profiles, [name, { url, adminToken, apiKey }]]));
  const held = { adminToken: adminToken !== undefined, apiKey: apiKey !== undefined };
  const what = [held.adminToken && 'administrator token', held.apiKey && 'API key'];
  out.done(
    { profile: name, url, ...held, file },
    `Stored for ${url} as profile ${name}: ${what.filter(Boolean).join(', ')}`,
  );
  out.note(`The file is ${file}, for you alone to read.`);
};

/** `waybill login`. */
export const addLogin = (program: Command, io: Io): void => {
  const command = program
    .command('login')
    .description('Store an address with its token or key as a profile')
    .helpGroup('Setup:')
    .option('--token-file <file>', 'Read the administrator token from a file; - is standard input')
    .option('--api-key-file <file>', 'Read the API key from a file; - is standard input')
    .action(
      createLocalAct(io)(async (context, _: Options) =>
        logIn(context, command.optsWithGlobals<Options>()),
      ),
    );
  withExtra(command, {
    examples: [
      'login',
      'login --profile staging --url https://staging.example.com/api',
      'login --profile shop --url https://shop.example/api --api-key-file key',
    ],
  });
};

/** `waybill logout`. */
export const addLogout = (program: Command, io: Io): void => {
  const command = program
    .command('logout')
    .description('Forget a profile, with its token and key')
    .helpGroup('Setup:')
    .action(
      createLocalAct(io)(async ({ out }, _: unknown) => {
        const name = nameOf(command.optsWithGlobals<GlobalOptions>(), io);
        const profiles = new Map(readProfiles(io.env));
        if (!profiles.delete(name)) throw usageError(`There is no profile ${name}`);
        writeProfiles(io.env, profiles);
        out.done({ profile: name }, `Forgot the profile ${name}. Its token and key still work.`);
      }),
    );
  withExtra(command, { examples: ['logout', 'logout --profile staging'] });
};
