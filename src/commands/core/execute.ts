import type { Fact } from '../../events/define.ts';
import { StoreUnavailable } from '../../events/store.ts';
import type { CommandContext, Decider, Outcome } from './decider.ts';
import {
  type AnyDecider,
  type BatchDeps,
  createBatchRunner,
  type Job,
  type Target,
} from './run-batch.ts';
import type { Folded } from './snapshots.ts';

export interface WriterBounds {
  /** Attempts to decide and append before a stream counts as contended. */
  attemptsMax: number;
  /** Decisions that are appended as one write. */
  batchMax: number;
  /** Commands that may wait for one stream. */
  queueMax: number;
  /** Events of one read. */
  page: number;
}

export const writerBounds: Readonly<WriterBounds> = {
  // An instance that loses must read before it tries again, and can lose to every batch of its rivals.
  attemptsMax: 32,
  batchMax: 128,
  queueMax: 4096,
  page: 1000,
};

interface Mailbox extends Target {
  jobs: Job[];
}

export interface ExecuteOptions {
  /**
   * Decides on the initial state without a read, and reads only when the append or the decision
   * shows that the stream is not new. Saves the hot path a read.
   */
  assumeNew?: boolean;
}

export type Execute = <State, Command, F extends Fact>(
  decider: Decider<State, Command, F>,
  id: string,
  command: Command,
  context: CommandContext,
  options?: ExecuteOptions,
) => Promise<Outcome<State, F>>;

export interface Writer {
  execute: Execute;
  /** The state of one stream, from a read that begins after the call. Concurrent calls share reads. */
  load<State, Command, F extends Fact>(
    decider: Decider<State, Command, F>,
    id: string,
  ): Promise<{ state: State; revision: number }>;
  /** The state in memory, which may be behind the log; undefined for none. Reads nothing. */
  recall<State, Command, F extends Fact>(
    decider: Decider<State, Command, F>,
    id: string,
  ): State | undefined;
  /** Resolves when no command is running. */
  drain(): Promise<void>;
}

export interface WriterDeps extends BatchDeps {
  /** Lower ones, for tests. */
  bounds?: Partial<WriterBounds>;
}

/**
 * The only write path: read, fold, decide, append with the expected revision, in a bounded number of
 * attempts. Commands for one stream wait in its mailbox. Commands that arrive during an append are
 * decided one after the other in memory and appended as one write, so a busy account costs one
 * append for many messages.
 */
export const createWriter = (deps: WriterDeps): Writer => {
  const { attemptsMax, batchMax, queueMax, page } = { ...writerBounds, ...deps.bounds };
  const { run, states } = createBatchRunner(deps, { attemptsMax, page });
  const mailboxes = new Map<string, Mailbox>();
  let waitingForIdle: (() => void)[] = [];

  const work = async (mailbox: Mailbox): Promise<void> => {
    while (mailbox.jobs.length > 0) {
      const jobs = mailbox.jobs.splice(0, batchMax);
      try {
        await run(mailbox, jobs);
      } catch (error) {
        states.forget(mailbox.stream);
        for (const job of jobs) job.reject(error);
      }
    }
    mailboxes.delete(mailbox.stream);
    if (mailboxes.size === 0) {
      for (const resolve of waitingForIdle) resolve();
      waitingForIdle = [];
    }
  };

  const execute: Execute = (decider, id, command, context, options = {}) =>
    new Promise((resolve, reject) => {
      const stream = `${decider.category}-${id}`;
      const job: Job = {
        command,
        context,
        assumeNew: options.assumeNew ?? false,
        resolve: resolve as Job['resolve'],
        reject,
      };
      const busy = mailboxes.get(stream);
      if (busy) {
        if (busy.jobs.length >= queueMax) {
          reject(new StoreUnavailable(`too many commands wait for ${stream}`));
          return;
        }
        busy.jobs.push(job);
        return;
      }
      const mailbox = { decider: decider as unknown as AnyDecider, stream, jobs: [job] };
      mailboxes.set(stream, mailbox);
      // Commands that arrive in the same turn of the event loop go into the first append.
      queueMicrotask(() => void work(mailbox));
    });

  return {
    execute,
    load: async (decider, id) => {
      const stream = `${decider.category}-${id}`;
      const folded = await states.load({ decider: decider as unknown as AnyDecider, stream });
      return folded as Folded<never>;
    },
    recall(decider, id) {
      const stream = `${decider.category}-${id}`;
      return states.cached({ decider: decider as unknown as AnyDecider, stream })?.state as never;
    },
    drain: () =>
      mailboxes.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => waitingForIdle.push(resolve)),
  };
};
