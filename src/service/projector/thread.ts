import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createOpening, forgetIn } from '../../events/opened.ts';
import { openSqliteReader } from '../../events/sqlite/readonly.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { createKeyRing } from '../../keys/key-ring.ts';
import { KeysUnavailable } from '../../keys/key-store.ts';
import { openSqliteKeyReader } from '../../keys/sqlite/keys.ts';
import { wrappingOf } from '../../keys/wrapping.ts';
import { projections } from '../../projections/all.ts';
import { createEngine, type Engine } from '../../projections/engine/engine.ts';
import { NotReached } from '../../projections/engine/reader.ts';
import { openSqliteViews } from '../../projections/sqlite/views.ts';
import type { Views } from '../../projections/views.ts';
import { DamagedFile } from '../../shared/damaged-file.ts';
import type { Log } from '../../shared/logger.ts';
import { settleMemory } from '../../shared/memory.ts';
import { systemClock } from '../../shared/system.ts';
import type { FromThread, ToThread } from '../../shared/worker-thread.ts';
import { createOnFold } from '../tracing/folds.ts';
import type { Failure, ProjectorData, Report, Task } from './protocol.ts';

// The thread that runs the projections of a service with SQLite views, and alone writes these: a
// composition root of its own, as a worker process is beside MongoDB.

/** Large batches write each page of an index less often. A waiting reader ends the delay early. */
const BATCH_DELAY_MS = 100;

const namesOf = (names: readonly string[]) =>
  projections.filter(({ name }) => names.includes(name));

const answerOf = async (engine: Engine, views: Views, task: Task): Promise<unknown> => {
  switch (task.kind) {
    case 'start':
      return engine.start();
    case 'stop':
    case 'close':
      return engine.stop();
    case 'status':
      return engine.status();
    case 'probe':
      return views.health();
    case 'rebuild':
      return engine.rebuild(task.name);
    case 'erase':
      return engine.erase(task.destroyed, task.after, task.isDone);
    case 'clean':
      return engine.clean();
    case 'reached':
      return engine.reader.reached(namesOf(task.names), task.position, task.timeoutMs);
  }
};

const failureOf = (error: unknown): Failure => {
  const { message } = error as Error;
  if (error instanceof NotReached) {
    const { projections, position } = error;
    return { message, notReached: { projections, position } };
  }
  if (error instanceof DamagedFile) return { message, remedy: error.remedy };
  if (!(error instanceof StoreUnavailable)) return { message };
  return { message, retryAfterSeconds: error.retryAfterSeconds };
};

const serve = async (port: MessagePort, data: ProjectorData): Promise<void> => {
  const post = (message: FromThread<unknown, Failure> | Report): void => port.postMessage(message);
  const say =
    (level: 'info' | 'warn' | 'error'): Log['info'] =>
    (fields, text) =>
      post({ kind: 'log', level, fields, text });
  const logger: Log = { info: say('info'), warn: say('warn'), error: say('error') };

  const keys = openSqliteKeyReader(data.directory);
  let key: Uint8Array | undefined;
  const keyOf = (): Uint8Array => {
    if (!key) throw new KeysUnavailable('the key of the installation is not read yet');
    return key;
  };
  const ring = createKeyRing(keys, wrappingOf(keyOf));
  const store = openSqliteReader(data);
  const writable = await openSqliteViews({ directory: data.directory });
  const tellServing = async () => post({ kind: 'serving', live: await writable.live() });
  const views: Views = {
    ...writable,
    async promote(projection, collection, instead) {
      const promoted = await writable.promote(projection, collection, instead);
      await tellServing();
      return promoted;
    },
  };
  const engine = createEngine({
    store,
    views,
    projections,
    logger,
    clock: systemClock,
    batchDelayMs: BATCH_DELAY_MS,
    open: createOpening(ring),
    forget: forgetIn(ring),
    onFold: data.isTraced
      ? createOnFold(systemClock, (folds) => post({ kind: 'folds', folds }))
      : undefined,
  });

  port.on('message', async (message: ToThread<Task>) => {
    if (!('task' in message)) return;
    const { number, task } = message;
    if (task.kind === 'start') key = task.key;
    try {
      const value = await answerOf(engine, views, task);
      if (task.kind === 'start') await tellServing();
      if (task.kind === 'close') {
        await views.close();
        await store.close();
        await keys.close();
      }
      post({ number, value });
    } catch (error) {
      post({ number, failure: failureOf(error) });
    }
    if (task.kind === 'close') port.close();
  });
  post({ kind: 'ready' });
  settleMemory();
};

if (!parentPort) throw new Error('this file runs as a worker thread');
await serve(parentPort, workerData as ProjectorData);
