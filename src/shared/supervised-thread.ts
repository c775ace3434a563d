import { Worker } from 'node:worker_threads';

export interface SupervisedThreadOptions<FromThread> {
  program: URL;
  data: object;
  name: string;
  /** A message of the kind `ready` also marks the thread as ready. */
  onMessage(message: FromThread): void;
  /** Called after each end of the thread, also an intended one. */
  onDown(cause: string): void;
  /**
   * The pause in milliseconds before a thread that had been ready once is started again; undefined
   * leaves it down. When absent, only start() starts it again.
   */
  restartMs?(cause: string, livedMs: number): number | undefined;
}

export interface SupervisedThread<ToThread> {
  /** Starts the thread unless it runs. */
  start(): void;
  /** Resolves when the thread is ready for the first time; rejects when it dies before that. */
  opened: Promise<void>;
  running(): boolean;
  /** Runs, and has said that it is ready. */
  ready(): boolean;
  /** How often the thread was started again after a pause. */
  restarts(): number;
  /** Messages to a thread that is down are dropped: onDown has reported it. */
  post(message: ToThread): void;
  /** Waits for the end of the thread, which `last` or an earlier message asks for; bounded in time. */
  stop(last?: ToThread): Promise<void>;
  /** Ends the thread as a fault would: it may be started again. */
  crash(): void;
  /** Ends the thread for good. */
  kill(): Promise<void>;
}

const STOP_TIMEOUT_MS = 10_000;

const spawn = <FromThread extends object>(
  { program, data, name }: SupervisedThreadOptions<FromThread>,
  onMessage: (message: FromThread) => void,
  onEnd: (cause: string, livedMs: number) => void,
): Worker => {
  const startedAt = performance.now();
  let cause = 'it ended';
  const worker = new Worker(program, { workerData: data, name });
  worker.on('message', onMessage);
  worker.on('error', (error: Error) => {
    cause = error.message;
  });
  worker.on('exit', () => onEnd(cause, performance.now() - startedAt));
  return worker;
};

/** Resolves when the thread has ended; terminates it after the time limit. */
const exitOf = async (worker: Worker): Promise<void> => {
  const force = setTimeout(() => worker.terminate(), STOP_TIMEOUT_MS);
  await new Promise((resolve) => worker.once('exit', resolve));
  clearTimeout(force);
};

/** Starts a thread, watches it, and starts it again. Its owner repeats or rejects the lost work. */
export const superviseThread = <ToThread, FromThread extends object>(
  options: SupervisedThreadOptions<FromThread>,
): SupervisedThread<ToThread> => {
  const { onMessage, onDown, restartMs } = options;
  const opened = Promise.withResolvers<void>();
  // Some owners do not wait for it.
  opened.promise.catch(() => undefined);
  let worker: Worker | undefined;
  let ready = false;
  let wasReady = false;
  let stopping = false;
  let restarts = 0;
  let restartTimer: NodeJS.Timeout | undefined;

  const take = (message: FromThread): void => {
    if ('kind' in message && message.kind === 'ready') {
      ready = wasReady = true;
      opened.resolve();
    }
    onMessage(message);
  };

  const ended = (cause: string, livedMs: number): void => {
    worker = undefined;
    ready = false;
    opened.reject(new Error(cause));
    onDown(cause);
    const pauseMs = wasReady && !stopping ? restartMs?.(cause, livedMs) : undefined;
    if (pauseMs === undefined) return;
    restartTimer = setTimeout(() => {
      restarts += 1;
      start();
    }, pauseMs);
  };

  const start = (): void => {
    worker ??= spawn(options, take, ended);
  };

  const release = (): void => {
    stopping = true;
    clearTimeout(restartTimer);
  };

  return {
    start,
    opened: opened.promise,
    running: () => worker !== undefined,
    ready: () => ready,
    restarts: () => restarts,
    post: (message) => worker?.postMessage(message),
    async stop(last) {
      release();
      if (!worker) return;
      if (last) worker.postMessage(last);
      await exitOf(worker);
    },
    crash: () => void worker?.terminate(),
    async kill() {
      release();
      await worker?.terminate();
    },
  };
};
