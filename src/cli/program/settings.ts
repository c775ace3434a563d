import { readFileSync } from 'node:fs';
import { CliError, codeOf, usageError } from './failure.ts';
import type { Io } from './io.ts';

/** Options of every command. */
export interface GlobalOptions {
  url?: string;
  token?: string;
  json?: boolean;
}

export const DEFAULT_URL = 'http://127.0.0.1:8080/api';

/** Root of the service, without a slash at its end. */
export const readUrl = ({ url }: GlobalOptions, env: Io['env']): string => {
  const text = url ?? (env.WAYBILL_URL || DEFAULT_URL);
  const parsed = URL.parse(text);
  const isSound =
    parsed !== null &&
    /^https?:$/.test(parsed.protocol) &&
    `${parsed.username}${parsed.password}${parsed.search}${parsed.hash}` === '';
  if (!isSound) {
    const source = url === undefined ? 'WAYBILL_URL' : '--url';
    throw usageError(`${source} must be an http or https URL such as ${DEFAULT_URL}`);
  }
  return parsed.href.replace(/\/+$/, '');
};

const fromFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new CliError(`WAYBILL_ADMIN_TOKEN_FILE cannot be read: ${codeOf(error)} ${path}`);
  }
};

/** The token: from the option, else from the variable, else from the file that a variable names. */
export const readToken = ({ token }: GlobalOptions, env: Io['env']): string => {
  const path = env.WAYBILL_ADMIN_TOKEN_FILE;
  const found = token ?? (env.WAYBILL_ADMIN_TOKEN || (path ? fromFile(path) : ''));
  if (found === '') {
    throw usageError(
      'No administrator token: set WAYBILL_ADMIN_TOKEN or WAYBILL_ADMIN_TOKEN_FILE, or add --token',
    );
  }
  if (!/^[!-~]+$/.test(found)) {
    throw usageError('The administrator token must be printable ASCII without spaces');
  }
  return found;
};
