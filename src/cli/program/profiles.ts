import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError, codeOf, usageError } from './failure.ts';
import type { Io } from './io.ts';

/** A service and the credentials for it, under a name. */
export interface Profile {
  url: string;
  adminToken?: string | undefined;
  apiKey?: string | undefined;
}

type Profiles = ReadonlyMap<string, Profile>;

export const DEFAULT_PROFILE = 'default';

/** The file of all profiles; undefined where the environment has no home directory. */
const profilesFile = ({ XDG_CONFIG_HOME, HOME, USERPROFILE }: Io['env']) => {
  const home = HOME || USERPROFILE;
  const folder = XDG_CONFIG_HOME || (home ? join(home, '.config') : undefined);
  return folder === undefined ? undefined : join(folder, 'waybill', 'credentials.json');
};

export const profileName = (text: string): string => {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text;
  throw usageError('The name of a profile has letters, digits, ".", "_" and "-", 64 at most');
};

const isPrivate = (file: string): boolean =>
  process.platform === 'win32' || (statSync(file).mode & 0o077) === 0;

const parse = (file: string, text: string): Profiles => {
  try {
    const { profiles } = JSON.parse(text) as { profiles: Record<string, Profile> };
    return new Map(Object.entries(profiles));
  } catch (error) {
    throw new CliError(`${file} is damaged: remove it, and log in again`, 1, error);
  }
};

/** Empty without a file. Refuses a file that other users can read. */
export const readProfiles = (env: Io['env']): Profiles => {
  const file = profilesFile(env);
  if (file === undefined) return new Map();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return new Map();
    throw new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error);
  }
  if (!isPrivate(file)) throw new CliError(`Others can use the tokens in ${file}: chmod 600 it`);
  return parse(file, text);
};

/** Writes the file for its owner alone, whole or not at all. Returns its name. */
export const writeProfiles = (env: Io['env'], profiles: Profiles): string => {
  const file = profilesFile(env);
  if (file === undefined) throw usageError('No place for profiles: set HOME or XDG_CONFIG_HOME');
  const partial = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const content = { profiles: Object.fromEntries(profiles) };
    writeFileSync(partial, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw new CliError(`${file} cannot be written: ${codeOf(error)}`, 1, error);
  }
  return file;
};
