import {
  type AccountFact,
  AccountPaused,
  ChargeRefunded,
  ChargeReserved,
  CreditsGranted,
  CreditsRevoked,
  type MoneyFact,
  RefundedSendCounted,
  WalletMoved,
} from '../../events/account.ts';
import { chargeIdOf, entryIdOf } from '../../events/charge-form.ts';
import type { EventDefinition, Fact } from '../../events/define.ts';
import { splitIntent } from '../../events/intent.ts';
import type { Price } from '../../events/price.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { isoTime } from '../../shared/clock.ts';
import { formatMicros, inUnit } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { countOf, type Limits, MINUTE_MS, type UsageCounts } from '../../shared/usage.ts';
import { dayOf, monthOf, pauseReasonOf, windows } from './evolve.ts';
import { openUnits } from './recent-charges.ts';
import {
  type AccountBounds,
  type AccountCommand,
  type AccountState,
  isSameUnit,
  type QuotedPrices,
  type Terms,
} from './state.ts';

/** Makes the next link of the account's chain: amount, balance after it, and ids. */
export const link = <T extends MoneyFact['type'], D>(
  definition: EventDefinition<T, D>,
  accountId: string,
  state: AccountState,
  at: number,
  data: { amount: number } & Omit<
    D,
    'accountId' | 'entryId' | 'balanceAfter' | 'at' | 'sequence' | 'previousHash' | 'hash'
  >,
): Fact<T, D> =>
  definition.of({
    accountId,
    entryId: entryIdOf(accountId, state.revision + 1),
    ...data,
    balanceAfter: state.balance + data.amount,
    at: isoTime(at),
    sequence: state.sequence + 1,
    previousHash: '',
    hash: '',
  } as D);

/** Refuses what a request that is another process's by now would move once more. */
export const mustBeOwn = ({ isOwn }: { isOwn?: (() => boolean) | undefined }): void => {
  if (isOwn && !isOwn()) throw new StoreUnavailable('another process may go on with this request');
};

export const moveCredits = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'GrantCredits' | 'RevokeCredits' }>,
  state: AccountState,
  bounds: Pick<AccountBounds, 'balanceMax'>,
): readonly AccountFact[] => {
  const { amount, reason, by: grantedBy } = command;
  if (state.billing !== 'credits') {
    throw new AppError('account.conflict', 'The account is on a wallet plan: top up its wallet');
  }
  if (command.type === 'GrantCredits') {
    mustFit(amount, command.at, state, bounds);
    return [link(CreditsGranted, accountId, state, command.at, { amount, reason, grantedBy })];
  }
  mustCover(state, amount);
  return [
    link(CreditsRevoked, accountId, state, command.at, { amount: -amount, reason, grantedBy }),
  ];
};

export const moveWallet = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'MoveWallet' }>,
  state: AccountState,
  bounds: Pick<AccountBounds, 'balanceMax'>,
): readonly AccountFact[] => {
  const { amount, kind, reason, by: grantedBy } = command;
  if (state.billing !== 'wallet') {
    throw new AppError('account.conflict', 'The account is on a credit plan: grant credits');
  }
  if (amount < 0) mustCover(state, -amount);
  else mustFit(amount, command.at, state, bounds);
  return [link(WalletMoved, accountId, state, command.at, { amount, kind, reason, grantedBy })];
};

/** Counts open reservations too, because their refunds must fit as well. */
const mustFit = (
  amount: number,
  at: number,
  { balance, charges, billing, currency }: AccountState,
  { balanceMax }: Pick<AccountBounds, 'balanceMax'>,
) => {
  if (balance + openUnits(charges, at) + amount <= balanceMax) return;
  const most =
    billing === 'credits' ? `${balanceMax} credits` : `${formatMicros(balanceMax)} ${currency}`;
  throw new AppError(
    'account.balance_limit',
    `The balance cannot exceed ${most}, open reservations included: use a smaller amount`,
  );
};

const mustCover = (state: AccountState, amount: number) => {
  if (amount > state.balance) {
    throw new AppError('account.conflict', 'The balance cannot go below zero');
  }
};

/** The account has left the plan of the price; the caller prices again. */
export class StalePrice extends Error {
  constructor() {
    super('the price was made under another plan');
    this.name = 'StalePrice';
  }
}

const DAY_MS = 86_400_000;

/** The refusal of an account that has written as much for free as its plan allows in a UTC day. */
export const freeWritesUsedUp = (at: number): AppError => {
  const midnight = Date.parse(`${dayOf(isoTime(at))}T00:00:00.000Z`) + DAY_MS;
  return new AppError(
    'account.free_writes',
    'This account has stored as much without paying as its plan allows in a UTC day: refused sends, bots, templates. Go on tomorrow',
    { retryAfterSeconds: Math.ceil((midnight - at) / 1000) },
  );
};

/** The name of a message's cost in a quote. */
export const quotedAs = ({ category, market }: Pick<Price, 'category' | 'market'>): string =>
  `${category} ${market}`;

/** An amount in an account's unit. */
interface Owed extends Pick<Terms, 'billing' | 'currency'> {
  amount: number;
}

/** The refusal of a send that would cost something else than its quote. */
export const quoteChanged = (quoted: Owed, now: Owed): AppError =>
  new AppError(
    'quote.changed',
    `The price has changed: ${inWords(quoted)} was quoted, and it is ${inWords(now)} now`,
    { quoted: inUnit(quoted.billing, quoted.amount), now: inUnit(now.billing, now.amount) },
  );

