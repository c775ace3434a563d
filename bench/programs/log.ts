import { performance } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { type NewEvent, NO_STREAM } from '../../src/events/store.ts';
import { systemIds } from '../../src/shared/system.ts';
import { answerBench, tellBench } from './measure.ts';

// Appends events at a rate for some seconds, each to a stream of its own, and reports the share of the
// time in which its main thread was busy. The way is `log` (that of the service), `bare` (writes and
// commits each on this thread) or `none` (stores nothing).

const [way = '', directory = '', rate = '', seconds = ''] = process.argv.slice(2);
const TICK_MS = 2;

const eventOf = (): NewEvent => ({
  id: systemIds.uuid(),
  type: 'ChargeReserved',
  version: 1,
  data: { accountId: 'acc_1', text: 'x'.repeat(900) },
  meta: { at: '2026-11-21T00:00:00.000Z', requestId: systemIds.uuid(), accountId: 'acc_1' },
});

const openLog = async () => {
  const store = await openSqliteStore({ directory });
  return {
    append: async (event: NewEvent) => {
      await store.append(`message-${event.id}`, NO_STREAM, [event]);
    },
    close: store.close,
  };
};

const openBare = () => {
  const database = new DatabaseSync(`${directory}/bare.db`);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE events (stream TEXT PRIMARY KEY, data TEXT, meta TEXT) STRICT');
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
  return {
    append: async ({ id, data, meta }: NewEvent) => {
      insert.run(`message-${id}`, JSON.stringify(data), JSON.stringify(meta));
    },
    close: async () => database.close(),
  };
};

const none = {
  append: async (event: NewEvent) => void JSON.stringify(event),
  close: async () => {},
};

const open = { log: openLog, bare: openBare, none: () => none }[way];
if (!open) throw new Error(`there is no way "${way}"`);
const { append, close } = await open();

const begun = performance.now();
const before = performance.eventLoopUtilization();
const underWay = new Set<Promise<void>>();
let appended = 0;
for (;;) {
  const elapsed = (performance.now() - begun) / 1000;
  if (elapsed > Number(seconds)) break;
  for (; appended < elapsed * Number(rate); appended += 1) {
    const done = append(eventOf()).finally(() => underWay.delete(done));
    underWay.add(done);
    // A log that falls behind gets no more than it can store.
    if (performance.now() - begun > (elapsed + 1) * 1000) break;
  }
  await pause(TICK_MS);
}
await Promise.all(underWay);
const { utilization } = performance.eventLoopUtilization(before);
const perSecond = appended / ((performance.now() - begun) / 1000);
await close();

answerBench();
tellBench({ utilization, perSecond });
