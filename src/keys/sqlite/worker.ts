import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import type { FromThread, ToThread } from '../../shared/worker-thread.ts';
import {
  type Done,
  type Outcome,
  openWriting,
  type Task,
  type Write,
  type WriteFailure,
} from './writing.ts';

// The thread that writes the keys. Writes that arrive during a commit share the next one. The thread
// cleans the file in steps, and writes between two of them.

/** Writes of one transaction. */
const WRITES_MAX = 500;

type Answer = (number: number, done: Done) => void;

/** Runs of cleaning, in steps. A call is answered by a run that begins after it. */
const createCleaning = (writing: ReturnType<typeof openWriting>, answer: Answer) => {
  const waiting: number[] = [];
  let run: { calls: readonly number[]; steps: Generator<void, boolean> } | undefined;
  return {
    ask: (number: number): void => void waiting.push(number),
    isOpen: (): boolean => run !== undefined || waiting.length > 0,
    step(): void {
      run ??= { calls: waiting.splice(0), steps: writing.clean() };
      const { calls, steps } = run;
      let outcome: Done;
      try {
        const { done, value } = steps.next();
        if (!done) return;
        outcome = { value: value ? 1 : 0 };
      } catch (error) {
        outcome = { failure: writing.failureOf(error) };
      }
      run = undefined;
      for (const number of calls) answer(number, outcome);
    },
  };
};

const serve = (port: MessagePort, file: string): void => {
  const writing = openWriting(file);
  const writes: { number: number; task: Write }[] = [];
  let closing: number | undefined;
  let isScheduled = false;

  const answer: Answer = (number, done) =>
    port.postMessage({ number, ...done } satisfies FromThread<Outcome, WriteFailure>);
  const cleaning = createCleaning(writing, answer);

  const take = (message: ToThread<Task>): void => {
    if (!('task' in message)) return;
    const { number, task } = message;
    if (task.kind === 'clean') cleaning.ask(number);
    else if (task.kind === 'close') closing = number;
    else writes.push({ number, task });
  };
  const takeWaiting = (): void => {
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      take(next.message);
    }
  };

  const writeAll = (): void => {
    while (writes.length > 0) {
      const calls = writes.splice(0, WRITES_MAX);
      const outcomes = writing.write(calls.map(({ task }) => task));
      for (const [index, { number }] of calls.entries()) answer(number, outcomes[index]!);
      takeWaiting();
    }
  };

  const turn = (): void => {
    isScheduled = false;
    takeWaiting();
    writeAll();
    if (closing !== undefined) {
      writing.close();
      answer(closing, { value: 0 });
      port.close();
      return;
    }
    if (cleaning.isOpen()) {
      cleaning.step();
      schedule();
    }
  };
  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(turn);
  };

  port.on('message', (message: ToThread<Task>) => {
    take(message);
    schedule();
  });
  port.postMessage({ kind: 'ready' });
};

if (!parentPort) throw new Error('this file runs as a worker thread');
serve(parentPort, (workerData as { file: string }).file);
