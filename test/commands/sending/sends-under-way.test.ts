import { expect } from 'chai';
import type { Term } from '../../../src/commands/core/lease.ts';
import { createSendsUnderWay } from '../../../src/commands/sending/sends-under-way.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { fixedClock } from '../../support/ambient.ts';

const PROVIDER_MS = 15_000;
/** Preparing, the call of the provider and the record; the margin for clocks that differ. */
const RECORDS_MS = 120_000 + PROVIDER_MS + 60_000;
const OVER_MS = RECORDS_MS + 30_000;

const open = ({ soleWriter = false } = {}) => {
  const clock = fixedClock();
  let elapsedMs = 0;
  const sends = createSendsUnderWay({
    clock,
    soleWriter,
    providerTimeoutMs: PROVIDER_MS,
    monotonicMs: () => elapsedMs,
  });
  const charge = { accountId: 'acc_1', chargeId: 'c', at: isoTime(clock.now()) };
  const reserve = (
    made: Promise<string> = Promise.resolve('c'),
    accountId = 'acc_1',
    term?: Term,
  ) =>
    sends
      .begin(
        accountId,
        made.then((chargeId) => ({ data: { chargeId } })),
        term,
      )
      .then(({ data }) => data.chargeId);
  const advance = (milliseconds: number) => {
    elapsedMs += milliseconds;
  };
  return { sends, clock, charge, reserve, advance };
};

describe('sends under way', () => {
  it('may call for 2 minutes and record for one more beside the provider’s time', () => {
    const { sends, clock, charge } = open();
    clock.advance(120_000);
    expect(sends.mayCall(charge)).to.equal(true);
    clock.advance(1);
    expect(sends.mayCall(charge)).to.equal(false);
    clock.advance(RECORDS_MS - 120_001);
    expect(sends.mayRecord(charge)).to.equal(true);
    clock.advance(1);
    expect(sends.mayRecord(charge)).to.equal(false);
  });

  it('are measured by the longer of both clocks', async () => {
    const { sends, charge, reserve, advance } = open();
    await reserve();
    advance(120_000);
    expect(sends.mayCall(charge)).to.equal(true);
    advance(1);
    expect(sends.mayCall(charge)).to.equal(false);
    sends.end('c');
    expect(sends.mayCall(charge)).to.equal(true);
  });

  it('are measured from before the reservation, which may take its time', async () => {
    const { sends, charge, reserve, advance } = open();
    const made = Promise.withResolvers<string>();
    const reserving = reserve(made.promise);
    advance(120_001);
    made.resolve('c');
    expect(await reserving).to.equal('c');
    expect(sends.mayCall(charge)).to.equal(false);
  });

  it('call and record within the term of their request only', async () => {
    const { sends, charge, reserve } = open();
    const term = { begins: true, records: true };
    await reserve(Promise.resolve('c'), 'acc_1', {
      mayBegin: () => term.begins,
      mayRecord: () => term.records,
    });
    const may = () => [sends.mayCall(charge), sends.mayRecord(charge)];
    expect(may()).to.deep.equal([true, true]);
    term.begins = false;
    expect(may()).to.deep.equal([false, true]);
    term.records = false;
    expect(may()).to.deep.equal([false, false]);
  });

  it('are over in every process after that and half a minute', async () => {
    const { sends, clock, charge } = open();
    clock.advance(OVER_MS - 1);
    expect(await sends.mayBeUnderWay(charge)).to.equal(true);
    clock.advance(1);
    expect(await sends.mayBeUnderWay(charge)).to.equal(false);
  });

  it('are under way here until they end, however long that takes', async () => {
    const { sends, clock, charge, reserve } = open();
    await reserve();
    clock.advance(10 * OVER_MS);
    expect(await sends.mayBeUnderWay(charge)).to.equal(true);
    sends.end('c');
    expect(await sends.mayBeUnderWay(charge)).to.equal(false);
  });

  it('are known exactly by a process that alone writes the log', async () => {
    const { sends, clock, charge, reserve } = open({ soleWriter: true });
    expect(await sends.mayBeUnderWay(charge)).to.equal(false);
    await reserve();
    clock.advance(10 * OVER_MS);
    expect([sends.mayCall(charge), sends.mayRecord(charge)]).to.deep.equal([true, true]);
    expect(await sends.mayBeUnderWay(charge)).to.equal(true);
  });

  it('wait for every reservation of their account that is being written, also for failed ones', async () => {
    const { sends, charge, reserve } = open({ soleWriter: true });
    const [made, failed] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    void reserve(new Promise(() => undefined), 'acc_2');
    const reserving = [reserve(made.promise), reserve(failed.promise).catch(() => 'failed')];
    await reserve(Promise.resolve('other'));
    let answer: boolean | undefined;
    const asked = sends.mayBeUnderWay(charge).then((is) => {
      answer = is;
    });
    failed.reject(new Error('no'));
    await new Promise(setImmediate);
    expect(answer).to.equal(undefined);
    made.resolve('c');
    await asked;
    expect(answer).to.equal(true);
    expect(await Promise.all(reserving)).to.deep.equal(['c', 'failed']);
  });

  it('tell at a stop when the reversals that have begun are over, however they end', async () => {
    const { sends } = open();
    const [one, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    sends.reversing(one.promise);
    sends.reversing(other.promise);
    let isOver = false;
    expect(sends.stopping.aborted).to.equal(false);
    const over = sends.stop().then(() => {
      isOver = true;
    });
    one.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect([sends.stopping.aborted, isOver]).to.deep.equal([true, false]);
    other.reject(new Error('the log is away'));
    await over;
    await sends.stop();
  });
});
