import { expect } from 'chai';
import fc from 'fast-check';
import {
  accountDecider,
  createAccountDecider,
  OpenChargesUnknown,
} from '../../../src/commands/account/account.ts';
import {
  RefundTooLarge,
  RefundUndecidable,
  StalePrice,
} from '../../../src/commands/account/movements.ts';
import {
  type AccountCommand,
  type AccountState,
  accountBounds,
  type Reservation,
} from '../../../src/commands/account/state.ts';
import {
  type AccountFact,
  AccountOpened,
  DirectSendSet,
  LimitsSet,
  PlanAssigned,
  type RefundCause,
  RefundedSendCounted,
} from '../../../src/events/account.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { Limits } from '../../../src/shared/usage.ts';
import {
  grantCommand,
  openCommand,
  reserveCommand,
  terms,
} from '../../support/account-commands.ts';
import { freePrice, NOW, price } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';

const ID = 'acc_0a';
const account = accountDecider(ID);
const given = spec(account);

const walletTerms = { planId: 'prepaid', billing: 'wallet' as const, currency: 'USD' };
const opened = AccountOpened.of({ accountId: ID, organisationId: 'org_1', name: 'Shop', ...terms });
const openedOnWallet = AccountOpened.of({ ...opened.data, ...walletTerms });
const by = { id: 'adm_1', email: 'root@example.org', name: 'Root' };

const grant = (amount: number) => ({ ...grantCommand(amount), reason: 'welcome', by });
const move = <T>(command: T) => ({ at: NOW, reason: null, by, ...command });
const revoke = (amount: number) => move({ type: 'RevokeCredits' as const, amount });
const adjust = (amount: number) =>
  move({ type: 'MoveWallet' as const, kind: 'adjustment' as const, amount });
const topUp = (amount: number) => ({ ...adjust(amount), kind: 'top_up' as const });
const assign = (
  to: Extract<AccountCommand, { type: 'AssignPlan' }>['terms'],
  found?: ReturnType<typeof noneOpen>,
): AccountCommand => ({ type: 'AssignPlan', terms: to, ...(found && { found }) });
const limit = (limits: Partial<Limits>) => ({ type: 'SetLimits' as const, limits });
const reserve = (change: Partial<Extract<AccountCommand, { type: 'Reserve' }>> = {}) =>
  ({ ...reserveCommand(), ...change }) satisfies AccountCommand;
const refund = (reservation: Reservation, cause: RefundCause = 'not_sent', at = NOW) => ({
  type: 'Refund' as const,
  at,
  cause,
  reservation,
});

const noneOpen = (asOfRevision: number) => ({ open: false, asOfRevision });

/** What commands one after the other make of an open account; refusals change nothing. */
const run = (
  commands: readonly AccountCommand[],
  start: readonly AccountFact[] = [opened],
  decider = account,
) => {
  const facts = [...start];
  let state = facts.reduce<AccountState>(decider.evolve, decider.initial);
  for (const command of commands) {
    try {
      for (const fact of decider.decide(command, state)) {
        facts.push(fact);
        state = decider.evolve(state, fact);
      }
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof RefundUndecidable)) throw error;
    }
  }
  return { facts, state, when: (command: AccountCommand) => given(...facts).when(command) };
};

const reservationIn = (facts: readonly AccountFact[], index: number): Reservation => {
  const fact = facts[index];
  if (fact?.type !== 'ChargeReserved') throw new Error('no reservation there');
  const { chargeId, amount, reason, price: at, at: reservedAt } = fact.data;
  return { chargeId, amount, reason, price: at, reservedAt, unrefundedRevision: index };
};

