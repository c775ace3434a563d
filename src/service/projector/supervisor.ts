import { Worker } from 'node:worker_threads';
import { NotReached } from '../../projections/engine/reader.ts';
import type { Call, FromProjector, ProjectorData, Request } from './protocol.ts';

/** The thread is not there; it is being started again. */
export class ProjectorDown extends Error {
  constructor(cause: string) {
    super(`the thread of the projections is down: ${cause}`);
    this.name = 'ProjectorDown';
  }
}

export interface ProjectorWorker {
  up(): boolean;
  /** Rejects with ProjectorDown when the thread is or goes down before it answers. */
  ask(call: Call): Promise<unknown>;
  /** Lets it finish; ends it by force when that takes too long. */
  close(): Promise<void>;
  /** Ends it as it stands, as a fault would. */
  crash(): Promise<void>;
}

export interface WorkerHandlers {
  onSaid: (said: Extract<FromProjector, { kind: 'serving' | 'log' }>) => void;
  /** It is there, at first or again, and has done nothing yet. */
  onReady: () => void;
  onDown: (cause: string, restartMs: number) => void;
}

/** Far more than requests that wait for a read model at one time. */
const WAITING_MAX = 10_000;
const RESTART_MS_MIN = 100;
const RESTART_MS_MAX = 10_000;
/** A thread that lived this long did not die of its start. */
const STEADY_MS = 60_000;
const CLOSE_TIMEOUT_MS = 15_000;

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  call: Call;
}

const errorOf = (
  { message, notReached }: Extract<FromProjector, { kind: 'failure' }>,
  call: Call,
): Error =>
  notReached && call.kind === 'reached'
    ? new NotReached(notReached, call.position)
    : new Error(message);

/** Starts the thread and keeps it alive. Rejects when it cannot open its files at first. */
export const startProjectorWorker = (
  data: ProjectorData,
  handlers: WorkerHandlers,
): Promise<ProjectorWorker> => {
  const waiting = new Map<number, Waiting>();
  const begun = Promise.withResolvers<ProjectorWorker>();
  let worker: Worker | undefined;
  let ready = false;
  let wasReady = false;
  let number = 0;
  let closing = false;
  let restartMs = RESTART_MS_MIN;
  let restartTimer: NodeJS.Timeout | undefined;

  const take = (message: FromProjector): void => {
    if (message.kind === 'ready') {
      ready = wasReady = true;
      handlers.onReady();
      begun.resolve(handle);
    } else if (message.kind === 'answer' || message.kind === 'failure') {
      const asked = waiting.get(message.number);
      waiting.delete(message.number);
      if (!asked) return;
      if (message.kind === 'answer') asked.resolve(message.value);
      else asked.reject(errorOf(message, asked.call));
    } else handlers.onSaid(message);
  };

  const ended = (cause: string, livedMs: number): void => {
    worker = undefined;
    ready = false;
    const lost = [...waiting.values()];
    waiting.clear();
    for (const { reject } of lost) reject(new ProjectorDown(cause));
    if (closing) return;
    // Files that cannot be opened at the start are told to whoever starts it, and not tried again.
    if (!wasReady) {
      begun.reject(new Error(`the projections cannot be started: ${cause}`));
      return;
    }
    if (livedMs > STEADY_MS) restartMs = RESTART_MS_MIN;
    handlers.onDown(cause, restartMs);
    restartTimer = setTimeout(start, restartMs);
    restartMs = Math.min(restartMs * 2, RESTART_MS_MAX);
  };

  const start = (): void => {
    const startedAt = performance.now();
    let cause = 'it ended';
    worker = new Worker(new URL('./thread.ts', import.meta.url), {
      workerData: data,
      name: 'projector',
    });
    worker.on('message', take);
    worker.on('error', (error: Error) => {
      cause = error.message;
    });
    worker.on('exit', () => ended(cause, performance.now() - startedAt));
  };

  const ask = (call: Call): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (!worker || !ready) return reject(new ProjectorDown('it is being started'));
      if (waiting.size >= WAITING_MAX) return reject(new Error('too many wait for projections'));
      number += 1;
      waiting.set(number, { resolve, reject, call });
      worker.postMessage({ number, call } satisfies Request);
    });

  const close = async (): Promise<void> => {
    closing = true;
    clearTimeout(restartTimer);
    const ending = worker;
    if (!ending) return;
    const exited = new Promise((resolve) => ending.once('exit', resolve));
    const force = setTimeout(() => ending.terminate(), CLOSE_TIMEOUT_MS);
    if (ready) ask({ kind: 'close' }).catch(() => undefined);
    else ending.terminate();
    await exited;
    clearTimeout(force);
  };

  const handle: ProjectorWorker = {
    up: () => ready,
    ask,
    close,
    crash: async () => void (await worker?.terminate()),
  };
  start();
  return begun.promise.catch((error) => {
    closing = true;
    clearTimeout(restartTimer);
    throw error;
  });
};
