import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

// The simplest durable record: a thread commits the rows that came during its last commit, and a
// writer goes on once its row is on the disk. It checks and reads nothing.

type Row = [stream: string, revision: number, id: string, data: string];

const write = (file: string): void => {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec(`CREATE TABLE rows (
    position INTEGER PRIMARY KEY, stream TEXT NOT NULL, revision INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE, data TEXT NOT NULL, UNIQUE (stream, revision)
  ) STRICT`);
  const insert = database.prepare(
    'INSERT INTO rows (stream, revision, id, data) VALUES (?, ?, ?, ?)',
  );
  parentPort?.on('message', (rows: readonly Row[]) => {
    database.exec('BEGIN');
    for (const row of rows) insert.run(...row);
    database.exec('COMMIT');
    parentPort?.postMessage(rows.length);
  });
};

if (!isMainThread) write(workerData as string);

/** Stores rows in this file; each is durable when its promise resolves. */
export const openRows = (file: string) => {
  const worker = new Worker(new URL(import.meta.url), { workerData: file });
  let rows: Row[] = [];
  let waiting: (() => void)[] = [];
  let written: (() => void)[] = [];
  let busy = false;

  const flush = () => {
    if (busy || rows.length === 0) return;
    busy = true;
    worker.postMessage(rows);
    written = waiting;
    rows = [];
    waiting = [];
  };
  worker.on('message', () => {
    busy = false;
    for (const done of written) done();
    flush();
  });

  return (stream: string, revision: number, data: object): Promise<void> =>
    new Promise((resolve) => {
      rows.push([stream, revision, randomUUID(), JSON.stringify(data)]);
      waiting.push(resolve);
      if (rows.length === 1) queueMicrotask(flush);
    });
};
