import { parentPort, workerData } from 'node:worker_threads';
import { type Entry, entriesOf } from './commands/audit/entry.ts';
import type { Page } from './commands/audit/verify.ts';
import { openSqliteArchive, type Stretch } from './events/store.sqlite.archive.ts';

// A thread that reads stretches of a log for the books, as it is told; one of several.

const port = parentPort;
if (!port) throw new Error('this file runs as a worker thread');
const log = openSqliteArchive((workerData as { directory: string }).directory);

port.on('message', (stretch: Stretch) => {
  const entries: Entry[] = [];
  for (const events of log.stored(stretch)) entries.push(...entriesOf(events));
  port.postMessage({ entries, to: stretch.upTo } satisfies Page);
});
