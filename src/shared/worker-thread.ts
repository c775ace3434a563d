import { Worker } from 'node:worker_threads';

interface SupervisedThreadOptions<FromThread> {
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
    restartTimer = setTimeout(start, pauseMs);
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

// A thread that answers calls.

/** A message to the thread. The thread also answers a cancelled call. */
export type ToThread<Task> = { number: number; task: Task } | { number: number; calledOff: true };

/** The thread's answer to a call. */
export type FromThread<Value, Failure> = { number: number } & (
  | { value: Value }
  | { failure: Failure }
);

export interface WorkerThread<Task, Value>
  extends Pick<SupervisedThread<Task>, 'ready' | 'crash' | 'kill'> {
  /** Starts the thread. Rejects when it dies before it is ready. */
  open(): Promise<void>;
  /** Rejects with the signal's reason as soon as it is aborted. */
  run(task: Task, signal?: AbortSignal): Promise<Value>;
  /** Lets the thread do this task and exit; terminates it after the time limit. */
  close(last: Task): Promise<void>;
}

/** With `restartMs`, calls to a thread that is down reject. Without it, they start the thread. */
export interface WorkerThreadOptions<Failure, Report>
  extends Omit<SupervisedThreadOptions<Report>, 'onMessage' | 'onDown'> {
  /** Concurrent calls. */
  callsMax: number;
  /** Terminates a thread that has not answered this long after a cancelled call; never when absent. */
  stuckMs?: number;
  errorOf(failure: Failure): Error;
  /** The error for too many calls, a dead thread and a closed one. */
  unavailable(reason: string): Error;
  /** A message of the thread that answers no call. */
  onReport?(report: Report): void;
}

type Thread<Task> = SupervisedThread<ToThread<Task>>;

interface Call<Value> {
  resolve(value: Value): void;
  reject(error: unknown): void;
  done: (() => void) | undefined;
}

/** Forwards the signal to the thread, and terminates a thread that ignores it. */
const forwardAbort = (
  signal: AbortSignal,
  call: { number: number; stuckMs: number | undefined; reject(reason: unknown): void },
  thread: Thread<never>,
) => {
  const { number, stuckMs, reject } = call;
  let stuck: NodeJS.Timeout | undefined;
  const callOff = () => {
    reject(signal.reason);
    thread.post({ number, calledOff: true });
    if (stuckMs !== undefined) stuck = setTimeout(thread.crash, stuckMs);
  };
  signal.addEventListener('abort', callOff, { once: true });
  return () => {
    signal.removeEventListener('abort', callOff);
    clearTimeout(stuck);
  };
};

/** A thread that answers calls. When it dies, its pending calls reject. */
export const createWorkerThread = <Task, Value, Failure, Report extends { kind: string } = never>({
  callsMax,
  stuckMs,
  errorOf,
  unavailable,
  onReport,
  ...options
}: WorkerThreadOptions<Failure, Report>): WorkerThread<Task, Value> => {
  type Answer = FromThread<Value, Failure>;
  const calls = new Map<number, Call<Value>>();
  let number = 0;
  let closed = false;

  const take = (number: number): Call<Value> | undefined => {
    const call = calls.get(number);
    calls.delete(number);
    call?.done?.();
    return call;
  };

  const thread: Thread<Task> = superviseThread<ToThread<Task>, Answer | Report>({
    ...options,
    onMessage(message) {
      if (!('number' in message)) onReport?.(message);
      else if ('failure' in message) take(message.number)?.reject(errorOf(message.failure));
      else take(message.number)?.resolve(message.value);
    },
    onDown(cause) {
      const error = unavailable(`its thread died: ${cause}`);
      for (const number of [...calls.keys()]) take(number)?.reject(error);
    },
  });

  const call = (task: Task, signal?: AbortSignal) =>
    new Promise<Value>((resolve, reject) => {
      number += 1;
      const done = signal && forwardAbort(signal, { number, stuckMs, reject }, thread);
      calls.set(number, { resolve, reject, done });
      thread.post({ number, task });
    });

  return {
    async open() {
      thread.start();
      await thread.opened;
    },
    ready: thread.ready,
    async run(task, signal) {
      signal?.throwIfAborted();
      if (closed) throw unavailable('they are closed');
      if (calls.size >= callsMax) throw unavailable('too much is asked at once');
      if (!options.restartMs) thread.start();
      else if (!thread.ready()) throw unavailable('it is being started');
      return call(task, signal);
    },
    async close(last) {
      if (closed) return;
      closed = true;
      const asked = thread.running() ? call(last) : undefined;
      const stopped = thread.stop();
      await asked?.finally(() => stopped);
    },
    crash: thread.crash,
    kill: thread.kill,
  };
};
