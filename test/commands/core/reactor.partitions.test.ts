import { once } from 'node:events';
import { expect } from 'chai';
import {
  type Reactions,
  type Reactor,
  type RunningReactor,
  runReactor,
} from '../../../src/commands/core/reactor.ts';
import { bucketOfAccount } from '../../../src/events/bucket.ts';
import type { EventStore, Snapshot } from '../../../src/events/store.ts';
import { until } from '../../support/until.ts';

/** Three of each of the first four buckets. */
const ACCOUNTS = Array.from(
  { length: 12 },
  (_, nth) => `acc_${`${nth >> 2}${nth % 4}`.padStart(32, '0')}`,
);
const partitionOf = bucketOfAccount;
const positionOf = (nth: number) => String(nth).padStart(6, '0');
const all = (count: number) => Array.from({ length: count }, (_, partition) => partition);

/** A log of events of accounts, with snapshots as the stores keep them. */
const openLog = () => {
  const events: { position: string; data: { accountId: string } }[] = [];
  const snapshots = new Map<string, Snapshot>();
  const grown = new EventTarget();
  let readers = 0;
  const store = {
    loadSnapshot: async (stream: string) => snapshots.get(stream),
    async saveSnapshot(stream: string, snapshot: Snapshot) {
      if ((snapshots.get(stream)?.revision ?? -1) <= snapshot.revision) {
        snapshots.set(stream, snapshot);
      }
    },
    async *follow(from: string, signal: AbortSignal) {
      readers += 1;
      try {
        for (let at = from; !signal.aborted; ) {
          const next = events.find(({ position }) => position > at);
          if (next) at = next.position;
          yield next ? { events: [next], to: at } : { events: [], to: at };
          if (next || signal.aborted) continue;
          await Promise.race([once(signal, 'abort'), once(grown, 'grown')]);
        }
      } finally {
        readers -= 1;
      }
    },
  } as unknown as EventStore;
  return {
    store,
    snapshots,
    readers: () => readers,
    write(rounds: number) {
      for (const accountId of Array.from({ length: rounds }, () => ACCOUNTS).flat()) {
        const nth = events.length + 1;
        const event = { id: `e${nth}`, type: 'AccountOpened', data: { accountId }, meta: {} };
        events.push({ ...event, position: positionOf(nth) });
      }
      grown.dispatchEvent(new Event('grown'));
    },
    last: () => events.at(-1)!,
    positionsOf: (accountId: string) =>
      events.filter(({ data }) => data.accountId === accountId).map(({ position }) => position),
  };
};

describe('the partitions of a reactor', () => {
  let log: ReturnType<typeof openLog>;
  let running: RunningReactor[];
  let handled: { by: string; accountId: string; position: string }[];
  beforeEach(() => {
    log = openLog();
    running = [];
    handled = [];
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
  });

  const start = (
    by: string,
    held: readonly number[],
    { count = 4, isCurrent = () => true, ...change }: Json = {},
  ): RunningReactor => {
    const reactor: Reactor = {
      name: 'test',
      on: {
        AccountOpened({ data: { accountId }, position }) {
          handled.push({ by, accountId, position });
        },
      },
      ...change,
    };
    const onFailure = () => undefined;
    const one = runReactor(reactor, { store: log.store, onFailure, isCurrent }, { count, held });
    running.push(one);
    return one;
  };
  // biome-ignore lint/suspicious/noExplicitAny: any part of a reactor
  type Json = any;
  const of = (accountId: string) =>
    handled.filter((one) => one.accountId === accountId).map(({ position }) => position);
  const seen = (accountId: string) => of(accountId).at(-1) === log.positionsOf(accountId).at(-1);
  const inOf = (...which: readonly number[]) =>
    ACCOUNTS.filter((one) => which.includes(partitionOf(one)));
  const isOfEach = () => ACCOUNTS.every(seen);
  const expectOnceInOrder = () => {
    for (const one of ACCOUNTS) expect(of(one), one).to.deep.equal(log.positionsOf(one));
  };

  it('are handled each by the process that has it, which reads the log once', async () => {
    start('a', [0, 1]);
    start('b', [2, 3]);
    log.write(3);
    await until('all is handled', isOfEach);
    expectOnceInOrder();
    for (const { by, accountId } of handled) {
      expect(partitionOf(accountId) < 2 ? 'a' : 'b').to.equal(by);
    }
    expect(log.readers()).to.equal(2);
  });
  it('row 60: go to another process without a gap, a repetition or another order', async () => {
    const a = start('a', all(4));
    log.write(3);
    await until('all is handled', isOfEach);
    await a.stop();
    log.write(2);
    const b = start('b', [0]);
    await until('one has caught up', () =>
      ACCOUNTS.every((one) => partitionOf(one) !== 0 || seen(one)),
    );
    b.add([1, 2, 3]);
    await until('the others have, too', isOfEach);
    log.write(1);
    await until('all is handled', isOfEach);
    expectOnceInOrder();
    expect(log.readers(), 'one reads for all').to.equal(1);
  });
  it('begin where one process that had all of the reactor ended', async () => {
    const a = start('a', [0], { count: 1 });
    log.write(2);
    await until('all is handled', isOfEach);
    await a.stop();
    log.write(1);
    start('b', all(4));
    await until('all is handled', isOfEach);
    expectOnceInOrder();
  });
  it('keep the checkpoint of the later process where an earlier one writes late', async () => {
    const on = { AccountOpened: () => ({ settled: new Promise(() => undefined) }) };
    const late = start('late', all(4), { on });
    log.write(2);
    await until('it reads', () => late.status().position === positionOf(24));
    const next = start('next', all(4));
    await until('all is handled', isOfEach);
    await next.stop();
    const kept = new Map(log.snapshots);
    await late.stop();
    expect(kept.size).to.be.at.least(4);
    expect(new Map(log.snapshots)).to.deep.equal(kept);
  });
  it('are not worked on once the leases may have ended', async () => {
    let isCurrent = false;
    start('a', all(4), { isCurrent: () => isCurrent });
    log.write(1);
    await until('it fails', () => running[0]!.status().failing !== null);
    expect(handled).to.deep.equal([]);
    isCurrent = true;
    await until('all is handled', isOfEach);
    expectOnceInOrder();
  });
  it('tell of an event for all units which have not seen it, after one was added', async () => {
    const told: string[][] = [];
    const isForAll = () => true;
    const on: Reactions = {
      AccountOpened(_, { isFor }) {
        told.push(ACCOUNTS.filter(isFor));
      },
    };
    const a = start('a', [0, 1], { isForAll, on });
    log.write(1);
    await until('it has read', () => a.status().position === log.last().position);
    a.add([2]);
    await until('it has read again', () => told.length === 24);
    log.write(1);
    await until('it goes on', () => told.length === 36);
    const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
    expect(told).to.deep.equal([
      ...times(12, inOf(0, 1)),
      ...times(12, inOf(2)),
      ...times(12, inOf(0, 1, 2)),
    ]);
  });
  it('tell the reactor which of its units are new', async () => {
    const added: string[][] = [];
    const prepare = async (isNew: (unit: string) => boolean) => {
      added.push(ACCOUNTS.filter(isNew));
    };
    const a = start('a', [0, 1], { prepare });
    await until('it is ready', () => added.length === 1);
    a.add([2]);
    await until('it has more', () => added.length === 2);
    expect(added).to.deep.equal([inOf(0, 1), inOf(2)]);
  });
});
