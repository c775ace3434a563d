import { createWorkerThread } from '../../shared/worker-thread.ts';
import { StaleCheckpoint, Unwritable } from '../views.ts';
import type { Failure, Task } from './protocol.ts';

/** Writes the views. */
export interface ViewsWriter {
  /** Resolves after the commit; false when the sender's picture was old and nothing changed. */
  run(task: Task): Promise<boolean>;
  close(): Promise<void>;
}

/** Engine and rebuilds wait for each commit, so more than a few tasks at a time are a fault. */
const CALLS_MAX = 256;

export const errorOf = (failure: Failure): Error => {
  switch (failure.kind) {
    case 'stale':
      return new StaleCheckpoint(failure.collection);
    case 'unwritable':
      return new Unwritable(failure.collection, failure.position, new Error(failure.message));
    case 'fault':
      return new Error(`the views cannot be written: ${failure.message}`);
  }
};

/**
 * Writes in a thread of its own, for SQLite views beside EventStoreDB: the calling thread serves
 * requests, and a WAL checkpoint takes up to 100 ms. When the thread dies, its unanswered tasks
 * fail; the checkpoints say which of them were committed.
 */
export const createWriterThread = (file: string): ViewsWriter => {
  const thread = createWorkerThread<Task, boolean, Failure>({
    program: new URL('./worker.ts', import.meta.url),
    data: { file },
    name: 'views',
    callsMax: CALLS_MAX,
    errorOf,
    unavailable: (reason) => new Error(`the views cannot be written: ${reason}`),
  });
  return { run: (task) => thread.run(task), close: () => thread.close({ kind: 'close' }) };
};
