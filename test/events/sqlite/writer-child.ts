import { once } from 'node:events';
import { openSqliteStore } from '../../../src/events/sqlite/store.ts';
import { type EventStore, NO_STREAM } from '../../../src/events/store.ts';
import { created, outcomeOf } from '../../contract/store-events.ts';

// A process of its own for the tests that kill it, bound it or break its disk. It is given the
// directory and what to do, and tells what came of it line by line.

const [directory = '', task = ''] = process.argv.slice(2);

const tell = (what: unknown): void => {
  process.stdout.write(`${JSON.stringify(what)}\n`);
};

/** Waits for the parent's word to go on. */
const told = (): Promise<unknown> => once(process.stdin, 'data');

const nameOf = (error: unknown): string | undefined => (error as Error | undefined)?.name;

/** Ten writers, each on a stream of its own, tell of every event that the store has taken. */
const appendForEver = (store: EventStore): Promise<unknown> =>
  Promise.all(
    Array.from({ length: 10 }, async (_, writer) => {
      const stream = `organisation-${process.pid}-${writer}`;
      for (let expected = NO_STREAM; ; expected += 1) {
        const event = created('x'.repeat(200));
        const { position } = await store.append(stream, expected, [event]);
        tell({ stream, revision: expected + 1, position, id: event.id });
      }
    }),
  );

/** Fills the disk to the brim, then tries again once there is room. */
const fill = async (store: EventStore): Promise<void> => {
  const stream = 'organisation-1';
  const append = async (name: string) => {
    const expected = (await store.read(stream)).length - 1;
    return outcomeOf(store.append(stream, expected, [created(name)]));
  };
  let error: unknown;
  for (const name of ['x'.repeat(20_000), 'x']) {
    do error = await append(name);
    while (error === undefined);
  }
  const { ok, detail } = await store.health();
  tell({ error: nameOf(error), ok, detail, read: (await store.read(stream)).length });
  await told();
  const healthy = (await store.health()).ok;
  const again = await append('x');
  tell({ again: nameOf(again), healthy, read: (await store.read(stream)).length });
};

/** Appends, and appends again once syncing fails. */
const sync = async (store: EventStore, fatals: unknown[]): Promise<void> => {
  const stream = 'organisation-1';
  const first = await outcomeOf(store.append(stream, NO_STREAM, [created()]));
  tell({ first: nameOf(first) });
  await told();
  const failed = await outcomeOf(store.append(stream, 0, [created()]));
  tell({ failed: nameOf(failed) });
  await told();
  const later = await outcomeOf(store.append(stream, 0, [created()]));
  const { ok } = await store.health();
  const read = (await store.read(stream)).length;
  tell({ later: nameOf(later), fatals: fatals.length, ok, read });
};

try {
  const fatals: unknown[] = [];
  const store = await openSqliteStore({ directory, onFatal: (error) => fatals.push(error) });
  if (task === 'append') await appendForEver(store);
  if (task === 'fill') await fill(store);
  if (task === 'sync') await sync(store, fatals);
  await store.close();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
process.stdin.destroy();
