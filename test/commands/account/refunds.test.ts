import { expect } from 'chai';
import { createAccountDecider } from '../../../src/commands/account/account.ts';
import {
  createRefunds,
  RETRY_AFTER_MS,
  type Refunds,
  reservationOf,
} from '../../../src/commands/account/refunds.ts';
import {
  type AccountCommand,
  accountBounds,
  type Reservation,
} from '../../../src/commands/account/state.ts';
import { createWriter, type Writer } from '../../../src/commands/core/execute.ts';
import type { AccountPaused, RefundCause } from '../../../src/events/account.ts';
import type { FactOf } from '../../../src/events/define.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { grantCommand, openCommand, reserveCommand } from '../../support/account-commands.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { codeOf, failureOf } from '../../support/spec.ts';
import { customer } from '../../support/subjects.ts';
import { watched } from '../../support/watched.ts';

const context = { requestId: 'req-1', subjects: [customer] };
const KEPT = 2;
/** An account's state remembers two refunds and not a thousand. */
const account = createAccountDecider({ ...accountBounds, refundsKept: KEPT });
const id = 'acc_r1';

describe('refunds', () => {
  let appends: { fail: number; count: number };
  let writer: Writer;
  let reversed: string[];
  let paused: FactOf<typeof AccountPaused>['data'][];
  /** What the read models know of the charges that were refunded. */
  let looked: string[];
  let known: { refunded: boolean; counted: boolean; asOfRevision: number };
  let plan: () => Promise<{ disconnectRefundsPerDay: number | null } | undefined>;
  let refunds: Refunds;
  const execute = (command: AccountCommand) => writer.execute(account(id), id, command, context);
  const state = async () => (await writer.load(account(id), id)).state;
  const balance = async () => (await state()).balance;

  beforeEach(async () => {
    appends = { fail: 0, count: 0 };
    const { store } = createMemoryLog();
    const { log } = watched(store, () => {
      appends.count += 1;
      appends.fail -= 1;
      if (appends.fail >= 0) throw new StoreUnavailable('down');
    });
    writer = createWriter({ store: log, clock: fixedClock(), ids: countedIds() });
    [reversed, paused, looked] = [[], [], []];
    known = { refunded: false, counted: false, asOfRevision: -1 };
    plan = async () => ({ disconnectRefundsPerDay: 2 });
    refunds = createRefunds({
      writer,
      account,
      store,
      clock: fixedClock(),
      lookups: {
        account: async () => ({ planId: 'standard' }) as never,
        plan: async () => (await plan()) as never,
        async refundOf(_, chargeId) {
          looked.push(chargeId);
          return known;
        },
      },
      onReversed: (_, chargeId) => reversed.push(chargeId),
      onPaused: (data) => paused.push(data),
      retryAfterMs: [1, 1],
    });
    await execute(openCommand(id));
    await execute(grantCommand(9));
  });

  const reserve = async (): Promise<Reservation> => {
    const { facts, revision } = await execute(reserveCommand());
    const [fact] = facts;
    if (fact?.type !== 'ChargeReserved') throw new Error('nothing was reserved');
    const { chargeId, amount, reason, price: at, at: reservedAt } = fact.data;
    return { chargeId, amount, reason, price: at, reservedAt, unrefundedRevision: revision };
  };
  const refund = (reservation: Reservation, cause: RefundCause = 'not_sent') =>
    refunds.refund(id, reservation, cause, context);

  it('give a charge back once, however many calls ask for it', async () => {
    const charge = await reserve();
    expect(await refund(charge)).to.equal(true);
    expect(await refund(charge)).to.equal(false);
    expect(await balance()).to.equal(9);
    expect([looked, reversed, paused]).to.deep.equal([[], [], []]);
  });

  describe('of a charge that the account has forgotten', () => {
    /** One charge, and so many refunds after it that the account cannot tell. */
    const forgotten = async (isRefunded: boolean): Promise<Reservation> => {
      const old = await reserve();
      if (isRefunded) await refund(old);
      for (let i = 0; i <= KEPT; i += 1) await refund(await reserve());
      return old;
    };
    const lastRevision = async () => (await state()).revision;

    it('are looked up, and made where the read models know of none', async () => {
      const old = await forgotten(false);
      known = { refunded: false, counted: false, asOfRevision: await lastRevision() };
      expect(await refund(old)).to.equal(true);
      expect(looked).to.deep.equal([old.chargeId]);
      expect(await balance()).to.equal(9);
    });

    it('are not made where the read models know of one', async () => {
      const old = await forgotten(true);
      known = { refunded: true, counted: false, asOfRevision: await lastRevision() };
      expect(await refund(old)).to.equal(false);
      expect(looked).to.deep.equal([old.chargeId]);
      expect(await balance()).to.equal(9);
    });

    it('stay undecided where the read models are too far behind to know', async () => {
      const old = await forgotten(true);
      known = { refunded: false, counted: false, asOfRevision: old.unrefundedRevision };
      expect(await codeOf(refund(old))).to.equal('RefundUndecidable');
      expect(looked).to.deep.equal([old.chargeId]);
      expect(await balance()).to.equal(9);
    });
  });

  describe('of charges whose messages went out after all', () => {
    const used = async () => (await state()).usage.months;
    const countSent = async ({ chargeId }: Reservation) =>
      refunds.countSent((await refunds.find(chargeId))!, context);

    it('are counted in the caps once, and only where they were taken out', async () => {
      const [kept, back] = [await reserve(), await reserve()];
      await refund(back, 'unknown_outcome');
      expect(await used()).to.deep.equal([['2026-11', 1]]);
      for (const charge of [kept, back, kept, back]) await countSent(charge);
      expect(await used()).to.deep.equal([['2026-11', 2]]);
      expect(looked).to.deep.equal([]);
      expect(await balance()).to.equal(8);
    });

    it('are looked up where the account has forgotten them', async () => {
      const old = await reserve();
      await refund(old, 'expired');
      for (let i = 0; i < KEPT; i += 1) await refund(await reserve());
      const asOfRevision = (await state()).revision;
      known = { refunded: true, counted: true, asOfRevision };
      await countSent(old);
      known = { refunded: false, counted: false, asOfRevision };
      await countSent(old);
      expect(await used()).to.deep.equal([['2026-11', 0]]);
      known = { refunded: true, counted: false, asOfRevision };
      await countSent(old);
      await countSent(old);
      expect(await used()).to.deep.equal([['2026-11', 1]]);
      expect(looked).to.deep.equal([old.chargeId, old.chargeId, old.chargeId]);
    });
  });

  it('are tried again as often as there are pauses while the log is away', async () => {
    const charge = await reserve();
    appends = { fail: 2, count: 0 };
    expect(await refund(charge)).to.equal(true);
    expect(appends.count).to.equal(3);
    const other = await reserve();
    appends = { fail: 3, count: 0 };
    expect(await codeOf(refund(other))).to.equal('StoreUnavailable');
    expect(appends.count).to.equal(3);
    expect(await balance()).to.equal(8);
  });

  it('of a request that another process may have answered meanwhile are not made', async () => {
    const charge = await reserve();
    const reverse = (isOwn: () => boolean) =>
      refunds.refund(id, charge, 'disconnected', context, { isOwn });
    // Its term ends before the second try.
    appends = { fail: 1, count: 0 };
    expect(await codeOf(reverse(() => appends.count === 0))).to.equal('StoreUnavailable');
    // … or before the append.
    expect(await codeOf(reverse(() => false))).to.equal('StoreUnavailable');
    expect(appends.count).to.equal(1);
    const before = await balance();
    expect(await reverse(() => true)).to.equal(true);
    expect(await balance()).to.equal(before + 1);
  });

  it('are tried for about 10 s in all, with pauses that grow', () => {
    expect(RETRY_AFTER_MS).to.deep.equal([100, 300, 1000, 3000, 5000]);
  });

  it('are not tried again after any other failure', async () => {
    const charge = await reserve();
    plan = async () => Promise.reject(new Error('strange'));
    appends.count = 0;
    expect((await failureOf(refund(charge, 'disconnected'))).message).to.equal('strange');
    expect(appends.count).to.equal(0);
  });

  it('to callers that hung up are told, and pause the account at the bound of its plan', async () => {
    const [first, second, third] = [await reserve(), await reserve(), await reserve()] as const;
    await refund(first, 'disconnected');
    expect(await refund(first, 'disconnected')).to.equal(false);
    expect([reversed, paused.length]).to.deep.equal([[first.chargeId], 0]);
    await refund(third, 'not_sent');
    expect(reversed).to.deep.equal([first.chargeId]);
    await refund(second, 'disconnected');
    expect(reversed).to.deep.equal([first.chargeId, second.chargeId]);
    expect(paused).to.have.length(1);
    expect(paused[0]).to.include({ accountId: id, count: 2, limit: 2 });
  });

  it('do not wait for read models that are away: the bound of all plans holds', async () => {
    plan = async () => Promise.reject(new StoreUnavailable('views are away'));
    for (let i = 0; i < 2; i += 1) await refund(await reserve(), 'disconnected');
    expect([reversed.length, paused.length]).to.deep.equal([2, 0]);
    for (const limits of [undefined, { disconnectRefundsPerDay: null }]) {
      plan = async () => limits;
      await refund(await reserve(), 'disconnected');
    }
    expect(paused).to.deep.equal([]);
  });

  it('find a reservation by its charge id, and nothing by any other id', async () => {
    const charge = await reserve();
    const found = await refunds.find(charge.chargeId);
    expect(found && reservationOf(found)).to.deep.equal(charge);
    for (const other of [
      'chg_',
      'led_1_2',
      charge.chargeId.replace('chg_', 'led_'),
      `${charge.chargeId}9`,
      charge.chargeId.replace(/.$/, '0'),
      charge.chargeId.replace(/.$/, '1'),
      charge.chargeId.replace(/.$/, '02'),
    ]) {
      expect(await refunds.find(other), other).to.equal(undefined);
    }
  });
});
