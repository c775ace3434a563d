import { createWorkerThread } from '../../shared/worker-thread.ts';
import { type Scan, Unserved, ViewsUnavailable } from '../views.ts';
import type { Reading } from './reading.ts';
import { type ScannedRows, walkAtOnce } from './walk.ts';

/** A query of a collection. */
export interface ListTask {
  collection: string;
  scan: Scan;
}

/** Reads lists. */
export interface Lister {
  scan(task: ListTask, signal?: AbortSignal): Promise<ScannedRows>;
  close(): Promise<void>;
}

export type ListFailure = { kind: 'unserved'; task: ListTask } | { kind: 'fault'; message: string };

/** The callers bound their concurrent calls far below this. */
const CALLS_MAX = 1_000;
/** The thread notices a cancelled list between two turns. */
const STUCK_MS = 5_000;

/** Reads in the calling thread: for a thread that serves no requests. */
export const createInlineLister = (reading: Reading): Lister => ({
  async scan({ collection, scan }, signal) {
    signal?.throwIfAborted();
    return walkAtOnce(reading, collection, scan);
  },
  close: async () => undefined,
});

const errorOf = (failure: ListFailure): Error =>
  failure.kind === 'unserved'
    ? new Unserved(failure.task.collection, failure.task.scan)
    : new ViewsUnavailable(`a list cannot be read: ${failure.message}`);

/** Reads in a thread of its own, all lists in turns. */
export const createListerThread = (file: string): Lister => {
  const thread = createWorkerThread<ListTask | 'close', ScannedRows, ListFailure>({
    program: new URL('./lister-worker.ts', import.meta.url),
    data: { file },
    name: 'lists',
    callsMax: CALLS_MAX,
    stuckMs: STUCK_MS,
    errorOf,
    unavailable: (reason) => new ViewsUnavailable(`lists cannot be read: ${reason}`),
  });
  return {
    scan: (task, signal) => thread.run(task, signal),
    close: () => thread.close('close'),
  };
};
