import type { Command } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import { type Api, createApi } from '../api/api.ts';
import { createOutput, type Output } from '../output/output.ts';
import type { Io } from './io.ts';
import { type GlobalOptions, readToken, readUrl } from './settings.ts';

export const { version } = manifest;

/** What a verb works with. */
export interface Context {
  readonly api: Api;
  readonly out: Output;
  readonly io: Io;
}

/** A verb's work as commander calls it: arguments, then options, then the command itself. */
export type Act = <Args extends readonly unknown[]>(
  work: (context: Context, ...args: Args) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;

const openContext = (options: GlobalOptions, io: Io): Context => {
  const url = readUrl(options, io.env);
  const token = readToken(options, io.env);
  return {
    api: createApi({ url, token, clientName: `waybill/${version}` }),
    out: createOutput(io, { json: options.json === true }),
    io,
  };
};

/** Gives a verb its context, and closes the connection when it is done. */
export const createAct =
  (io: Io): Act =>
  <Args extends readonly unknown[]>(work: (context: Context, ...args: Args) => Promise<void>) =>
  async (...args) => {
    const command = args.at(-1) as Command;
    const context = openContext(command.optsWithGlobals<GlobalOptions>(), io);
    try {
      await work(context, ...(args.slice(0, -1) as unknown as Args));
    } finally {
      await context.api.close();
    }
  };