const inWords = ({ billing, currency, amount }: Owed): string =>
  billing === 'credits' ? `${amount} credits` : `${formatMicros(amount)} ${currency}`;

/** Refuses what its quote does not hold for any more. */
export const mustBeValid = ({ validUntil }: Pick<QuotedPrices, 'validUntil'>, at: number): void => {
  if (at <= validUntil) return;
  throw new AppError('quote.expired', 'The quote has expired: it held for 10 minutes');
};

const refuseOtherPrice = (quoted: QuotedPrices, price: Price, at: number): void => {
  mustBeValid(quoted, at);
  const amount = quoted.units[quotedAs(price)] ?? 0;
  const now = { ...price, amount: costOf(price) };
  if (amount === now.amount && isSameUnit(quoted, price)) return;
  throw quoteChanged({ ...quoted, amount }, now);
};

/** Refuses in the contract's order: caps, free writes, balance; then what a quote did not say. */
export const mayReserve = (
  {
    price,
    at,
    quoted,
    freeBytesMax = null,
  }: Extract<AccountCommand, { type: 'Reserve' | 'MayReserve' }>,
  state: AccountState,
): void => {
  if (price.planId !== state.planId) throw new StalePrice();
  refuseOverCap(state, at);
  if (freeBytesMax !== null && countOf(state.freeWrites, dayOf(isoTime(at))) >= freeBytesMax) {
    throw freeWritesUsedUp(at);
  }
  refuseUncovered(state, price);
  if (quoted) refuseOtherPrice(quoted, price, at);
};

export const reserve = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'Reserve' }>,
  state: AccountState,
): readonly AccountFact[] => {
  const { price, reason, contactRef, intent, otherRefs, named, at } = command;
  mayReserve(command, state);
  const taken = costOf(price);
  return [
    link(ChargeReserved, accountId, state, at, {
      amount: taken === 0 ? 0 : -taken,
      chargeId: chargeIdOf(accountId, state.revision + 1),
      reason,
      price,
      contactRef,
      ...splitIntent(intent),
      ...(otherRefs && { otherRefs, named }),
    }),
  ];
};

/** What a message takes from the balance, in the balance's unit. */
export const costOf = (price: Price): number =>
  price.billing === 'credits' ? price.creditsRequired : price.sellPrice;

const capMessages = {
  paused: 'Sending is paused for this account',
  perMinute: 'The per-minute sending cap of this account is reached',
  daily: 'The daily sending cap of this account is reached',
  monthly: 'The monthly sending cap of this account is reached',
};

const RESUMED_BY =
  'Stop sending until an administrator resumes the account: waybill account limits <account> --no-paused.';

const messageOf = (limit: keyof typeof capMessages, { pausedFor }: AccountState): string =>
  limit === 'paused' && pausedFor
    ? `${capMessages.paused}: ${pauseReasonOf(pausedFor)}. Wait for each answer, and ask the operator to resume it`
    : capMessages[limit];

const refuseOverCap = (state: AccountState, at: number) => {
  const { limits } = state;
  const { paused, perMinute, daily, monthly } = limits;
  if (!paused && perMinute === null && daily === null && monthly === null) return;
  const usage = windows.at(state.usage, at);
  const limit = capReached(limits, usage);
  if (!limit) return;
  throw new AppError('account.cap_reached', messageOf(limit, state), {
    limit,
    usage,
    limits,
    ...(limit === 'perMinute' && { retryAfterSeconds: 60 }),
    ...(limit === 'paused' && { hint: RESUMED_BY }),
  });
};

/** The first cap that one more message would pass: paused, minute, day, month. */
const capReached = (limits: Limits, usage: UsageCounts) => {
  if (limits.paused) return 'paused';
  if (limits.perMinute !== null && usage.minute >= limits.perMinute) return 'perMinute';
  if (limits.daily !== null && usage.day >= limits.daily) return 'daily';
  if (limits.monthly !== null && usage.month >= limits.monthly) return 'monthly';
  return undefined;
};

const refuseUncovered = (state: AccountState, price: Price) => {
  if (costOf(price) <= state.balance) return;
  const credits = price.billing === 'credits';
  throw new AppError(
    'account.insufficient',
    credits
      ? `Not enough credits: ${price.creditsRequired} needed, ${state.balance} left`
      : `Not enough balance: ${formatMicros(price.sellPrice)} ${price.currency} needed, ${formatMicros(state.balance)} left`,
    {
      reason: credits ? 'INSUFFICIENT_CREDITS' : 'INSUFFICIENT_BALANCE',
      category: price.category,
      creditsRequired: price.creditsRequired,
      price: formatMicros(price.sellPrice),
      currency: price.currency,
      balance: inUnit(price.billing, state.balance),
    },
  );
};

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
  const { at, cause, failure, reservation, reversalsMax = null } = command;
  const { chargeId, amount, reason, price, reservedAt, unrefundedRevision } = reservation;
  if (state.refunds.some((one) => one.chargeId === chargeId)) return [];
  if (unrefundedRevision < state.refundsForgottenRevision) throw new RefundUndecidable(chargeId);
  // Credits cannot be given back to a wallet, nor one currency as another. An account changes its
  // unit only when nothing is open, so this is a message that failed after it had gone out: what
  // it cost was spent, and is closed without a movement.
  const back = isSameUnit(price, state) ? 0 - amount : 0;
  if (!Number.isSafeInteger(state.balance + back)) throw new RefundTooLarge(chargeId);
  const data = { amount: back, chargeId, cause, reason, price, reservedAt, failure };
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
  if (!known && asOfRevision < state.refundsForgottenRevision)
    throw new RefundUndecidable(chargeId);
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
