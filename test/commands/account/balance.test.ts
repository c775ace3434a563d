import { expect } from 'chai';
import fc from 'fast-check';
import { createBalanceAt } from '../../../src/commands/account/funds.ts';
import type { EventStore, Recorded } from '../../../src/events/store.ts';

const momentOf = (second: number) => new Date(Date.UTC(2026, 10, 22) + second * 1000).toISOString();

/** A stream of an account: what it opened with, and a movement or another event at each second. */
const streamOf = (seconds: readonly number[], isMovement: (index: number) => boolean) => {
  const events = [0, ...seconds].map((second, revision) => {
    const at = momentOf(second);
    const type = revision === 0 ? 'AccountOpened' : 'CreditsGranted';
    const moved = { at, balanceAfter: revision, entryId: `led_${revision}` };
    const data = revision > 0 && isMovement(revision) ? moved : { billing: 'credits' };
    return { type, revision, data, meta: { at } } as unknown as Recorded;
  });
  const reading = { events: 0, reads: 0 };
  const read: EventStore['read'] = async (_, { from, direction, limit = 1000 } = {}) => {
    const start = from ?? (direction === 'backwards' ? events.length - 1 : 0);
    const some =
      direction === 'backwards'
        ? events.slice(Math.max(0, start - limit + 1), start + 1).reverse()
        : events.slice(start, start + limit);
    reading.reads += 1;
    reading.events += some.length;
    return some;
  };
  return { events, reading, balanceAt: createBalanceAt({ read } as EventStore) };
};

describe('the balance at a moment', () => {
  it('costs the same however long the history', async () => {
    const seconds = Array.from({ length: 50_000 }, (_, index) => index + 1);
    const { balanceAt, reading } = streamOf(seconds, () => true);
    for (const second of [1, 17_000, 50_000]) {
      reading.events = reading.reads = 0;
      expect((await balanceAt('a', momentOf(second)))?.balance).to.equal(second);
      expect(reading.events).to.be.below(2_100);
      expect(reading.reads).to.be.below(25);
    }
  });
  it('is that of the last movement at or before it, also where clocks disagree a little', async () => {
    const history = fc.array(fc.record({ gap: fc.nat(5), moves: fc.boolean() }), { maxLength: 60 });
    const asked = fc.integer({ min: -5, max: 320 });
    await fc.assert(
      fc.asyncProperty(history, fc.array(fc.nat(4)), asked, async (steps, skews, second) => {
        let now = 0;
        const seconds = steps.map(({ gap }, index) => {
          now += gap;
          return now - (skews[index] ?? 0);
        });
        const { balanceAt } = streamOf(seconds, (revision) => steps[revision - 1]!.moves);
        const expected = seconds.findLastIndex(
          (one, index) => one <= second && steps[index]!.moves,
        );
        const found = await balanceAt('a', momentOf(second));
        expect(found?.balance).to.equal(expected + 1);
        expect(found?.entryId).to.equal(expected === -1 ? null : `led_${expected + 1}`);
      }),
    );
  });
  it('is that of a movement behind many events that moved nothing', async () => {
    const seconds = Array.from({ length: 3_000 }, (_, index) => index + 1);
    const { balanceAt } = streamOf(seconds, (revision) => revision === 1);
    expect((await balanceAt('a', momentOf(2_900)))?.balance).to.equal(1);
  });
  it('is that of the last movement where no moment is asked for, also after a clock was wrong', async () => {
    const anHourAhead = Array.from({ length: 3_000 }, (_, index) => 3_600 + index);
    const { balanceAt } = streamOf([...anHourAhead, 3, 4], (revision) => revision < 3_002);
    expect((await balanceAt('a'))?.balance).to.equal(3_001);
    const { balanceAt: ofOld } = streamOf(anHourAhead, (revision) => revision === 1);
    expect((await ofOld('a'))?.balance).to.equal(1);
  });
  it('is unknown where there is no account', async () => {
    const store = { read: async () => [] } as unknown as EventStore;
    expect(await createBalanceAt(store)('a', momentOf(0))).to.equal(undefined);
    expect(await createBalanceAt(store)('a')).to.equal(undefined);
  });
});
