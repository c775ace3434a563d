import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { openCommitter } from './committer.ts';
import type { FromWriter, Job, ToWriter } from './protocol.ts';

// The writing thread, with the only connection that writes.

/** Bounds of one transaction; further jobs wait for the next one. */
const transactionEventsMax = 1_000;
const transactionCharactersMax = 4 * 1024 * 1024;

const charactersOf = (job: Job): number =>
  job.kind === 'append' ? job.rows.reduce((sum, row) => sum + row.data.length, 0) : 0;

const nextTransaction = (queue: Job[]): Job[] => {
  let events = 0;
  let characters = 0;
  const end = queue.findIndex((job) => {
    events += job.kind === 'append' ? job.rows.length : 1;
    characters += charactersOf(job);
    return events > transactionEventsMax || characters > transactionCharactersMax;
  });
  return queue.splice(0, end === -1 ? queue.length : Math.max(end, 1));
};

const serve = (port: MessagePort, file: string): void => {
  const post = (message: FromWriter): void => port.postMessage(message);
  const committer = openCommitter(file);
  const queue: Job[] = [];
  let closing = false;

  const take = (message: ToWriter): void => {
    if (message.kind === 'close') closing = true;
    else queue.push(...message.jobs);
  };
  /** Takes the jobs that arrived during the last commit. */
  const takeWaiting = (): void => {
    let next = receiveMessageOnPort(port);
    while (next) {
      take(next.message);
      next = receiveMessageOnPort(port);
    }
  };

  port.on('message', (message: ToWriter) => {
    take(message);
    takeWaiting();
    while (queue.length > 0) {
      for (const reply of committer.commit(nextTransaction(queue))) post(reply);
      takeWaiting();
    }
    if (!closing) return;
    committer.close();
    port.close();
  });
  post({ kind: 'ready', head: committer.head() });
};

if (!parentPort) throw new Error('this file runs as a worker thread');
serve(parentPort, (workerData as { file: string }).file);
