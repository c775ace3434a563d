import { expect } from 'chai';
import { createStuckRefunds } from '../../../src/commands/account/stuck-refunds.ts';
import { createSweep, RESERVATION_AGE_MS } from '../../../src/commands/account/sweep.ts';
import type { ReservedCharge } from '../../../src/events/completed.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { fixedClock } from '../../support/ambient.ts';
import { price } from '../../support/samples.ts';
import { failureOf } from '../../support/spec.ts';

const chargeOf = (chargeId: string) =>
  ({
    id: `event-of-${chargeId}`,
    revision: 7,
    data: { chargeId, accountId: 'acc_1', amount: -3, reason: 'r', price: price(), at: 'then' },
  }) as unknown as ReservedCharge;

type Fate = 'refunded' | 'gone' | 'claimed' | Error;

/** A sweep over reservations, each with its fate; the list shows all that are still open. */
const openSweep = (
  open: Map<string, Fate>,
  { isEndless = false, onAsked = (_count: number): unknown => undefined } = {},
) => {
  const asked: { before: string; limit: number }[] = [];
  const refunded: unknown[] = [];
  const told: string[] = [];
  let settled = 0;
  const stuck = createStuckRefunds(({ accountId, chargeId, error }) =>
    told.push(`${accountId} ${chargeId}: ${(error as Error).message}`),
  );
  const clock = fixedClock();
  const sweep = createSweep({
    clock,
    stuck,
    lookups: {
      async openReservations(before, limit) {
        asked.push({ before, limit });
        onAsked(asked.length);
        const some = [...open.keys()].slice(0, limit);
        return some.map((chargeId) => ({ accountId: 'acc_1', chargeId })) as never;
      },
    },
    recovery: {
      async refundOpen({ data: { chargeId } }, context) {
        const fate = open.get(chargeId);
        if (fate instanceof Error) throw fate;
        if (fate === 'claimed') return false;
        refunded.push({ chargeId, context });
        open.delete(chargeId);
        if (isEndless) open.set(`more-${refunded.length}`, 'refunded');
        return true;
      },
      async settleChargeClaims() {
        settled += 1;
      },
    },
    refunds: {
      find: async (chargeId) => (open.get(chargeId) === 'gone' ? undefined : chargeOf(chargeId)),
    },
  });
  return { sweep, clock, stuck, asked, refunded, told, settledOf: () => settled };
};
const many = (count: number, fate: Fate): [string, Fate][] =>
  Array.from({ length: count }, (_, index) => [`${fate}-${index}`, fate]);

describe('the sweep', () => {
  it('refunds reservations of 15 minutes, because of the reservation, after claims', async () => {
    const { sweep, clock, asked, refunded, settledOf } = openSweep(new Map([['c', 'refunded']]));
    expect(RESERVATION_AGE_MS).to.equal(900_000);
    expect(await sweep.run('req_1')).to.equal(1);
    const page = { before: isoTime(clock.now() - 900_000), limit: 20 };
    expect(asked).to.deep.equal([page, page]);
    const context = { requestId: 'req_1', accountId: 'acc_1', cause: 'event-of-c' };
    expect(refunded).to.deep.equal([{ chargeId: 'c', context }]);
    expect(settledOf()).to.equal(1);
  });

  it('counts only what it gave back itself, and passes over the rest once', async () => {
    const passedOver = [...many(30, 'gone'), ...many(25, 'claimed')];
    const { sweep, refunded } = openSweep(new Map([...passedOver, ...many(45, 'refunded')]));
    expect(await sweep.run('req_1')).to.equal(45);
    expect(refunded).to.have.length(45);
  });

  it('refunds 20 at a time, also once those that it passed over are settled', async () => {
    const open = new Map<string, Fate>([...many(10, 'claimed'), ...many(51, 'refunded')]);
    const { sweep, asked } = openSweep(open, {
      onAsked(count) {
        if (count > 1) for (const [chargeId] of many(10, 'claimed')) open.delete(chargeId);
      },
    });
    expect(await sweep.run('req_1')).to.equal(51);
    // 10, then 20, 20 and 1, and then nothing.
    expect(asked.map(({ limit }) => limit)).to.deep.equal([20, 30, 30, 30, 30]);
  });

  it('ends after the charges that it is at when it is told to stop', async () => {
    const stopping = new AbortController();
    const onAsked = (count: number) => count === 2 && stopping.abort();
    const { sweep } = openSweep(new Map(many(100, 'refunded')), { onAsked });
    expect(await sweep.run('req_1', stopping.signal)).to.be.within(20, 40);
  });

  it('reports a failing charge once, and counts it until it is settled otherwise', async () => {
    const open = new Map<string, Fate>([
      ['bad', new Error('broken')],
      ['good', 'refunded'],
    ]);
    const { sweep, stuck, told } = openSweep(open);
    expect(await sweep.run('req_1')).to.equal(1);
    expect(await sweep.run('req_2')).to.equal(0);
    expect(told).to.deep.equal(['acc_1 bad: broken']);
    expect(stuck.counts()).to.deep.equal(new Map([['acc_1', 1]]));
    open.delete('bad');
    await sweep.run('req_3');
    expect(stuck.counts()).to.deep.equal(new Map());
    open.set('bad', new Error('broken again'));
    await sweep.run('req_4');
    expect(told).to.deep.equal(['acc_1 bad: broken', 'acc_1 bad: broken again']);
  });

  it('ends when the store goes away, and keeps what it knows to be stuck', async () => {
    const open = new Map<string, Fate>([['bad', new Error('broken')]]);
    const { sweep, stuck } = openSweep(open);
    await sweep.run('req_1');
    open.delete('bad');
    open.set('away', new StoreUnavailable('away'));
    expect(await failureOf(sweep.run('req_2'))).to.be.instanceOf(StoreUnavailable);
    expect(stuck.counts()).to.deep.equal(new Map([['acc_1', 1]]));
    open.delete('away');
    await sweep.run('req_3');
    expect(stuck.counts()).to.deep.equal(new Map());
  });

  it('leaves everything after 5000 pages to the next run', async () => {
    const { sweep } = openSweep(new Map(many(20, 'refunded')), { isEndless: true });
    expect(await sweep.run('req_1')).to.equal(100_000);
  });

  it('stops once it has passed over more than 5000, which stay stuck', async () => {
    const open = new Map<string, Fate>([...many(6000, 'claimed'), ['last', 'refunded']]);
    const { sweep, asked } = openSweep(open);
    expect(await sweep.run('req_1')).to.equal(0);
    expect(asked.at(-1)!.limit).to.equal(5020);
    expect(open.has('last')).to.equal(true);
  });
});
