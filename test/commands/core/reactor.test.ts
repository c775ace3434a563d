import { once } from 'node:events';
import { expect } from 'chai';
import {
  type Reactions,
  type Reactor,
  type RunningReactor,
  runReactor,
  toEach,
} from '../../../src/commands/core/reactor.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventStore, type Snapshot, UNREADABLE } from '../../../src/events/store.ts';
import { until } from '../../support/until.ts';

const positionOf = (count: number) => `p${String(count).padStart(6, '0')}`;

/** A log that hands out these batches, each of so many events, and looks meanwhile. */
const openLog = (sizes: readonly number[], kept?: unknown) => {
  const saved: unknown[] = [];
  const savedBefore: number[] = [];
  const followed: string[] = [];
  let isOver = false;
  const store = {
    loadSnapshot: async () => kept,
    async saveSnapshot(stream: string, snapshot: Snapshot) {
      saved.push([stream, snapshot]);
    },
    async *follow(from: string, signal: AbortSignal) {
      followed.push(from);
      let count = 0;
      for (const size of sizes) {
        const events = Array.from({ length: size }, (_, index) => ({
          id: `e${count + index}`,
          type: 'AccountOpened',
          position: positionOf(count + index + 1),
          meta: {},
        }));
        count += size;
        // A batch may reach further than the last of its events.
        yield { events, to: positionOf(count) };
        savedBefore.push(saved.length);
      }
      isOver = true;
      if (!signal.aborted) await once(signal, 'abort');
    },
  } as unknown as EventStore;
  return { store, saved, savedBefore, followed, isOver: () => isOver };
};
const onFailure = (...what: unknown[]) => {
  throw new Error(String(what));
};
const quiet = (change: Partial<Reactor> = {}): Reactor => ({ name: 'test', on: {}, ...change });
/** A reaction to every event. */
const on = (
  reaction: (event: KnownEvent) => ReturnType<NonNullable<Reactions['AccountOpened']>>,
): Partial<Reactor> => ({ on: { AccountOpened: reaction } });
const checkpoint = (state: unknown) => ['reactor-test', { revision: 0, version: 1, state }];