describe('account: opening, plans and caps', () => {
  it('opens once', () => {
    given().when(openCommand(ID)).thenHappened(opened);
    given(opened).when(openCommand(ID)).thenRefused('account.conflict');
  });

  it('knows nothing before it is opened', () =>
    given().when(grant(1)).thenRefused('resource.unknown'));

  it('changes the plan, and changes nothing when it is the same', () => {
    const toWallet = PlanAssigned.of({ accountId: ID, ...walletTerms });
    given(opened)
      .when(assign(walletTerms, noneOpen(0)))
      .thenHappened(toWallet);
    given(opened).when(assign(terms)).thenNothing();
  });

  it('keeps its unit while a charge is open, and names the time of the next try', () => {
    const { when } = run([grant(1), reserve()]);
    const found = { open: true, asOfRevision: 2 };
    when(assign(walletTerms, found)).thenRefused('account.conflict');
  });

  it('keeps its unit until open charges were looked for after the latest charge', () => {
    const { facts, when } = run([grant(1), reserve()]);
    for (const found of [undefined, noneOpen(1)]) {
      when(assign(walletTerms, found)).thenThrows(OpenChargesUnknown);
    }
    when(assign(walletTerms, noneOpen(2))).thenHappened('PlanAssigned', { planId: 'prepaid' });
    // A free message has nothing that could be given back in the wrong unit.
    const free = run([reserve({ price: freePrice })], facts);
    free.when(assign(walletTerms, noneOpen(2))).thenHappened('PlanAssigned', { planId: 'prepaid' });
  });

  it('changes to a plan of its own unit whatever is open', () => {
    const { when } = run([grant(5), reserve()]);
    when(assign({ ...terms, planId: 'gold' })).thenHappened('PlanAssigned', { planId: 'gold' });
  });

  it('keeps its unit while a balance is left', () => {
    const { when } = run([grant(5)]);
    when(assign(walletTerms)).thenRefused('account.conflict');
    when(assign({ ...terms, planId: 'gold' })).thenHappened('PlanAssigned', { planId: 'gold' });
  });

  it('changes only the caps that are named', () => {
    const uncapped = { accountId: ID, perMinute: null, daily: null, monthly: null, paused: false };
    const limits = LimitsSet.of({ ...uncapped, perMinute: 5 });
    const five = limit({ perMinute: 5 });
    given(opened).when(five).thenHappened(limits);
    const limited = given(opened, limits);
    limited.when(five).thenNothing();
    const paused = limit({ perMinute: null, paused: true });
    limited.when(paused).thenHappened(LimitsSet.of({ ...uncapped, paused: true }));
  });
});

describe('account: events without a template', () => {
  it('go out where an administrator says so, and it is said once', () => {
    const set = (directSend: 'off' | 'fallback') =>
      ({ type: 'SetLimits', limits: {}, directSend }) as const;
    const on = DirectSendSet.of({ accountId: ID, directSend: 'fallback' });
    given(opened).when(set('off')).thenNothing();
    given(opened).when(set('fallback')).thenHappened(on);
    given(opened, on).when(set('fallback')).thenNothing();
    given(opened, on).when(set('off')).thenHappened('DirectSendSet', { directSend: 'off' });
  });
});

