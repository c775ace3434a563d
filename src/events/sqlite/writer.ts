import { withTimeout } from '../../shared/timing.ts';
import { type SupervisedThread, superviseThread } from '../../shared/worker-thread.ts';
import { StoreUnavailable } from '../store.ts';
import type { FromWriter, Job, ToWriter } from './protocol.ts';

type Thread = SupervisedThread<ToWriter>;

interface QueueBounds {
  queuedEventsMax: number;
  queuedBytesMax: number;
}

interface Entry {
  job: Job;
  bytes: number;
  resolve: (outcome: number) => void;
  reject: (error: Error) => void;
}

/**
 * Jobs until they are durable, oldest first. A job leaves at its commit and not when it is taken: a writing
 * thread that is started again gets those of the one before.
 */
interface Queue {
  /** Resolves with the job's outcome; rejects at once when there is no room. */
  add(job: Job, bytes: number): Promise<number>;
  /** The jobs that are not taken yet; marks them as taken. */
  take(): Job[];
  /** Number of jobs that are not taken yet. */
  untaken(): number;
  /** Marks all jobs as not taken, after a death of the writing thread. */
  untake(): void;
  /** Ends the oldest `count` jobs, in order. */
  settle(count: number, each: (entry: Entry, index: number) => void): void;
  rejectAll(error: Error): void;
  /** Resolves when no job is left. */
  empty(): Promise<void>;
  /** Time since the last settled job while jobs wait; otherwise 0. */
  stalledMs(): number;
  events(): number;
}

const eventsIn = (job: Job): number => (job.kind === 'append' ? job.rows.length : 1);

const createQueue = ({ queuedEventsMax, queuedBytesMax }: QueueBounds): Queue => {
  const entries: Entry[] = [];
  let taken = 0;
  let queuedEvents = 0;
  let queuedBytes = 0;
  let movedAt = 0;
  let onEmpty: (() => void) | undefined;

  const settle: Queue['settle'] = (count, each) => {
    movedAt = performance.now();
    taken = Math.max(0, taken - count);
    entries.splice(0, count).forEach((entry, index) => {
      queuedEvents -= eventsIn(entry.job);
      queuedBytes -= entry.bytes;
      each(entry, index);
    });
    if (entries.length === 0) onEmpty?.();
  };

  return {
    add: (job, bytes) =>
      new Promise((resolve, reject) => {
        const events = eventsIn(job);
        if (queuedEvents + events > queuedEventsMax || queuedBytes + bytes > queuedBytesMax) {
          return reject(new StoreUnavailable('the event log is too busy'));
        }
        if (entries.length === 0) movedAt = performance.now();
        queuedEvents += events;
        queuedBytes += bytes;
        entries.push({ job, bytes, resolve, reject });
      }),
    take: () => {
      const jobs = entries.slice(taken).map(({ job }) => job);
      taken = entries.length;
      return jobs;
    },
    untaken: () => entries.length - taken,
    untake: () => {
      taken = 0;
    },
    settle,
    rejectAll: (error) => settle(entries.length, ({ reject }) => reject(error)),
    empty: () =>
      new Promise((resolve) => {
        onEmpty = resolve;
        if (entries.length === 0) resolve();
      }),
    stalledMs: () => (entries.length === 0 ? 0 : performance.now() - movedAt),
    events: () => queuedEvents,
  };
};

interface WriterOptions extends QueueBounds {
  file: string;
  /** Called in commit order, before the job's promise resolves. */
  onDone: (job: Job, outcome: number) => void;
  /** Called after the `onDone`s of a commit. */
  onCommitted: () => void;
  /** Called at each start of the thread, with the newest position in the file. */
  onReady: (head: number) => void;
  /** Called when no write can succeed before a restart of the process. */
  onFatal: (error: StoreUnavailable) => void;
}

export interface WriterStats {
  queuedEvents: number;
}

export interface Writer {
  /** Resolves with the job's outcome once it is durable. */
  submit(job: Job, bytes: number): Promise<number>;
  stats(): WriterStats;
  /** Why writes fail now; undefined when they work. After a failure, it tries a write. */
  trouble(): Promise<string | undefined>;
  /** Refuses new jobs and writes the waiting ones, within a time limit. */
  drain(): Promise<void>;
  /** Closes the file. */
  stop(): Promise<void>;
}

interface State {
  closed: boolean;
  flushing: boolean;
  /** Why the last commit failed. */
  failing: string | undefined;
  fatal: StoreUnavailable | undefined;
}

