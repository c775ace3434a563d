import {
  type AccountFact,
  AccountPaused,
  ChargeRefunded,
  RefundedSendCounted,
} from '../../events/account.ts';
import { isoTime } from '../../shared/clock.ts';
import { countOf, MINUTE_MS } from '../../shared/usage.ts';
import { dayOf, monthOf } from './evolve.ts';
import { link } from './funds-moved.ts';
import { type AccountCommand, type AccountState, isSameUnit } from './state.ts';

/**
 * The account's state cannot tell whether the charge was refunded or its message counted: too many
 * refunds came after the given revision. Ask again with a later revision.
 */
export class RefundUndecidable extends Error {
  constructor(chargeId: string) {
    super(`whether ${chargeId} was refunded must be looked up`);
    this.name = 'RefundUndecidable';
  }
}

/**
 * The balance with this refund could not be counted exactly. It takes a log that is older than the
 * bound of balances; taking something back makes room.
 */
export class RefundTooLarge extends Error {
  constructor(chargeId: string) {
    super(
      `the refund of ${chargeId} does not fit into the balance: revoke or adjust some of it first`,
    );
    this.name = 'RefundTooLarge';
  }
}

export const refund = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'Refund' }>,
  state: AccountState,
): readonly AccountFact[] => {
  const { at, cause, reservation, reversalsMax = null } = command;
  const { chargeId, amount, reason, price, reservedAt, unrefundedAt } = reservation;
  if (state.refunds.some((one) => one.chargeId === chargeId)) return [];
  if (unrefundedAt < state.refundsForgottenAt) throw new RefundUndecidable(chargeId);
  // Credits cannot be given back to a wallet, nor one currency as another. An account changes its
  // unit only when nothing is open, so this is a message that failed after it had gone out: what
  // it cost was spent, and is closed without a movement.
  const back = isSameUnit(price, state) ? 0 - amount : 0;
  if (!Number.isSafeInteger(state.balance + back)) throw new RefundTooLarge(chargeId);
  const data = { amount: back, chargeId, cause, reason, price, reservedAt };
  return [
    link(ChargeRefunded, accountId, state, at, data),
    ...(cause === 'disconnected' ? pauseAfter(accountId, state, at, reversalsMax) : []),
  ];
};

/**
 * A refunded charge whose message went out takes its place in the caps again, like one that was
 * reversed after a hang-up never loses it.
 */
export const countRefundedSend = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'CountRefundedSend' }>,
  state: AccountState,
): readonly AccountFact[] => {
  const { chargeId, reservedAt, uncounted, asOfRevision } = command;
  const at = isoTime(command.at);
  const isOld = command.at - Date.parse(reservedAt) >= MINUTE_MS;
  if (isOld && monthOf(reservedAt) < monthOf(at)) return [];
  const known = state.refunds.find((one) => one.chargeId === chargeId);
  if (!known && asOfRevision < state.refundsForgottenAt) throw new RefundUndecidable(chargeId);
  if (known ? known.counted : !uncounted) return [];
  return [RefundedSendCounted.of({ accountId, chargeId, reservedAt, at })];
};

/** The pause that one more reversal brings about, if it does. */
const pauseAfter = (
  accountId: string,
  state: AccountState,
  at: number,
  limit: number | null,
): readonly AccountFact[] => {
  const day = dayOf(isoTime(at));
  const count = countOf(state.reversals, day) + 1;
  if (limit === null || count < limit || state.limits.paused) return [];
  return [AccountPaused.of({ accountId, reason: 'disconnect_refunds', day, count, limit })];
};
