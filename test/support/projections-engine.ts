import { expect } from 'chai';
import type { Form } from '../../src/events/define.ts';
import { sentForm, statusForm } from '../../src/events/message.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import type { EventStore, NewEvent, Position, Recorded } from '../../src/events/store.ts';
import { NO_STREAM, START } from '../../src/events/store.ts';
import { projections as all } from '../../src/projections/all.ts';
import type { Projection } from '../../src/projections/define.ts';
import {
  createEngine,
  type Engine,
  type EngineOptions,
} from '../../src/projections/engine/engine.ts';
import { openSqliteViews } from '../../src/projections/sqlite/views.ts';
import type { Commit, Views } from '../../src/projections/views.ts';
import { fixedClock } from './ambient.ts';
import { temporaryFolder } from './folder.ts';
import { bytesOf, foldAll } from './projections.ts';
import { reserved, sent, toNewEvent, type Written } from './projections-facts.ts';
import { PATIENCE_MS, untilTrue } from './until.ts';

/** A door that somebody may be held at. */
export const gate = () => {
  let open: (() => void) | undefined;
  let closed: Promise<void> | undefined;
  let held = 0;
  return {
    close() {
      closed = new Promise((resolve) => {
        open = resolve;
      });
    },
    open() {
      closed = undefined;
      open?.();
    },
    async pass() {
      held += 1;
      await closed;
      held -= 1;
    },
    held: () => held,
  };
};

/** A log each page of which is read only once this is done. */
export const readingAfter = (
  store: EventStore,
  before: (position: Position, limit: number) => unknown,
): EventStore => ({
  ...store,
  async readAll(position, limit, buckets) {
    await before(position, limit);
    return store.readAll(position, limit, buckets);
  },
});

/** Views that write only once this is done. */
export const committingAfter = (
  views: Views,
  before: (commits: readonly Commit[]) => unknown,
): Views => ({
  ...views,
  async commit(commits) {
    await before(commits);
    return views.commit(commits);
  },
});

/** So many charges of an account from a revision on, each with the record of its message. */
export const sends = (accountId: string, from: number, count: number): Written[] =>
  Array.from({ length: count }, (_, index) => from + index).flatMap((revision) => [
    reserved(accountId, { revision, balanceAfter: 10_000 - revision }),
    sent(`wamid.${accountId}.${revision}`, accountId, { revision }),
  ]);

/** A log that remembers what was said of it. */
const listeningLogger = () => {
  const lines: { level: string; fields: Record<string, unknown>; text: string }[] = [];
  const say = (level: string) => (fields: object, text: string) =>
    void lines.push({ level, fields: fields as Record<string, unknown>, text });
  return { lines, logger: { info: say('info'), warn: say('warn'), error: say('error') } };
};

const FORMS: Readonly<Record<string, Form>> = { MessageSent: sentForm, StatusUpdated: statusForm };

/** The data as the log stores it. */
const storedForm = ({ type, data }: NewEvent) =>
  FORMS[type]?.pack(data as Record<string, unknown>) ?? data;

/** A log and views on disk, and engines over them; all closed and removed by `close`. */
export const openBench = async () => {
  const folder = temporaryFolder();
  const store = await openSqliteStore({ directory: folder.path });
  const views = await openSqliteViews({ directory: folder.path });
  const clock = fixedClock();
  const heard = listeningLogger();
  const engines: Engine[] = [];
  const revisions = new Map<string, number>();
  let count = 0;

  const append = async (stream: string, event: NewEvent): Promise<Position> => {
    const expected = revisions.get(stream) ?? NO_STREAM;
    revisions.set(stream, expected + 1);
    return (await store.append(stream, expected, [event])).position;
  };
  const write = async (...facts: readonly Written[]): Promise<Position> => {
    const positions = facts.map((one) => {
      count += 1;
      const event = toNewEvent(one, `event-${count}`);
      return append(one.stream, { ...event, data: storedForm(event) });
    });
    return (await Promise.all(positions)).at(-1) ?? START;
  };
  const read: Recorded[] = [];
  let readTo: Position = START;
  /** The whole log, of which each event is read once. */
  const events = async (): Promise<readonly Recorded[]> => {
    for (;;) {
      const slice = await store.readAll(readTo, 1000);
      if (slice.events.length === 0) return read;
      read.push(...slice.events);
      readTo = slice.to;
    }
  };

  /** What a projection should show, from the whole log. */
  const expected = async (projection: Projection): Promise<Record<string, string>> =>
    bytesOf(foldAll(projection, await events()));
  /** What its readers get, all of it. */
  const shown = async (projection: Projection): Promise<Record<string, string>> => {
    const collection = (await views.live())[projection.name]!;
    const ids = [...foldAll(projection, await events()).keys()];
    const kept = await views.getMany(collection, ids);
    return bytesOf(new Map(kept.map((one) => [one.id, one])));
  };

  const engine = (
    projections: readonly Projection[],
    change: Partial<EngineOptions> = {},
  ): Engine => {
    const timing = { batchDelayMs: 1, dropAfterMs: 20, random: () => 0 };
    const options = { store, views, projections, clock, logger: heard.logger, ...timing };
    const made = createEngine({ ...options, ...change });
    engines.push(made);
    const reached: Engine['reader']['reached'] = (which, position, timeoutMs = PATIENCE_MS) =>
      made.reader.reached(which, position, timeoutMs);
    return { ...made, reader: { ...made.reader, reached } };
  };

  return {
    store,
    views,
    clock,
    heard,
    write,
    append,
    events,
    engine,
    /** An engine that has begun. */
    async started(...options: Parameters<typeof engine>): Promise<Engine> {
      const begun = engine(...options);
      await begun.start();
      return begun;
    },
    /** Readers get of these projections what their folds make of the whole log. */
    async isAsExpected(which: readonly Projection[] = all): Promise<void> {
      for (const one of which) {
        expect(await shown(one), one.name).to.deep.equal(await expected(one));
      }
    },
    async close() {
      for (const engine of engines) await engine.stop();
      await views.close();
      await store.close();
      folder.remove();
    },
  };
};

export type Bench = Awaited<ReturnType<typeof openBench>>;

/** All projections of the engine have what the log holds. */
export const untilLive = (engine: Engine): Promise<void> =>
  untilTrue('it is live', async () =>
    (await engine.status()).every(({ state }) => state === 'live'),
  );
