import { StoreUnavailable } from '../store.ts';
import type { Job } from './protocol.ts';

export interface QueueBounds {
  queuedEventsMax: number;
  queuedBytesMax: number;
}

interface Entry {
  job: Job;
  bytes: number;
  resolve: (outcome: number) => void;
  reject: (error: Error) => void;
}

/** Jobs until they are durable, oldest first. */
export interface Queue {
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
  size(): { queuedEvents: number; queuedBytes: number };
}

const eventsIn = (job: Job): number => (job.kind === 'append' ? job.rows.length : 1);

export const createQueue = ({ queuedEventsMax, queuedBytesMax }: QueueBounds): Queue => {
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
    size: () => ({ queuedEvents, queuedBytes }),
  };
};
