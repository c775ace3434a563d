import { Worker } from 'node:worker_threads';
import type { FromWriter, ToWriter } from './protocol.ts';

type Answer = Exclude<FromWriter, { kind: 'unopened' }>;

export interface ThreadHandlers {
  onAnswer: (message: Answer) => void;
  /** It died and took with it what it had not answered; `ready` says when it is there again. */
  onDown: () => void;
  /** It died too often and is not started again. */
  onGivenUp: (cause: string) => void;
}

export interface Thread {
  post(message: ToWriter): void;
  ready(): boolean;
  restarts(): number;
  /** Lets it finish and close its file; ends it by force when that takes too long. */
  stop(): Promise<void>;
  /** Ends it as it stands. */
  kill(): void;
}

/** Counted without a single commit in between. */
const deathsInARowMax = 5;
const restartPauseMs = 50;
const stopTimeoutMs = 10_000;

const spawn = (
  file: string,
  onAnswer: ThreadHandlers['onAnswer'],
  onExit: (cause: string) => void,
): Worker => {
  let cause = 'the writing thread ended';
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: { file },
    name: 'event-log',
  });
  worker.on('message', (message: FromWriter) => {
    if (message.kind === 'unopened') cause = message.reason;
    else onAnswer(message);
  });
  worker.on('error', (error: Error) => {
    cause = error.message;
  });
  worker.on('exit', () => onExit(cause));
  return worker;
};

const finish = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => worker.terminate(), stopTimeoutMs);
    worker.on('exit', () => {
      clearTimeout(force);
      resolve();
    });
    worker.postMessage({ kind: 'close' } satisfies ToWriter);
  });

/** Starts the writing thread and keeps it alive. Rejects when it cannot open the file at first. */
export const startThread = (file: string, handlers: ThreadHandlers): Promise<Thread> =>
  new Promise((resolve, reject) => {
    let worker: Worker | undefined;
    let restartTimer: NodeJS.Timeout | undefined;
    let started = false;
    let ready = false;
    let stopping = false;
    let deathsInARow = 0;
    let restarts = 0;

    const answer = (message: Answer): void => {
      if (message.kind === 'done') deathsInARow = 0;
      if (message.kind === 'ready') {
        ready = true;
        started = true;
        resolve(thread);
      }
      handlers.onAnswer(message);
    };
    const ended = (cause: string): void => {
      worker = undefined;
      ready = false;
      if (!started) reject(new Error(`the event log cannot be opened: ${cause}`));
      else if (!stopping) revive(cause);
    };
    const revive = (cause: string): void => {
      handlers.onDown();
      deathsInARow += 1;
      if (deathsInARow > deathsInARowMax) {
        handlers.onGivenUp(cause);
        return;
      }
      restartTimer = setTimeout(() => {
        restarts += 1;
        worker = spawn(file, answer, ended);
      }, restartPauseMs * deathsInARow);
    };
    const release = (): void => {
      stopping = true;
      clearTimeout(restartTimer);
    };
    const thread: Thread = {
      post: (message) => worker?.postMessage(message),
      ready: () => ready,
      restarts: () => restarts,
      stop: async () => {
        release();
        if (worker) await finish(worker);
      },
      kill: () => {
        release();
        worker?.terminate();
      },
    };
    worker = spawn(file, answer, ended);
  });
