import { createWorkerThread } from '../../shared/worker-thread.ts';
import { StaleCheckpoint, Unwritable } from '../views.ts';
import type { Failure, Task } from './protocol.ts';

/** Whoever writes the views. */
export interface ViewsWriter {
  /** Done and committed when it resolves; false when there was nothing to do by this picture. */
  run(task: Task): Promise<boolean>;
  close(): Promise<void>;
}

/** Engine and rebuilds wait for each commit, so more than a few can only be a mistake. */
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
 * The thread that writes. When it dies, the tasks that it had not answered fail; the checkpoints
 * tell which of them were committed.
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
