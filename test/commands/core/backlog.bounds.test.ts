import { expect } from 'chai';
import { createBacklog } from '../../../src/commands/core/backlog.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { currentTrace } from '../../../src/shared/trace-context.ts';
import { codeOf } from '../../support/spec.ts';
import { until } from '../../support/until.ts';

const positionOf = (count: number) => `p${String(count).padStart(6, '0')}`;
const eventOf = (count: number, group: string | undefined) =>
  ({
    id: `e${count}`,
    position: positionOf(count),
    data: { group },
    meta: { traceparent: `t${count}` },
  }) as unknown as KnownEvent;

/** A backlog over a log of these groups. Offers of a full group are refused; `a` is full at first. */
const open = (
  groups: readonly (string | undefined)[],
  onOffer: (event: KnownEvent) => void = () => undefined,
) => {
  const log = groups.map((group, index) => eventOf(index + 1, group));
  const append = (group: string) => {
    const event = eventOf(log.length + 1, group);
    log.push(event);
    return event;
  };
  const stopping = new AbortController();
  const full = new Set(['a']);
  const offered: string[] = [];
  const changes: [string, boolean][] = [];
  const traces: (string | undefined)[] = [];
  const faults: unknown[] = [];
  const reads: string[] = [];
  const settles = new Map<string, () => void>();
  const groupOf = (event: KnownEvent) => (event.data as unknown as { group: string }).group;
  const backlog = createBacklog({
    store: {
      async readAll(after, limit) {
        reads.push(after);
        const events = log.filter(({ position }) => position > after).slice(0, limit);
        return { events, to: events.at(-1)?.position ?? after };
      },
    },
    groupOf,
    offer(event) {
      if (full.has(groupOf(event))) return undefined;
      offered.push(event.id);
      traces.push(currentTrace());
      onOffer(event);
      return { settled: new Promise<void>((resolve) => settles.set(event.id, resolve)) };
    },
    onChange: (...change) => changes.push(change),
    onFault: (error) => faults.push(error),
    signal: stopping.signal,
  });
  const stop = async () => {
    stopping.abort();
    await backlog.drain();
    expect(faults).to.deep.equal([]);
  };
  const take = (count: number) => backlog.take(log[count - 1]!);
  return { backlog, append, take, full, offered, changes, reads, settles, traces, stop };
};

describe('a group that lags', () => {
  it('gets the events up to the followed one: later events come by themselves', async () => {
    const { take, full, offered, changes, stop } = open(['a', 'b', 'a', 'a']);
    take(1);
    take(2);
    take(3);
    expect(changes).to.deep.equal([['a', true]]);
    full.delete('a');
    await until('it has caught up', () => changes.length === 2);
    expect(offered).to.deep.equal(['e2', 'e1', 'e3']);
    expect(take(4)).to.have.property('settled');
    expect(offered).to.deep.equal(['e2', 'e1', 'e3', 'e4']);
    await stop();
  });

  it('reads nothing where no event followed', async () => {
    const { take, full, reads, changes, stop } = open(['a', 'a']);
    take(1);
    full.delete('a');
    await until('it has caught up', () => changes.length === 2);
    expect(reads).to.deep.equal([]);
    await stop();
  });

  it('is at the position before its oldest unsettled event', async () => {
    const { take, full, offered, settles, stop } = open(['a', 'b', 'a', 'b', 'a']);
    const lag = take(1);
    if (typeof lag !== 'object') throw new Error(lag);
    expect(lag.position?.()).to.equal(undefined);
    for (const count of [2, 3, 4, 5]) take(count);
    full.delete('a');
    await until('all are handed on', () => offered.length === 5);
    expect(lag.position?.()).to.equal(undefined);
    settles.get('e1')!();
    await until('the first is settled', () => lag.position?.() !== undefined);
    expect(lag.position?.()).to.equal(positionOf(2));
    settles.get('e3')!();
    await until('the second is settled', () => lag.position?.() !== positionOf(2));
    expect(lag.position?.()).to.equal(positionOf(4));
    settles.get('e5')!();
    await lag.settled;
    expect(lag.position?.()).to.equal(positionOf(5));
    await stop();
  });

  it('misses no event that comes just when it has caught up @long', async () => {
    for (let ticks = 0; ticks < 30; ticks += 1) {
      const { backlog, append, take, full, offered } = open(['a', 'a'], ({ id }) => {
        if (id !== 'e2') return;
        const afterTicks = async () => {
          for (let tick = 0; tick < ticks; tick += 1) await undefined;
          backlog.take(append('a'));
        };
        void afterTicks();
      });
      take(1);
      take(2);
      full.delete('a');
      await until(`all three, after ${ticks} ticks`, () => offered.length === 3);
      expect(offered).to.deep.equal(['e1', 'e2', 'e3']);
    }
  });

  it('gets each event once where the log is followed again from further back for a new one', async () => {
    const { take, full, offered, changes } = open(['new', 'known', 'known', 'new', 'known']);
    full.add('new').add('known');
    for (const count of [2, 3, 5, 1]) take(count);
    full.clear();
    await until('both have caught up', () => changes.length === 4);
    take(4);
    const of = (...ids: string[]) => offered.filter((id) => ids.includes(id));
    expect(of('e1', 'e4')).to.deep.equal(['e1', 'e4']);
    expect(of('e2', 'e3', 'e5')).to.deep.equal(['e2', 'e3', 'e5']);
  });

  it('gets each event in its own trace', async () => {
    const { take, full, traces, stop } = open(['a', 'a', 'a']);
    for (const count of [1, 2, 3]) take(count);
    full.delete('a');
    await until('all are handed on', () => traces.length === 3);
    expect(traces).to.deep.equal(['t1', 't2', 't3']);
    await stop();
  });

  it('is one of 500 at most: the next one waits until one has caught up, or until a stop', async () => {
    const groups = Array.from({ length: 501 }, (_, index) => `g${index}`);
    const { backlog, take, full, changes, offered, stop } = open(groups);
    for (const group of groups) full.add(group);
    for (let count = 1; count <= 500; count += 1) expect(take(count)).to.be.an('object');
    expect(take(501)).to.equal('full');
    const stopping = new AbortController();
    const stopped = codeOf(backlog.takeInTurn(eventOf(501, 'g500'), stopping));
    stopping.abort();
    expect(await stopped).to.equal('Interrupted');
    const inTurn = backlog.takeInTurn(eventOf(501, 'g500'), new AbortController());
    full.delete('g0');
    await until('the first has caught up', () => changes.some(([, lags]) => !lags));
    expect(await inTurn).to.have.property('position');
    expect(offered).to.deep.equal(['e1']);
    await stop();
  });

  it('offers no event without a group', () => {
    const { take, offered } = open([undefined]);
    expect(take(1)).to.equal(undefined);
    expect(offered).to.deep.equal([]);
  });
});