/** Sends this many jobs at once: the thread begins with them while this thread continues. */
const flushedAtOnce = 8;
const drainTimeoutMs = 10_000;
const probeTimeoutMs = 2_000;
/** A longer commit makes the log unhealthy. */
const stalledMs = 5_000;
const retryWhenFailingSeconds = 5;
/** Deaths of the thread without a commit in between. */
const deathsInARowMax = 5;
const restartPauseMs = 50;

const limited = (timeoutMs: number, work: Promise<unknown>): Promise<unknown> =>
  withTimeout(timeoutMs, work, () => {
    throw new Error(`no answer in ${timeoutMs} ms`);
  });

const failureOf = ({ failure, reason }: Extract<FromWriter, { kind: 'failed' }>): Error => {
  const text = `the event log cannot be written: ${reason}`;
  return failure === 'refused'
    ? new Error(text)
    : new StoreUnavailable(text, { retryAfterSeconds: retryWhenFailingSeconds });
};

const drain = (queue: Queue): Promise<unknown> =>
  limited(drainTimeoutMs, queue.empty()).catch(() =>
    queue.rejectAll(new StoreUnavailable('the event log was closed before this was written')),
  );

const findTrouble = async (
  state: State,
  queue: Queue,
  thread: Thread,
  submit: Writer['submit'],
): Promise<string | undefined> => {
  if (state.fatal) return state.fatal.message;
  if (state.closed) return 'the event log is closed';
  if (!thread.ready()) return 'the writing thread is being started again';
  if (queue.stalledMs() > stalledMs) return `nothing was written for ${stalledMs} ms`;
  if (state.failing === undefined) return undefined;
  return limited(probeTimeoutMs, submit({ kind: 'probe' }, 0)).then(
    () => undefined,
    (error: Error) => error.message,
  );
};

/** The main thread's part of the writer: the queue of jobs and their outcomes. */
export const startWriter = async (options: WriterOptions): Promise<Writer> => {
  const queue = createQueue(options);
  const state: State = { closed: false, flushing: false, failing: undefined, fatal: undefined };
  let deathsInARow = 0;

  const giveUp = (reason: string): void => {
    state.fatal = new StoreUnavailable(
      `the event log cannot be written until a restart: ${reason}`,
      { retryAfterSeconds: retryWhenFailingSeconds },
    );
    queue.rejectAll(state.fatal);
    options.onFatal(state.fatal);
  };
  const flush = (): void => {
    if (!thread.ready()) return;
    const jobs = queue.take();
    if (jobs.length > 0) thread.post({ kind: 'jobs', jobs });
  };
  const onMessage = (message: FromWriter): void => {
    if (message.kind === 'done') deathsInARow = 0;
    if (state.fatal) return;
    if (message.kind === 'ready') {
      options.onReady(message.head);
      if (queue.events() > 0) flush();
    } else if (message.kind === 'done') {
      state.failing = undefined;
      queue.settle(message.outcomes.length, ({ job, resolve }, index) => {
        const outcome = message.outcomes[index] as number;
        options.onDone(job, outcome);
        resolve(outcome);
      });
      options.onCommitted();
    } else if (message.failure === 'fatal') {
      thread.kill();
      giveUp(message.reason);
    } else {
      if (message.failure === 'unavailable') state.failing = message.reason;
      const error = failureOf(message);
      queue.settle(message.count, ({ reject }) => reject(error));
    }
  };
  const thread: Thread = superviseThread<ToWriter, FromWriter>({
    program: new URL('./worker.ts', import.meta.url),
    data: { file: options.file },
    name: 'event-log',
    onMessage,
    // The thread died, and with it the jobs that it had not answered.
    onDown: queue.untake,
    restartMs(cause) {
      deathsInARow += 1;
      if (deathsInARow <= deathsInARowMax) return restartPauseMs * deathsInARow;
      giveUp(cause);
      return undefined;
    },
  });
  thread.start();
  await thread.opened.catch(({ message }: Error) => {
    throw new Error(`the event log cannot be opened: ${message}`);
  });

  const submit: Writer['submit'] = (job, bytes) => {
    if (state.fatal) return Promise.reject(state.fatal);
    if (state.closed) return Promise.reject(new StoreUnavailable('the event log is closed'));
    if (!state.flushing) {
      state.flushing = true;
      // Appends of one turn of the event loop share few messages.
      setImmediate(() => {
        state.flushing = false;
        flush();
      });
    }
    const added = queue.add(job, bytes);
    if (queue.untaken() >= flushedAtOnce) flush();
    return added;
  };

  return {
    submit,
    stats: () => ({ queuedEvents: queue.events() }),
    trouble: () => findTrouble(state, queue, thread, submit),
    drain: async () => {
      state.closed = true;
      await drain(queue);
    },
    stop: () => thread.stop({ kind: 'close' }),
  };
};