describe('account: money by administrators', () => {
  it('grants and revokes credits, with who did it', () => {
    const data = { amount: 100, balanceAfter: 100, grantedBy: by, reason: 'welcome', sequence: 1 };
    given(opened).when(grant(100)).thenHappened('CreditsGranted', data);
    const { when } = run([grant(100)]);
    when(revoke(40)).thenHappened('CreditsRevoked', { amount: -40, balanceAfter: 60 });
  });

  it('never revokes below zero', () => {
    run([grant(10)])
      .when(revoke(11))
      .thenRefused('account.conflict');
  });

  it('keeps credits and wallets apart', () => {
    given(openedOnWallet).when(grant(1)).thenRefused('account.conflict');
    given(opened).when(topUp(1)).thenRefused('account.conflict');
  });

  it('adjusts a wallet up and down, not below zero', () => {
    const { when } = run([topUp(25_000_000)], [openedOnWallet]);
    const moved = { amount: -5_000_000, balanceAfter: 20_000_000 };
    when(adjust(-5_000_000)).thenHappened('WalletMoved', moved);
    when(adjust(-25_000_001)).thenRefused('account.conflict');
  });

  const MOST = accountBounds.balanceMax;
  const ofSeven = reserve({ price: price({ creditsRequired: 7 }) });

  it('lets a balance grow to the bound and not above it', () => {
    const { when } = run([grant(MOST - 1)]);
    when(grant(1)).thenHappened('CreditsGranted', { balanceAfter: 9_000_000_000_000 });
    when(grant(2)).thenRefused('account.balance_limit');
    const wallet = run([topUp(MOST)], [openedOnWallet]);
    wallet.when(topUp(1)).thenRefused('account.balance_limit');
  });

  it('takes back from a balance above the bound, which an old log may hold', () => {
    const old = createAccountDecider({ ...accountBounds, balanceMax: Number.MAX_SAFE_INTEGER });
    const { when } = run([], [opened, ...old(ID).decide(grant(MOST + 10), given(opened).state)]);
    when(revoke(1)).thenHappened('CreditsRevoked', { balanceAfter: MOST + 9 });
  });

  it('counts what may still be given back', () => {
    const charged = run([grant(MOST), ofSeven]);
    charged.when(grant(1)).thenRefused('account.balance_limit');
    const back = run([refund(reservationIn(charged.facts, 2))], charged.facts);
    const revoked = run([revoke(7)], back.facts);
    revoked.when(grant(7)).thenHappened('CreditsGranted', { balanceAfter: MOST });
    // An hour later the message has gone out, or its charge was given back.
    const granted = (amount: number, at: number) => charged.when({ ...grant(amount), at });
    granted(7, NOW + 3_600_000).thenHappened('CreditsGranted', { balanceAfter: MOST });
    granted(1, NOW + 15 * 60_000).thenRefused('account.balance_limit');
  });

  it('counts charges in its present unit only', () => {
    const { when } = run([grant(7), ofSeven, assign(walletTerms, noneOpen(2))]);
    when(topUp(MOST)).thenHappened('WalletMoved', { balanceAfter: MOST });
  });
});

describe('account: reserving', () => {
  const onWallet = reserve({
    price: price({ planId: 'prepaid', billing: 'wallet', creditsRequired: 0 }),
  });

  it('takes credits before the message goes', () => {
    const { when } = run([grant(10)]);
    const taken = { amount: -3, balanceAfter: 7, reason: 'order_shipped', chargeId: 'chg_0a_2' };
    when(reserve({ price: price({ creditsRequired: 3 }) })).thenHappened('ChargeReserved', taken);
  });

  it('takes the price from a wallet', () => {
    const { when } = run([topUp(2000)], [openedOnWallet]);
    when(onWallet).thenHappened('ChargeReserved', { amount: -1680, balanceAfter: 320 });
  });

  it('refuses a price above the balance, with the whole 402 body', () => {
    given(opened).when(reserve()).thenRefused('account.insufficient', {
      reason: 'INSUFFICIENT_CREDITS',
      category: 'UTILITY',
      creditsRequired: 1,
      price: '0.00168',
      currency: 'USD',
      balance: 0,
    });
    const left = { reason: 'INSUFFICIENT_BALANCE', creditsRequired: 0, balance: '0.0000' };
    given(openedOnWallet).when(onWallet).thenRefused('account.insufficient', left);
  });

  it('lets a free message go at a zero balance, and counts it', () => {
    const { facts, state } = run([reserve({ price: freePrice })]);
    expect(facts.at(-1)!.data).to.deep.include({ amount: 0, balanceAfter: 0 });
    expect(state.usage.days).to.deep.equal([['2026-11-21', 1]]);
  });

  it('does not take a price made under another plan', () => {
    const stale = reserve({ price: price({ planId: 'old' }) });
    given(opened).when(stale).thenThrows(StalePrice);
  });
});

