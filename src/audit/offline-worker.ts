import { parentPort, workerData } from 'node:worker_threads';
import { openSqliteArchive, type Stretch } from '../events/sqlite/archive.ts';
import type { FromThread, ToThread } from '../shared/worker-thread.ts';
import { readPart } from './offline-part.ts';
import type { Page } from './verify.ts';

// One of several threads that read parts of a log for the books.

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
const log = openSqliteArchive((workerData as { directory: string }).directory);

port.on('message', (message: ToThread<Stretch>) => {
  if (!('task' in message)) return;
  const { number, task } = message;
  port.postMessage({ number, value: readPart(log, task) } satisfies FromThread<Page, never>);
});
