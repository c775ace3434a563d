import type { Command } from 'commander';
import type { Progress, Report, VerifyOptions } from '../../audit/verify.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { type Api, route } from '../api/api.ts';
import { rowOf } from '../output/format.ts';
import { createOutput, type Output } from '../output/output.ts';
import { createProgress, type ProgressLine } from '../output/progress.ts';
import type { Act } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import type { Io } from '../program/io.ts';
import type { GlobalOptions } from '../program/settings.ts';

// What reads events is loaded late: help and usage errors are quicker without it.

/** Where the books are read: over the API of a service, or in the files of one. */
export interface Books {
  /** The events of an account as the log holds them, oldest first. */
  events(accountId: string): AsyncIterable<Recorded>;
  verify(accountId?: string): Promise<Report>;
}

/** What a verb that reads the books works with. */
export interface BooksContext {
  readonly books: Books;
  readonly out: Output;
  readonly io: Io;
  readonly progress: ProgressLine;
  readonly json: boolean;
}

export interface BooksOptions {
  data?: string;
  eventstore?: string;
}

const PAGE = 1000;
/** A log of years is read from its beginning. */
const VERIFY_TIMEOUT_MS = 3_600_000;

/** Where to read without a service. */
export const withSource = (command: Command): Command =>
  command
    .option('--data <dir>', 'Read the files of this data directory, no service needed')
    .option('--eventstore <url>', 'Read this EventStoreDB, no service needed');

async function* readEvents(api: Api, accountId: string): AsyncGenerator<Recorded, void, void> {
  const path = route`/accounts/${accountId}/events`;
  for (let from: unknown = 0; typeof from === 'number'; ) {
    const answer = rowOf(await api.get(path, { from, limit: PAGE }));
    if (!Array.isArray(answer.events)) throw new CliError('The service answered without "events"');
    yield* answer.events as Recorded[];
    from = answer.nextFrom;
  }
}

const remoteBooks = (api: Api): Books => ({
  events: (accountId) => readEvents(api, accountId),
  async verify(accountId) {
    const call = { body: { accountId }, timeoutMs: VERIFY_TIMEOUT_MS };
    return (await api.call('POST', '/ledger/verify', call)).body as Report;
  },
});

const fractionOf = ({ position, head }: Progress): number | undefined => {
  const [at, end] = [Number(position || Number.NaN), Number(head || Number.NaN)];
  return at >= 0 && end > 0 ? at / end : undefined;
};

/** A log that is read here, and not by a service. */
interface Source {
  open(): Promise<Pick<EventReader, 'read'> & { close(): unknown }>;
  verify(options: VerifyOptions): Promise<Report>;
}

const sourceOf = async ({ data, eventstore }: BooksOptions): Promise<Source | undefined> => {
  if (data === undefined && eventstore === undefined) return undefined;
  if (data !== undefined && eventstore !== undefined) {
    throw usageError('--data and --eventstore exclude each other');
  }
  const { openLog, openServerLog, verifyDirectory, verifyServer } = await import(
    '../../audit/offline.ts'
  );
  return data === undefined
    ? {
        open: () => openServerLog(eventstore!),
        verify: (options) => verifyServer(eventstore!, options),
      }
    : {
        open: async () => openLog(data),
        verify: (options) => verifyDirectory(data, options),
      };
};

const localBooks = (source: Source, progress: ProgressLine): Books => ({
  async *events(accountId) {
    const { accountEvents } = await import('../../audit/replay.ts');
    const log = await source.open();
    try {
      yield* accountEvents(log, accountId);
    } finally {
      await log.close();
    }
  },
  async verify(accountId) {
    const report = await source.verify({
      accountId,
      onProgress(at) {
        progress.show(
          `${at.movements.toLocaleString('en')} movements of ${at.accounts} accounts`,
          fractionOf(at),
        );
      },
    });
    progress.end();
    return report;
  },
});

/** Files that are not there or not readable are no fault of the program. */
export const reported = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError || !(error instanceof Error)) throw error;
    throw new CliError(error.message, 1, error);
  }
};

/** Gives a verb the books that its options name. */
export const actOnBooks =
  (act: Act, io: Io) =>
  <Args extends readonly unknown[]>(
    work: (context: BooksContext, ...args: Args) => Promise<void>,
  ) =>
  async (...args: unknown[]): Promise<void> => {
    const command = args.at(-1) as Command;
    const options = command.optsWithGlobals<GlobalOptions & BooksOptions>();
    const { json = false } = options;
    const progress = createProgress(io, { quiet: json });
    const given = args.slice(0, -1) as unknown as Args;
    const source = await sourceOf(options);
    if (source) {
      const books = localBooks(source, progress);
      const out = createOutput(io, { json });
      return reported(() => work({ books, out, io, progress, json }, ...given));
    }
    return act(({ api, out }) =>
      work({ books: remoteBooks(api), out, io, progress, json }, ...given),
    )(...args);
  };
