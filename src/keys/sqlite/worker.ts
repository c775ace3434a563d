import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import type { FromThread, ToThread } from '../../shared/worker-thread.ts';
import { type Done, type Outcome, openWriting, type Task, type WriteFailure } from './writing.ts';

// The thread that writes the keys. Tasks that arrive during a commit share the next one.

/** Tasks of one transaction. */
const TASKS_MAX = 500;

const serve = (port: MessagePort, file: string): void => {
  const writing = openWriting(file);
  const answer = (number: number, done: Done): void =>
    port.postMessage({ number, ...done } satisfies FromThread<Outcome, WriteFailure>);

  port.on('message', (first: ToThread<Task>) => {
    let next: { message: ToThread<Task> } | undefined = { message: first };
    while (next) {
      const waiting: { number: number; task: Task }[] = [];
      for (; next && waiting.length < TASKS_MAX; next = receiveMessageOnPort(port)) {
        if ('task' in next.message) waiting.push(next.message);
      }
      const outcomes = writing.write(waiting.map(({ task }) => task));
      for (const [index, { number }] of waiting.entries()) answer(number, outcomes[index]!);
      if (waiting.some(({ task }) => task.kind === 'close')) {
        writing.close();
        port.close();
        return;
      }
    }
  });
  port.postMessage({ kind: 'ready' });
};

if (!parentPort) throw new Error('this file runs as a worker thread');
serve(parentPort, (workerData as { file: string }).file);