describe('account: caps', () => {
  const withLimits = (limits: Partial<Limits>) => run([grant(1000), limit(limits)]);
  const sends = (limits: Partial<Limits>, times: readonly number[]) =>
    run(
      times.map((at) => reserve({ at })),
      withLimits(limits).facts,
    );

  it('answers paused before every other cap', () => {
    const limits = { paused: true, perMinute: 0, daily: 0, monthly: 0 };
    const usage = { minute: 0, day: 0, month: 0 };
    const { when } = withLimits(limits);
    when(reserve()).thenRefused('account.cap_reached', { limit: 'paused', usage, limits });
  });

  it('goes by perMinute, daily, monthly in that order', () => {
    for (const [first, limits] of [
      ['perMinute', { perMinute: 0, daily: 0, monthly: 0 }],
      ['daily', { daily: 0, monthly: 0 }],
      ['monthly', { monthly: 0 }],
    ] as const) {
      withLimits(limits).when(reserve()).thenRefused('account.cap_reached', { limit: first });
    }
  });

  it('counts a sliding minute', () => {
    const { when } = sends({ perMinute: 2 }, [NOW, NOW + 30_000]);
    const reached = { limit: 'perMinute', usage: { minute: 2, day: 2, month: 2 } };
    when(reserve({ at: NOW + 59_999 })).thenRefused('account.cap_reached', reached);
    when(reserve({ at: NOW + 60_250 })).thenHappened('ChargeReserved', {});
  });

  it('row 19: starts the day at midnight UTC and the month on its first day', () => {
    const lastSecond = Date.parse('2026-11-30T23:59:59.900Z');
    const { when } = sends({ daily: 1, monthly: 1 }, [lastSecond]);
    when(reserve({ at: lastSecond + 50 })).thenRefused('account.cap_reached', { limit: 'daily' });
    when(reserve({ at: lastSecond + 100 })).thenHappened('ChargeReserved', {});
  });

  it('counts no message that was refunded', () => {
    const { facts } = sends({ daily: 1 }, [NOW]);
    const back = run([refund(reservationIn(facts, 3))], facts);
    back.when(reserve()).thenHappened('ChargeReserved', {});
  });

  it('does not stop for good when the clock is set back', () => {
    const { when } = sends({ perMinute: 1 }, [NOW + 86_400_000]);
    when(reserve({ at: NOW })).thenHappened('ChargeReserved', {});
  });
});

describe('account: refunds', () => {
  it('refunds a charge once', () => {
    const { facts, when } = run([grant(10), reserve()]);
    const reservation = reservationIn(facts, 2);
    const { chargeId } = reservation;
    const returned = { chargeId, amount: 1, balanceAfter: 10, cause: 'not_sent' };
    const back = when(refund(reservation)).thenHappened('ChargeRefunded', returned);
    const { when: again } = run([], [...facts, ...back]);
    again(refund(reservation)).thenNothing();
  });

  it('gives back to a balance of exactly 0, and takes all of one', () => {
    const all = reserve({ price: price({ creditsRequired: 3 }) });
    const { facts, when } = run([grant(3), all]);
    when(reserve()).thenRefused('account.insufficient', { balance: 0 });
    const back = refund(reservationIn(facts, 2));
    when(back).thenHappened('ChargeRefunded', { amount: 3, balanceAfter: 3 });
  });

  it('remembers as many refunds as its bound, and asks for a look-up beyond it', () => {
    expect(accountBounds.refundsKept).to.equal(1000);
    const few = createAccountDecider({ ...accountBounds, refundsKept: 2 })(ID);
    const start = run([grant(10), reserve(), reserve(), reserve()]).facts;
    const reservations = [2, 3, 4].map((index) => reservationIn(start, index));
    const refunds = reservations.map((one) => refund(one));
    const { state } = run(refunds, start, few);
    expect(state.refunds).to.deep.equal([
      { chargeId: reservations[1]!.chargeId, revision: 6, counted: false },
      { chargeId: reservations[2]!.chargeId, revision: 7, counted: false },
    ]);
    const [forgotten, known] = reservations;
    expect(few.decide(refund(known!), state)).to.deep.equal([]);
    expect(() => few.decide(refund(forgotten!), state)).to.throw(RefundUndecidable);
    // As of the very refund that was forgotten, a look-up has seen it.
    const seen = { ...forgotten!, unrefundedRevision: state.refundsForgottenRevision };
    expect(few.decide(refund(seen), state)).to.have.length(1);
    const before = { ...forgotten!, unrefundedRevision: state.refundsForgottenRevision - 1 };
    expect(() => few.decide(refund(before), state)).to.throw(RefundUndecidable);
  });

  it('refuses a refund that could not be counted exactly, and names what makes room', () => {
    const old = createAccountDecider({ ...accountBounds, balanceMax: Number.MAX_SAFE_INTEGER })(ID);
    const later = { ...grant(1), at: NOW + 3 * 3_600_000 };
    const { facts } = run([grant(Number.MAX_SAFE_INTEGER), reserve(), later], [opened], old);
    const reservation = reservationIn(facts, 2);
    run([], facts).when(refund(reservation)).thenThrows(RefundTooLarge);
    const { when } = run([revoke(1)], facts);
    const full = { balanceAfter: Number.MAX_SAFE_INTEGER };
    when(refund(reservation)).thenHappened('ChargeRefunded', full);
  });

  it('closes a charge without a movement when the account now counts in another unit', () => {
    const { facts, when } = run([grant(1), reserve(), assign(walletTerms, noneOpen(2))]);
    const closed = { amount: 0, balanceAfter: 0 };
    when(refund(reservationIn(facts, 2))).thenHappened('ChargeRefunded', closed);
  });
});

