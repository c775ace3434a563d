import type { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { type Api, createApi } from './api.ts';
import type { Io } from './io.ts';
import { createOutput, type Output } from './output.ts';
import { type GlobalOptions, readToken, readUrl } from './settings.ts';

export const { version } = manifest;

/** What a verb works with. */
export interface Session {
  readonly api: Api;
  readonly out: Output;
  readonly io: Io;
}

/** A verb's work as commander calls it: arguments, then options, then the command itself. */
export type Act = <Args extends readonly unknown[]>(
  work: (session: Session, ...args: Args) => Promise<void>,
) => (...args: unknown[]) => Promise<void>;

const openSession = (options: GlobalOptions, io: Io): Session => {
  const url = readUrl(options, io.env);
  const token = readToken(options, io.env);
  return {
    api: createApi({ url, token, agentName: `waybill/${version}` }),
    out: createOutput(io, { json: options.json === true }),
    io,
  };
};

/** Gives a verb its session, and closes the connection when it is done. */
export const createAct =
  (io: Io): Act =>
  <Args extends readonly unknown[]>(work: (session: Session, ...args: Args) => Promise<void>) =>
  async (...args) => {
    const command = args.at(-1) as Command;
    const session = openSession(command.optsWithGlobals<GlobalOptions>(), io);
    try {
      await work(session, ...(args.slice(0, -1) as unknown as Args));
    } finally {
      await session.api.close();
    }
  };
