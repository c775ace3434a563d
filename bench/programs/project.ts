import { setTimeout as pause } from 'node:timers/promises';
import { ALL_BUCKETS } from '../../src/events/bucket.ts';
import { logPages } from '../../src/events/paging.ts';
import { openSqliteArchive } from '../../src/events/sqlite/archive.ts';
import { type EventReader, type Position, type Recorded, START } from '../../src/events/store.ts';
import { projections } from '../../src/projections/all.ts';
import { createEngine } from '../../src/projections/engine/engine.ts';
import { openSqliteViews } from '../../src/projections/sqlite/views.ts';
import { systemClock } from '../../src/shared/system.ts';
import { answerBench, tellBench } from './measure.ts';

// Folds a number of events of a log into new read models, in batches of a size, and reports the rate.
// The events are in memory before. The first ones warm up and do not count.

const [directory = '', target = '', batch = '', count = ''] = process.argv.slice(2);
const WARM_UP = 4000;
const PATIENCE_MS = 600_000;

const readLog = async (size: number): Promise<Recorded[]> => {
  const log = openSqliteArchive(directory);
  const events: Recorded[] = [];
  for await (const page of logPages(log, START)) {
    events.push(...page.events.slice(0, size - events.length));
    if (events.length === size) break;
  }
  log.close();
  if (events.length < 2 * WARM_UP) throw new Error(`the log holds ${events.length} events only`);
  return events;
};

/** A log that gives its follower the events that are pushed. */
const createStore = () => {
  let given: Recorded[] = [];
  let head: Position = START;
  const store: EventReader = {
    read: async () => [],
    loadSnapshot: async () => undefined,
    readAll: async (position) => ({ events: [], to: position }),
    async *follow(_, signal) {
      while (!signal.aborted) {
        if (given.length > 0) yield { events: given.splice(0), to: head };
        await pause(1);
      }
    },
    head: async () => head,
    end: async () => head,
    bucketEnds: async () => ALL_BUCKETS.map(() => head),
    health: async () => ({ ok: true }),
    close: async () => undefined,
  };
  return {
    store,
    give(events: readonly Recorded[]): Position {
      given = [...events];
      head = events.at(-1)?.position ?? head;
      return head;
    },
  };
};

const events = await readLog(WARM_UP + Number(count));
const { store, give } = createStore();
const views = await openSqliteViews({ directory: target });
const silent = { info() {}, warn() {}, error() {} };
const engine = createEngine({
  store,
  views,
  projections,
  clock: systemClock,
  logger: silent,
  batchMax: Number(batch),
  batchDelayMs: 0,
});
await engine.start();

const fold = (some: readonly Recorded[]) =>
  engine.reader.reached(projections, give(some), PATIENCE_MS);
await fold(events.slice(0, WARM_UP));
const startedAt = performance.now();
await fold(events.slice(WARM_UP));
const perSecond = ((events.length - WARM_UP) / (performance.now() - startedAt)) * 1000;
await engine.stop();
await views.close();

answerBench();
tellBench({ perSecond });
