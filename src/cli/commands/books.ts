import type { Command } from 'commander';
import type { Progress, Report, VerifyOptions } from '../../audit/verify.ts';
import type { StoredEvent } from '../../events/index.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { type Api, route } from '../api/api.ts';
import { rowOf } from '../output/format.ts';
import type { ProgressLine } from '../output/progress.ts';
import { type Act, createLocalAct, type LocalContext } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import type { Io } from '../program/io.ts';

// Modules that read events are imported late: help and usage errors are quicker without them.

/** The books, read over the API of a service or from its log. */
export interface Books {
  /** The events of an account as the log holds them, oldest first. */
  events(accountId: string): AsyncIterable<Recorded>;
  verify(accountId?: string): Promise<Report>;
}

/** What a verb that reads the books works with. */
export interface BooksContext extends LocalContext {
  readonly books: Books;
}

export interface BooksOptions {
  data?: string;
  eventstore?: string;
}

const PAGE = 1000;
/** The service reads its whole log, which may hold years. */
const VERIFY_TIMEOUT_MS = 3_600_000;

/** The options that name a log to read without a service. */
export const withSource = (command: Command): Command =>
  command
    .option('--data <dir>', 'Read the files of this data directory, no service needed')
    .option('--eventstore <url>', 'Read this EventStoreDB, no service needed');

async function* readEvents(api: Api, accountId: string): AsyncGenerator<Recorded, void, void> {
  const { decode } = await import('../../events/index.ts');
  const path = route`/accounts/${accountId}/events`;
  for (let from: unknown = 0; typeof from === 'number'; ) {
    const answer = rowOf(await api.get(path, { from, limit: PAGE }));
    if (!Array.isArray(answer.events)) throw new CliError('The service answered without "events"');
    yield* (answer.events as StoredEvent[]).map(decode);
    from = answer.nextFrom;
  }
}

const remoteBooks = (api: Api): Books => ({
  events: (accountId) => readEvents(api, accountId),
  async verify(accountId) {
    const call = { body: { accountId }, timeoutMs: VERIFY_TIMEOUT_MS };
    return (await api.call<Report>('POST', '/ledger/verify', call)).body;
  },
});

const fractionOf = ({ position, head }: Progress): number | undefined => {
  const [at, end] = [Number(position || Number.NaN), Number(head || Number.NaN)];
  return at >= 0 && end > 0 ? at / end : undefined;
};

/** A log that this process reads itself. */
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
    const onProgress = (at: Progress) => {
      const { movements, accounts } = at;
      const text = `${movements.toLocaleString('en')} movements of ${accounts} accounts`;
      progress.show(text, fractionOf(at));
    };
    return source.verify({ accountId, onProgress }).finally(progress.end);
  },
});

/** Reports an error of reading or writing files, or a server's, by its message alone. */
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
  (act: Act, io: Io): Act<BooksContext> =>
  <Args extends readonly unknown[]>(work: (given: BooksContext, ...args: Args) => Promise<void>) =>
  async (...args) => {
    const source = await sourceOf((args.at(-1) as Command).opts<BooksOptions>());
    if (source === undefined) {
      return act(({ api, ...given }, ...rest: Args) =>
        work({ ...given, books: remoteBooks(api) }, ...rest),
      )(...args);
    }
    return createLocalAct(io)((given, ...rest: Args) =>
      reported(() => work({ ...given, books: localBooks(source, given.out.progress) }, ...rest)),
    )(...args);
  };