describe('account: reversals of messages that went out', () => {
  const reverse = (reservation: Reservation, reversalsMax: number | null, at = NOW) => ({
    ...refund(reservation, 'disconnected', at),
    reversalsMax,
  });
  const counting = ['disconnected', 'delivery_failed'] as const;
  const uncounted = ['not_sent', 'unknown_outcome', 'expired'] as const;
  const andPaused = [
    { type: 'ChargeRefunded', data: {} },
    { type: 'AccountPaused', data: {} },
  ] as const;
  /** A day's reversals, and one reservation more. */
  const reversed = (count: number, at = NOW) => {
    let { facts } = run([grant(1000), ...Array.from({ length: count + 1 }, () => reserve({ at }))]);
    const reservations = facts.slice(2).map((_, index) => reservationIn(facts, index + 2));
    for (const one of reservations.slice(0, -1)) {
      facts = run([reverse(one, null, at)], facts).facts;
    }
    return { ...run([], facts), last: reservations.at(-1)! };
  };

  it('count in the usage, as those of failed deliveries do', () => {
    const { facts } = run([grant(1), reserve()]);
    const daysAfter = (cause: RefundCause) =>
      run([refund(reservationIn(facts, 2), cause)], facts).state.usage.days;
    for (const cause of counting) {
      expect(daysAfter(cause), cause).to.deep.equal([['2026-11-21', 1]]);
    }
    for (const cause of uncounted) {
      expect(daysAfter(cause), cause).to.deep.equal([['2026-11-21', 0]]);
    }
  });

  describe('that a status showed after the refund', () => {
    const DAY = 86_400_000;
    const charged = run([grant(9), reserve(), reserve()]).facts;
    const reservation = reservationIn(charged, 2);
    const { chargeId, reservedAt } = reservation;
    const count = (
      change: Partial<Extract<AccountCommand, { type: 'CountRefundedSend' }>> = {},
    ): AccountCommand => ({
      type: 'CountRefundedSend',
      at: NOW,
      chargeId,
      reservedAt,
      uncounted: false,
      asOfRevision: 2,
      ...change,
    });
    const refundFor = (cause: RefundCause) => run([refund(reservation, cause)], charged);
    const usageOf = ({ usage }: AccountState) => [usage.recent, usage.days, usage.months];

    it('count once, as if the charge had not been refunded', () => {
      const send = { accountId: ID, chargeId, reservedAt };
      const counted = RefundedSendCounted.of({ ...send, at: reservedAt });
      for (const cause of uncounted) {
        const { facts, when } = refundFor(cause);
        when(count()).thenHappened(counted);
        const after = run([count()], facts);
        expect(usageOf(after.state)).to.deep.equal(usageOf(run([], charged).state));
        expect(after.state.balance).to.equal(run([], facts).state.balance);
        after.when(count()).thenNothing();
      }
    });

    it('fill the caps', () => {
      const { facts } = run([count()], refundFor('unknown_outcome').facts);
      const capped = run([limit({ daily: 2 })], facts);
      capped.when(reserve()).thenRefused('account.cap_reached', { limit: 'daily' });
    });

    it('count nothing where the charge is kept, or kept its place in the caps', () => {
      run([], charged).when(count()).thenNothing();
      for (const cause of counting) refundFor(cause).when(count()).thenNothing();
    });

    it('count in their minute also when it began in the month before', () => {
      const last = Date.parse('2026-11-30T23:59:50.000Z');
      const sent = run([grant(9), reserve({ at: last })]);
      const taken = reservationIn(sent.facts, 2);
      const { facts, when } = run([refund(taken, 'unknown_outcome')], sent.facts);
      const late = { chargeId: taken.chargeId, reservedAt: taken.reservedAt };
      const { usage } = run([count({ ...late, at: last + 20_000 })], facts).state;
      expect(usage.recent.map(([, counted]) => counted)).to.deep.equal([1]);
      expect(usage.months).to.deep.equal([['2026-11', 0]]);
      when(count({ ...late, at: last + 60_000 })).thenNothing();
    });

    it('count in the month alone when the UTC day is over, and in nothing after the month', () => {
      const { facts, when } = refundFor('expired');
      const { usage } = run([count({ at: NOW + DAY })], facts).state;
      const [days, months] = [[['2026-11-21', 1]], [['2026-11', 2]]];
      expect([usage.recent[0]?.[1], usage.days, usage.months]).to.deep.equal([1, days, months]);
      const december = Date.parse('2026-12-01T00:00:00.000Z');
      when(count({ at: december - 1 })).thenHappened('RefundedSendCounted', { chargeId });
      when(count({ at: december })).thenNothing();
    });

    it('ask for a look-up where the refund is forgotten, and decide by what it found', () => {
      const few = createAccountDecider({ ...accountBounds, refundsKept: 1 })(ID);
      const fold = (state: AccountState, facts: readonly AccountFact[]) =>
        facts.reduce<AccountState>(few.evolve, state);
      const other = reservationIn(charged, 3);
      let state = fold(few.initial, refundFor('expired').facts);
      state = fold(state, few.decide(refund(other), state));
      expect(() => few.decide(count(), state)).to.throw(RefundUndecidable);
      const asOfRevision = state.refundsForgottenRevision;
      const found = count({ uncounted: true, asOfRevision });
      expect(few.decide(count({ asOfRevision }), state)).to.deep.equal([]);
      const facts = few.decide(found, state);
      expect(facts.map(({ type }) => type)).to.deep.equal(['RefundedSendCounted']);
      state = fold(state, facts);
      expect(few.decide(found, state)).to.deep.equal([]);
      // The count is forgotten in its turn: what was found before it decides nothing any more.
      const third = run([reserve()], charged).facts;
      state = fold(state, [third.at(-1)!]);
      const last = { ...reservationIn(third, 4), unrefundedRevision: state.revision };
      state = fold(state, few.decide(refund(last), state));
      expect(() => few.decide(found, state)).to.throw(RefundUndecidable);
    });
  });

  it('row 27: pause the account at the bound, and not before it', () => {
    const { last, when } = reversed(2);
    when(reverse(last, 4)).thenHappened('ChargeRefunded', { cause: 'disconnected' });
    const paused = { reason: 'disconnect_refunds', day: '2026-11-21', count: 3, limit: 3 };
    when(reverse(last, 3)).thenHappened(
      { type: 'ChargeRefunded', data: { cause: 'disconnected' } },
      { type: 'AccountPaused', data: paused },
    );
    when(reverse(last, null)).thenHappened('ChargeRefunded', {});
    const unsent = { ...refund(last), reversalsMax: 1 };
    when(unsent).thenHappened('ChargeRefunded', { cause: 'not_sent' });
  });

  it('begin anew on each UTC day', () => {
    const { last, when } = reversed(2);
    when(reverse(last, 3, NOW + 43_200_000)).thenHappened('ChargeRefunded', {});
    when(reverse(last, 3, NOW + 43_199_999)).thenHappened(
      { type: 'ChargeRefunded', data: {} },
      { type: 'AccountPaused', data: { count: 3 } },
    );
  });

  it('pause once, and begin anew when an administrator has resumed the account', () => {
    const { facts, last } = reversed(1);
    const paused = run([reverse(last, 2)], run([reserve()], facts).facts);
    const pausedFor = { reason: 'disconnect_refunds', day: '2026-11-21', count: 2 };
    expect(paused.state.pausedFor).to.deep.equal(pausedFor);
    paused.when(reserve()).thenRefused('account.cap_reached', { limit: 'paused' });
    const open = reservationIn(paused.facts, 5);
    expect(open.chargeId).not.to.equal(last.chargeId);
    paused.when(reverse(open, 2)).thenHappened('ChargeRefunded', {});
    const capped = run([limit({ daily: 9 })], paused.facts);
    expect(capped.state.pausedFor?.count).to.equal(2);
    const resumed = run([limit({ paused: false })], paused.facts);
    expect([resumed.state.pausedFor, resumed.state.limits.paused]).to.deep.equal([null, false]);
    resumed.when(reverse(open, 2)).thenHappened('ChargeRefunded', {});
    resumed.when(reverse(open, 1)).thenHappened(...andPaused);
  });

  it('of an account that was paused by hand pause nothing, and leave the reason alone', () => {
    const { facts, last } = reversed(1);
    const byHand = run([limit({ paused: true })], facts);
    byHand.when(reverse(last, 1)).thenHappened('ChargeRefunded', {});
    expect(byHand.state.pausedFor).to.equal(null);
    // What an administrator lifts that the service did not impose says nothing of hang-ups.
    const lifted = run([limit({ paused: false })], byHand.facts);
    lifted.when(reverse(last, 2)).thenHappened(...andPaused);
  });
});

