import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from '../../shared/worker-thread.ts';
import type { Failure, Task } from './protocol.ts';
import { createTaskRunner, failureOf, openForWriting } from './tasks.ts';

// The thread that owns the only connection that writes.

const serve = (port: MessagePort, file: string): void => {
  const database = openForWriting(file);
  const write = createTaskRunner(database);
  const post = (message: FromThread<boolean, Failure>): void => port.postMessage(message);
  port.on('message', (message: ToThread<Task>) => {
    if (!('task' in message)) return;
    const { number, task } = message;
    if (task.kind === 'close') {
      database.close();
      post({ number, value: true });
      port.close();
      return;
    }
    try {
      post({ number, value: write(task) });
    } catch (error) {
      post({ number, failure: failureOf(error) });
    }
  });
};

if (!parentPort) throw new Error('this file runs as a worker thread');
serve(parentPort, (workerData as { file: string }).file);
