import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { type Api, createApi } from '../api/api.ts';
import { createOutput, type Output } from '../output/output.ts';
import type { Io } from './io.ts';
import { type GlobalOptions, readToken, readUrl } from './settings.ts';

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

export const createLocalAct =
  (io: Io): Act<LocalContext> =>
  <Args extends readonly unknown[]>(work: (given: LocalContext, ...args: Args) => Promise<void>) =>
  (...args) => {
    const { json = false } = (args.at(-1) as Command).optsWithGlobals<GlobalOptions>();
    const out = createOutput(io, { json });
    return work({ out, io }, ...(args.slice(0, -1) as unknown as Args));
  };

/** Closes the connection to the service when the work is done. */
export const createAct =
  (io: Io): Act =>
  <Args extends readonly unknown[]>(work: (given: Context, ...args: Args) => Promise<void>) =>
  async (...args) => {
    const options = (args.at(-1) as Command).optsWithGlobals<GlobalOptions>();
    const url = readUrl(options, io.env);
    const token = readToken(options, io.env);
    const api = createApi({ url, below: '/admin/v1', token, clientName: `waybill/${version}` });
    const withApi = (given: LocalContext, ...rest: Args) => work({ ...given, api }, ...rest);
    await createLocalAct(io)(withApi)(...args).finally(api.close);
  };
