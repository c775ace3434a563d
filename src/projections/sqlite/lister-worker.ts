import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FromThread, ToThread } from '../../shared/worker-thread.ts';
import { Unserved } from '../views.ts';
import type { ListFailure, ListTask } from './lister.ts';
import { openReading } from './reading.ts';
import { type ScannedRows, walkRows } from './walk.ts';

// The thread that reads lists. It works on all lists in turns of about 1 ms, and begins a new list at
// once, so that a short list never waits for the end of a long one.

const CACHE_KIBIBYTES = 16 * 1024;

interface List {
  number: number;
  task: ListTask;
  walking: ReturnType<typeof walkRows>;
}

const serve = (port: MessagePort, file: string): void => {
  const reading = openReading(file, { cacheKibibytes: CACHE_KIBIBYTES });
  const lists: List[] = [];
  let going = false;
  const post = (message: FromThread<ScannedRows, ListFailure>): void => port.postMessage(message);

  const fail = (number: number, task: ListTask, error: unknown): void => {
    const { message } = error as Error;
    const failure: ListFailure =
      error instanceof Unserved ? { kind: 'unserved', task } : { kind: 'fault', message };
    post({ number, failure });
  };

  /** True while the list needs further turns. */
  const advance = ({ number, task, walking }: List): boolean => {
    try {
      const { done, value } = walking.next();
      if (!done) return true;
      post({ number, value });
    } catch (error) {
      fail(number, task, error);
    }
    return false;
  };

  const turn = (): void => {
    const list = lists.shift();
    if (list && advance(list)) lists.push(list);
    going = lists.length > 0;
    // New and cancelled calls come first.
    if (going) setImmediate(turn);
  };

  const begin = (number: number, task: ListTask): void => {
    try {
      const { collection, scan } = task;
      lists.unshift({
        number,
        task,
        walking: walkRows(reading, collection, scan),
      });
    } catch (error) {
      fail(number, task, error);
      return;
    }
    if (!going) turn();
  };

  const callOff = (number: number): void => {
    const at = lists.findIndex((list) => list.number === number);
    if (at === -1) return;
    lists.splice(at, 1);
    post({ number, failure: { kind: 'fault', message: 'it was called off' } });
  };

  port.on('message', (message: ToThread<ListTask | 'close'>) => {
    const { number } = message;
    if ('calledOff' in message) callOff(number);
    else if (message.task !== 'close') begin(number, message.task);
    else {
      reading.close();
      post({ number, value: { rows: [], next: null } });
      port.close();
    }
  });
};

if (!parentPort) throw new Error('this file runs as a worker thread');
serve(parentPort, (workerData as { file: string }).file);
