import { Worker } from 'node:worker_threads';

/** A message to the thread. The thread also answers a cancelled call. */
export type ToThread<Task> = { number: number; task: Task } | { number: number; calledOff: true };

/** A message from the thread. */
export type FromThread<Value, Failure> = { number: number } & (
  | { value: Value }
  | { failure: Failure }
);

export interface WorkerThread<Task, Value> {
  /** Rejects with the signal's reason as soon as it is aborted. */
  run(task: Task, signal?: AbortSignal): Promise<Value>;
  /** Lets the thread do this task and exit; terminates it after the time limit. */
  close(last: Task): Promise<void>;
}

export interface WorkerThreadOptions<Failure> {
  program: URL;
  data: object;
  name: string;
  /** Concurrent calls. */
  callsMax: number;
  /** Terminates a thread that has not answered this long after a cancelled call; never when absent. */
  stuckMs?: number;
  errorOf(failure: Failure): Error;
  /** The error for too many calls, a dead thread and a closed one. */
  unavailable(reason: string): Error;
}

interface Call<Value> {
  resolve(value: Value): void;
  reject(error: unknown): void;
  done(): void;
}

const CLOSE_TIMEOUT_MS = 10_000;

/**
 * A thread that answers calls. The first call starts it. When it dies, pending calls reject and the
 * next call starts it again.
 */
export const createWorkerThread = <Task, Value, Failure>(
  options: WorkerThreadOptions<Failure>,
): WorkerThread<Task, Value> => {
  const { program, data, name, callsMax, stuckMs, errorOf, unavailable } = options;
  const calls = new Map<number, Call<Value>>();
  let worker: Worker | undefined;
  let number = 0;
  let closed = false;

  const take = (message: FromThread<Value, Failure>) => {
    const call = calls.get(message.number);
    calls.delete(message.number);
    call?.done();
    if ('failure' in message) call?.reject(errorOf(message.failure));
    else call?.resolve(message.value);
  };

  const start = (): Worker => {
    let cause = 'it ended';
    const started = new Worker(program, { workerData: data, name });
    started.on('message', take);
    started.on('error', (error: Error) => {
      cause = error.message;
    });
    started.on('exit', () => {
      if (worker === started) worker = undefined;
      const lost = [...calls.values()];
      calls.clear();
      for (const call of lost) {
        call.done();
        call.reject(unavailable(`its thread died: ${cause}`));
      }
    });
    return started;
  };

  /** Forwards the signal to the thread, and terminates a thread that ignores it. */
  const watch = (called: number, signal: AbortSignal, reject: Call<Value>['reject']) => {
    let stuck: NodeJS.Timeout | undefined;
    const callOff = () => {
      reject(signal.reason);
      worker?.postMessage({ number: called, calledOff: true } satisfies ToThread<Task>);
      if (stuckMs !== undefined) stuck = setTimeout(() => worker?.terminate(), stuckMs);
    };
    signal.addEventListener('abort', callOff, { once: true });
    return () => {
      signal.removeEventListener('abort', callOff);
      clearTimeout(stuck);
    };
  };

  const call = (task: Task, signal?: AbortSignal) =>
    new Promise<Value>((resolve, reject) => {
      worker ??= start();
      number += 1;
      const done = signal ? watch(number, signal, reject) : () => undefined;
      calls.set(number, { resolve, reject, done });
      worker.postMessage({ number, task } satisfies ToThread<Task>);
    });

  const run = async (task: Task, signal?: AbortSignal): Promise<Value> => {
    signal?.throwIfAborted();
    if (closed) throw unavailable('they are closed');
    if (calls.size >= callsMax) throw unavailable('too much is asked at once');
    return call(task, signal);
  };

  const close = async (last: Task) => {
    if (closed) return;
    if (!worker) {
      closed = true;
      return;
    }
    const ending = worker;
    const force = setTimeout(() => ending.terminate(), CLOSE_TIMEOUT_MS);
    const ended = new Promise((resolve) => ending.once('exit', resolve));
    closed = true;
    const asked = call(last);
    await asked.finally(() => ended).finally(() => clearTimeout(force));
  };

  return { run, close };
};