describe('account: free writes', () => {
  const counted = (bytes: number): AccountCommand => ({
    type: 'CountFreeWrites',
    day: '2026-11-21',
    bytes,
  });
  const bounded = (freeBytesMax: number | null, at = NOW) => reserve({ at, freeBytesMax });

  it('refuse a reservation at the bound, by the day of its time', () => {
    const { when } = run([grant(10), counted(600), counted(400)]);
    when(bounded(1000)).thenRefused('account.free_writes');
    for (const [max, at] of [
      [1001, NOW],
      [null, NOW],
      [1000, NOW + 43_200_000],
    ] as const) {
      when(bounded(max, at)).thenHappened('ChargeReserved', {});
    }
  });

  it('name the end of the UTC day, and no cap', () => {
    const { when } = run([counted(1)]);
    for (const [at, retryAfterSeconds] of [
      [NOW, 43_200],
      [NOW + 43_199_999, 1],
    ] as const) {
      const refused = expect(when(bounded(1, at)).facts).to.throw(AppError);
      refused.with.property('details').that.deep.equals({ retryAfterSeconds });
    }
  });

  it('come after the caps and before the balance', () => {
    run([counted(1)])
      .when(bounded(1))
      .thenRefused('account.free_writes');
    const paused = run([counted(1), limit({ paused: true })]);
    paused.when(bounded(1)).thenRefused('account.cap_reached', { limit: 'paused' });
  });

  it('meet the same refusals without a reservation, and add nothing', () => {
    const may = (freeBytesMax: number | null, of = price()): AccountCommand => ({
      type: 'MayReserve',
      at: NOW,
      price: of,
      freeBytesMax,
    });
    const { facts, when } = run([counted(1)]);
    when(may(1)).thenRefused('account.free_writes');
    when(may(null)).thenRefused('account.insufficient');
    when(may(null, freePrice)).thenNothing();
    when(may(null, price({ planId: 'old' }))).thenThrows(StalePrice);
    const paused = run([limit({ paused: true })], facts);
    paused.when(may(null, freePrice)).thenRefused('account.cap_reached', { limit: 'paused' });
  });
});