describe('a reactor', () => {
  let running: RunningReactor;
  afterEach(() => running.stop());
  const start = (
    { store }: { store: EventStore },
    change: Partial<Reactor> = {},
    failed: Parameters<typeof runReactor>[1]['onFailure'] = onFailure,
  ) => {
    running = runReactor(quiet(change), { store, onFailure: failed });
  };

  it('follows the log anew from the event that changed its types', async () => {
    const log = openLog([3]);
    const handled: string[] = [];
    const handle = ({ position }: KnownEvent) => void handled.push(position);
    const reactions = [handle, handle].map((reaction) => on(reaction).on!);
    const reactor: Reactor = {
      name: 'test',
      get on() {
        return reactions[handled.length === 0 ? 0 : 1]!;
      },
      prepare: async () => void handled.splice(0),
    };
    running = runReactor(reactor, { store: log.store, onFailure });
    await until('the second subscription', log.isOver);
    expect(log.followed).to.deep.equal(['', positionOf(1)]);
  });

  for (const held of [0, 1]) {
    it(`waits before an event of interest that a newer program wrote, with partition ${held}`, async () => {
      const later = (type: string, count: number) => ({
        id: `e${count}`,
        type: UNREADABLE,
        version: 99,
        revision: 0,
        stream: 's',
        data: { type },
        meta: {},
        position: positionOf(count),
      });
      const events = [later('PhoneUnlinked', 1), later('MessageSent', 2), later('BotChanged', 3)];
      const log = openLog([]);
      const handled: string[] = [];
      const store = {
        ...log.store,
        async *follow(_: string, signal: AbortSignal) {
          yield { events, to: positionOf(3) };
          if (!signal.aborted) await once(signal, 'abort');
        },
      } as unknown as EventStore;
      const on = toEach(['MessageSent', 'BotChanged'], ({ id }) => void handled.push(id));
      const share = { count: 2, held: [held] };
      running = runReactor(quiet({ on }), { store, onFailure: () => undefined }, share);
      const why = () => running.status().failing;
      await until('the wait', () => why() !== null);
      expect(why()).to.equal('a newer program wrote MessageSent in version 99: its worker goes on');
      expect(handled).to.deep.equal([]);
      expect(running.status().position).to.equal(positionOf(1));
    });
  }

  it('keeps its checkpoint after every 500 events, however they come', async () => {
    const log = openLog([499, 1, 500, 250, 249, 300]);
    start(log);
    await until('all batches', log.isOver);
    expect(log.savedBefore).to.deep.equal([0, 1, 2, 2, 2, 3]);
    expect(log.saved).to.deep.equal(
      [500, 1000, 1799].map((count) => checkpoint(positionOf(count))),
    );
    await running.stop();
    expect(log.saved).to.have.length(3);
  });

  it('counts an empty batch as one event', async () => {
    const log = openLog([1, ...Array.from({ length: 498 }, () => 0), 0]);
    start(log);
    await until('all batches', log.isOver);
    expect(log.savedBefore.slice(-2)).to.deep.equal([0, 1]);
  });

  it('starts from its checkpoint, and from the beginning where that is no position', async () => {
    for (const [kept, from] of [
      [undefined, ''],
      [{ revision: 0, version: 1, state: 'p7' }, 'p7'],
      [{ revision: 0, version: 1, state: { at: 'p7' } }, ''],
    ] as const) {
      const log = openLog([0], kept);
      start(log);
      await until('the batch', log.isOver);
      expect(log.followed).to.deep.equal([from]);
      await running.stop();
    }
  });

  it('writes the same checkpoint once', async () => {
    const log = openLog([0], { revision: 0, version: 1, state: positionOf(0) });
    start(log);
    await until('the batch', log.isOver);
    await running.stop();
    expect(log.saved).to.deep.equal([]);
  });

  it('stays before the first event whose work goes on, until that has settled or failed', async () => {
    const work = [0, 1, 2].map(() => Promise.withResolvers<void>());
    const log = openLog([3, 497]);
    const waiting = on(({ id }) => {
      const mine = work[Number(id.slice(1))];
      return mine && { settled: mine.promise };
    });
    work[0]!.resolve();
    start(log, waiting);
    await until('all batches', log.isOver);
    expect(log.saved).to.deep.equal([checkpoint(positionOf(1))]);
    work[2]!.reject(new Error('no'));
    work[1]!.resolve();
    await running.stop();
    expect(log.saved.at(-1)).to.deep.equal(checkpoint(positionOf(500)));
  });

  it('stays at the position that the continuing work reports', async () => {
    const log = openLog([500]);
    const never = new Promise<never>(() => undefined);
    const waiting = on(({ id }) =>
      id === 'e7' ? { settled: never, position: () => positionOf(42) } : undefined,
    );
    start(log, waiting);
    await until('the batch', log.isOver);
    await running.stop();
    expect(log.saved).to.deep.equal([checkpoint(positionOf(42))]);
  });

  it('no longer fails once the log is followed again, before there is a new event', async () => {
    const log = openLog([0]);
    const { follow } = log.store;
    let attempts = 0;
    log.store.follow = (...where) => {
      attempts += 1;
      if (attempts === 1) throw new Error('the log is away');
      return follow(...where);
    };
    const failures: string[] = [];
    start(log, {}, (_, what) => failures.push(what));
    await until('the failure', () => running.status().failing === 'the log is away');
    await until('the empty batch', log.isOver);
    expect(running.status().failing).to.equal(null);
    expect(failures).to.deep.equal(['the log']);
  });

  it('says where it is, what fails, and no longer once it goes well', async () => {
    const failures: unknown[] = [];
    let isBad = true;
    const log = openLog([2]);
    const failing = on(({ id }) => {
      if (id === 'e1' && isBad) throw new Error('bad');
      return undefined;
    });
    start(log, failing, (...[name, event, error]) =>
      failures.push([name, event, (error as Error).message]),
    );
    await until('the failure', () => failures.length > 0);
    expect(running.status()).to.deep.equal({ position: positionOf(1), failing: 'bad' });
    expect(failures[0]).to.deep.equal(['test', 'e1', 'bad']);
    isBad = false;
    await until('the batch', log.isOver);
    expect(running.status()).to.deep.equal({ position: positionOf(2), failing: null });
    expect(running.name).to.equal('test');
  });

  it('says why work behind it fails', async () => {
    start(openLog([0]), { failing: () => 'behind' });
    expect(running.status().failing).to.equal('behind');
  });

  it('follows the log anew where that fails, after a pause', async () => {
    const failures: string[] = [];
    const store = {
      loadSnapshot: async () => undefined,
      saveSnapshot: async () => undefined,
      // biome-ignore lint/correctness/useYield: the log is away
      async *follow() {
        throw new Error('away');
      },
    } as unknown as EventStore;
    start({ store }, {}, (name, event, error) =>
      failures.push(`${name} ${event} ${(error as Error).message}`),
    );
    await until('the first failure', () => failures.length > 0);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    // A pause is 100 ms; without one there would be a failure at each turn.
    expect(failures.length).to.be.below(10);
    expect(running.status().failing).to.equal('away');
    await until('the second failure', () => failures.length > 1);
    expect(failures[1]).to.equal('test the log away');
  });
});
