import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { type Api, createApi } from '../api/api.ts';
import { createOutput, type Output } from '../output/output.ts';
import type { Io } from './io.ts';
import {
  type Access,
  type Connection,
  credentials,
  demandCredential,
  type GlobalOptions,
  readConnection,
} from './settings.ts';

export const { version } = manifest;

/** For a verb that works on files of this machine, or calls something else than the service. */
export interface LocalContext {
  readonly out: Output;
  readonly io: Io;
}

/** For a verb that calls the service. */
export interface Context extends LocalContext {
  readonly api: Api;
}

/** Gives the work of a verb its context. Commander calls it with arguments, options, the command. */
export type Act<Given = Context> = <Args extends readonly unknown[]>(
  work: (context: Given, ...args: Args) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;

export const optionsOf = (args: readonly unknown[]): GlobalOptions =>
  (args.at(-1) as Command).optsWithGlobals<GlobalOptions>();

export const createLocalAct =
  (io: Io): Act<LocalContext> =>
  <Args extends readonly unknown[]>(work: (given: LocalContext, ...args: Args) => Promise<void>) =>
  (...args) => {
    const { json = false } = optionsOf(args);
    const out = createOutput(io, { json });
    return work({ out, io }, ...(args.slice(0, -1) as unknown as Args));
  };

/** One API of the service that the settings name; throws without its credential. */
export const openApi = (connection: Connection, access: Access): Api => {
  const { text: token, from: tokenFrom } = demandCredential(connection, access);
  const { below, what } = credentials[access];
  const clientName = `waybill/${version}`;
  return createApi({
    url: connection.url,
    below,
    token,
    clientName,
    tokenName: `${what} of ${tokenFrom}`,
  });
};

/** Closes the connection to the service when the work is done. */
export const createAct =
  (io: Io, accessOf: Access | ((options: GlobalOptions) => Access) = 'admin'): Act =>
  <Args extends readonly unknown[]>(work: (given: Context, ...args: Args) => Promise<void>) =>
  async (...args) => {
    const options = optionsOf(args);
    const access = typeof accessOf === 'string' ? accessOf : accessOf(options);
    const api = openApi(readConnection(options, io.env), access);
    const withApi = (given: LocalContext, ...rest: Args) => work({ ...given, api }, ...rest);
    await createLocalAct(io)(withApi)(...args).finally(api.close);
  };
