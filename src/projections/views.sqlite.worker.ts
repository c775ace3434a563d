import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Answer, Request } from './views.sqlite.protocol.ts';
import { createTaskRunner, failureOf, openForWriting } from './views.sqlite.tasks.ts';

// The thread that owns the only connection that writes.

const serve = (port: MessagePort, file: string): void => {
  const database = openForWriting(file);
  const write = createTaskRunner(database);
  port.on('message', ({ number, task }: Request) => {
    if (task.kind === 'close') {
      database.close();
      port.postMessage({ number } satisfies Answer);
      port.close();
      return;
    }
    try {
      port.postMessage({ number, done: write(task) } satisfies Answer);
    } catch (error) {
      port.postMessage({ number, failure: failureOf(error) } satisfies Answer);
    }
  });
};

if (!parentPort) throw new Error('this file runs as a worker thread');
serve(parentPort, (workerData as { file: string }).file);