describe('account: laws of money', () => {
  const commands = fc.array(
    fc.oneof(
      fc.integer({ min: 1, max: 50 }).map(grant),
      fc.integer({ min: 1, max: 60 }).map(revoke),
      fc.tuple(fc.integer({ min: 0, max: 9 }), fc.nat(200_000)).map(([creditsRequired, after]) => {
        const cost = creditsRequired ? price({ creditsRequired }) : freePrice;
        return reserve({ at: NOW + after, price: cost });
      }),
      fc.nat(40).map((index) => ({ refundOf: index })),
      fc
        .record({ perMinute: fc.option(fc.nat(5)), daily: fc.option(fc.nat(20)) })
        .map((limits): AccountCommand => ({ type: 'SetLimits', limits })),
    ),
    { maxLength: 60 },
  );

  /** Refunds name an earlier reservation, which is only known while running. */
  const runMixed = (list: readonly (AccountCommand | { refundOf: number })[]) => {
    let facts: readonly AccountFact[] = [opened];
    for (const item of list) {
      if ('type' in item) {
        facts = run([item], facts).facts;
        continue;
      }
      const reserved = facts.flatMap((fact, index) =>
        fact.type === 'ChargeReserved' ? [reservationIn(facts, index)] : [],
      );
      const chosen = reserved[item.refundOf % Math.max(1, reserved.length)];
      if (chosen) facts = run([refund(chosen)], facts).facts;
    }
    return facts;
  };

  /** A law of the facts that any commands make. */
  const holds = (numRuns: number, law: (facts: readonly AccountFact[]) => void) =>
    fc.assert(
      fc.property(commands, (list) => law(runMixed(list))),
      { numRuns },
    );

  it('keeps the balance at the sum of all movements and never below zero', () =>
    holds(150, (facts) => {
      let sum = 0;
      for (const fact of facts) {
        if (!('amount' in fact.data)) continue;
        sum += fact.data.amount;
        expect(fact.data.balanceAfter).to.equal(sum);
        expect(sum).to.be.at.least(0);
      }
    }));

  it('refunds each charge at most once, by exactly what was taken', () =>
    holds(150, (facts) => {
      const taken = new Map<string, number>();
      for (const fact of facts) {
        if (fact.type === 'ChargeReserved') taken.set(fact.data.chargeId, fact.data.amount);
        if (fact.type !== 'ChargeRefunded') continue;
        expect(fact.data.amount + taken.get(fact.data.chargeId)!).to.equal(0);
        taken.delete(fact.data.chargeId);
      }
    }));

  it('never passes a cap', () =>
    fc.assert(
      fc.property(
        fc.nat(6),
        fc.array(fc.integer({ min: 0, max: 180_000 }), { maxLength: 40 }),
        (perMinute, times) => {
          const ordered = times.toSorted((a, b) => a - b);
          const sends = ordered.map((at) => reserve({ at: NOW + at }));
          const { facts } = run([grant(1000), limit({ perMinute }), ...sends]);
          const sent = facts.flatMap((fact) =>
            fact.type === 'ChargeReserved' ? [Date.parse(fact.data.at)] : [],
          );
          for (const at of sent) {
            const inMinute = sent.filter((other) => other > at - 60_000 && other <= at).length;
            expect(inMinute).to.be.at.most(perMinute);
          }
        },
      ),
      { numRuns: 150 },
    ));

  it('decides the same on the same state', () =>
    fc.assert(
      fc.property(commands, (list) => {
        expect(runMixed(list)).to.deep.equal(runMixed(list));
      }),
      { numRuns: 50 },
    ));

  it('numbers every money event after the one before it', () =>
    holds(50, (facts) => {
      const numbers = facts.flatMap(({ data }) => ('sequence' in data ? [data.sequence] : []));
      expect(numbers).to.deep.equal(numbers.map((_, index) => index + 1));
    }));

  it('has a state that survives being saved as JSON', () =>
    holds(30, (facts) => {
      const state = facts.reduce<AccountState>(account.evolve, account.initial);
      expect(JSON.parse(JSON.stringify(state))).to.deep.equal(state);
    }));
});
