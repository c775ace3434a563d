import { Worker } from 'node:worker_threads';
import type { Answer, Failure, Request, Task } from './views.sqlite.protocol.ts';
import { StaleCheckpoint, Unwritable } from './views.ts';

interface Waiting {
  resolve: (done: boolean) => void;
  reject: (error: Error) => void;
}

/** Whoever writes the views. */
export interface ViewsWriter {
  /** Done and committed when it resolves; false when there was nothing to do by this picture. */
  run(task: Task): Promise<boolean>;
  close(): Promise<void>;
}

/** Engine and rebuilds wait for each commit, so more than a few can only be a mistake. */
const WAITING_MAX = 256;
const CLOSE_TIMEOUT_MS = 10_000;

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
 * The thread that writes. One that died is started again by the next task; what it had not
 * answered fails, and whether that was committed is told by the checkpoints.
 */
export const createWriterThread = (file: string): ViewsWriter => {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let number = 0;
  let closed = false;

  const answer = ({ number: answered, done = true, failure }: Answer) => {
    const task = waiting.get(answered);
    waiting.delete(answered);
    if (failure) task?.reject(errorOf(failure));
    else task?.resolve(done);
  };

  const start = (): Worker => {
    let cause = 'it ended';
    const started = new Worker(new URL('./views.sqlite.worker.ts', import.meta.url), {
      workerData: { file },
      name: 'views',
    });
    started.on('message', answer);
    started.on('error', (error: Error) => {
      cause = error.message;
    });
    started.on('exit', () => {
      worker = undefined;
      const lost = [...waiting.values()];
      waiting.clear();
      for (const { reject } of lost) reject(new Error(`the thread of the views died: ${cause}`));
    });
    return started;
  };

  const run = (task: Task) =>
    new Promise<boolean>((resolve, reject) => {
      if (closed) return reject(new Error('the views are closed'));
      if (waiting.size >= WAITING_MAX) return reject(new Error('the views have too much to write'));
      worker ??= start();
      number += 1;
      waiting.set(number, { resolve, reject });
      worker.postMessage({ number, task } satisfies Request);
    });

  const close = async () => {
    if (closed) return;
    if (!worker) {
      closed = true;
      return;
    }
    const ending = worker;
    const force = setTimeout(() => ending.terminate(), CLOSE_TIMEOUT_MS);
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    const asked = run({ kind: 'close' });
    closed = true;
    await asked.finally(() => ended).finally(() => clearTimeout(force));
  };

  return { run, close };
};
