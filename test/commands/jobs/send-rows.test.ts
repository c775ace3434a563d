import { expect } from 'chai';
import type { EventStore } from '../../../src/events/store.ts';
import { pause } from '../../../src/shared/timing.ts';
import { openJobStage } from '../../support/job-stage.ts';
import { price } from '../../support/samples.ts';
import { until } from '../../support/until.ts';

/** A turn that stands still when `when` says so, and is over when it wakes. */
const stopping = (when: () => boolean) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const goesOn = async () => {
    if (!when()) return true;
    await promise;
    return false;
  };
  return { goesOn, wake: resolve };
};

describe('a turn of a job', () => {
  it('row 78: of a process that stood still does not end what another one has taken up', async () => {
    const { sends, startProcess } = await openJobStage([[1, 2, 3, 4, 5, 6]], { perSecond: 100 });
    const [one, two, three] = ['one', 'two', 'three'].map((name) => startProcess(name));
    const first = stopping(() => sends.length >= 2);
    const ofFirst = one!.turn(0, first.goesOn);
    await until('two are sent', () => sends.length === 2);
    one!.freeze();
    // It is killed, and settles nothing.
    void two!.turn(0, stopping(() => sends.length >= 4).goesOn);
    await until('two more are sent', () => sends.length === 4);
    first.wake();
    await ofFirst;
    two!.freeze();
    await three!.turn(0);
    expect(sends.map(({ row }) => row)).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect(await three!.load()).to.deep.include({ over: [0], sent: 6, amount: 6 });
  });

  it('row 78: that stood still at the append of its end does not end it either', async () => {
    const { store, sends, startProcess } = await openJobStage([[1, 2]], { perSecond: 100 });
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>();
    let isAtEnd = false;
    const frozenAtEnd: EventStore = {
      ...store,
      async append(stream, expected, events, ...rest) {
        if (!isAtEnd && events.some(({ type }) => type === 'JobRowsSettled')) {
          isAtEnd = true;
          await thawed;
        }
        return store.append(stream, expected, events, ...rest);
      },
    };
    const one = startProcess('one', frozenAtEnd);
    const [two, three] = ['two', 'three'].map((name) => startProcess(name));
    const ofFirst = one.turn(0, async () => false);
    await until('it ends', () => isAtEnd);
    one.freeze();
    void two!.turn(0, stopping(() => sends.length >= 1).goesOn);
    await until('one is sent', () => sends.length === 1);
    thaw();
    await ofFirst;
    two!.freeze();
    await three!.turn(0);
    expect(sends.map(({ row }) => row)).to.deep.equal([1, 2]);
  });

  it('sends no row that waits for the pace of its number once the job does not go on', async () => {
    const { sends, startProcess } = await openJobStage([[1, 2, 3]]);
    const { world, turn } = startProcess('one');
    const { promise: slot, resolve } = Promise.withResolvers<undefined>();
    let waiting = 0;
    world.takeSlot = () => {
      waiting += 1;
      return slot;
    };
    let isCancelled = false;
    const ended = turn(0, async () => !isCancelled);
    await until('they wait', () => waiting === 3);
    isCancelled = true;
    resolve(undefined);
    expect(await ended).to.include({ isLeft: true });
    expect(sends).to.deep.equal([]);
  });

  it('sends nothing to a contact who is erased while it is under way', async () => {
    const { sends, startProcess } = await openJobStage([[1, 2, 3]]);
    const { world, turn, load } = startProcess('one');
    world.takeSlot = async () => {
      world.erased = [3];
      return undefined;
    };
    await turn(0);
    expect(sends.map(({ row }) => row)).to.deep.equal([1, 2]);
    expect(await load()).to.deep.include({ over: [0], sent: 2, refused: 1 });
  });

  it('begins `perSecond` rows a second at most, over all parts and however long they waited', async () => {
    const { sends, startProcess } = await openJobStage([[1], [2], [3, 4, 5]], { perSecond: 10 });
    const { world, turn } = startProcess('one');
    const startedAt = performance.now();
    await turn(0);
    await turn(1);
    const freed = pause(250);
    let waited = 0;
    world.takeSlot = async () => {
      const askedAt = performance.now();
      await freed;
      waited ||= performance.now() - askedAt;
      return undefined;
    };
    await turn(2);
    const [, second, , , last] = sends.map(({ at }) => at);
    // From before the first one: how late one is makes the next one earlier, and none of these shorter.
    expect(second! - startedAt).to.be.at.least(95);
    expect(last! - startedAt).to.be.at.least(4 * 95 + waited);
  });

  it('takes nothing of a bound that is in another unit than the account is by now', async () => {
    const { sends, startProcess } = await openJobStage([[1, 2]], { maxAmount: 10 });
    const { world, turn } = startProcess('one');
    for (const other of [{ billing: 'wallet' }, { currency: 'EUR' }] as const) {
      world.priceOf = () => price({ sellPrice: 1, ...other });
      expect(await turn(0)).to.include({ reason: 'MAX_AMOUNT' });
    }
    expect(sends).to.deep.equal([]);
  });
});
