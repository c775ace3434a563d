import { isoTime } from '../clock.ts';
import { AppError } from '../errors.ts';
import {
  type AccountFact,
  AccountOpened,
  type Billing,
  ChargeRefunded,
  ChargeReserved,
  CreditsGranted,
  CreditsRevoked,
  LimitsSet,
  type MoneyFact,
  PlanAssigned,
  type Price,
  type RefundCause,
  WalletMoved,
} from '../events/account.ts';
import type { Intent } from '../events/content.ts';
import type { EventDefinition } from '../events/define.ts';
import type { Actor } from '../events/store.ts';
import { CHAIN_START, linkHash } from './chain.ts';
import type { Decider } from './decider.ts';
import { chargeIdOf, entryIdOf } from './identifiers.ts';
import { formatAmount } from './money.ts';
import { addUsage, noUsage, type Usage, type UsageCounts, usageAt } from './usage.ts';

/** Caps on outbound messages; null is uncapped (contract 7.3). */
export interface Limits {
  perMinute: number | null;
  daily: number | null;
  monthly: number | null;
  paused: boolean;
}

/** Terms of the plan an account is on. */
export interface Terms {
  planId: string;
  billing: Billing;
  currency: string;
}

export interface AccountState extends Terms {
  opened: boolean;
  organisationId: string;
  name: string;
  /** Credits, or millionths of the currency on a wallet plan. */
  balance: number;
  limits: Limits;
  usage: Usage;
  /** Revision of the last event; -1 before the first. */
  revision: number;
  /** Length and end of the hash chain. */
  sequence: number;
  hash: string;
  /**
   * The latest refunded charges, oldest first, and the revision up to which refunds have been
   * forgotten: a charge that is not among them was not refunded since that revision.
   */
  refunded: readonly string[];
  refundsForgottenAt: number;
  /** Revisions at which `refunded` grew; the oldest of them moves the line above. */
  refundedAt: readonly number[];
}

/** Refunds remembered by an account's state. */
const REFUNDS_KEPT = 1000;

/** A reservation, as whoever refunds it must know it. */
export interface Reservation {
  chargeId: string;
  /** Signed movement of the reservation: zero or below. */
  amount: number;
  reason: string;
  price: Price;
  reservedAt: string;
  /** Its own revision in the account's stream, or a later one at which it was seen unrefunded. */
  unrefundedAt: number;
}

/**
 * Whether the charge has been refunded cannot be told from the account's state alone: too many
 * refunds have been made since `unrefundedAt`. Ask again with a later one.
 */
export class RefundUndecidable extends Error {
  constructor(chargeId: string) {
    super(`whether ${chargeId} was refunded must be looked up`);
    this.name = 'RefundUndecidable';
  }
}

/** The account left the plan under which the price was made; price again. */
export class StalePrice extends Error {
  constructor() {
    super('the price was made under another plan');
    this.name = 'StalePrice';
  }
}

export type AccountCommand =
  | { type: 'Open'; accountId: string; organisationId: string; name: string; terms: Terms }
  | { type: 'AssignPlan'; terms: Terms }
  | { type: 'SetLimits'; limits: Partial<Limits> }
  | { type: 'GrantCredits'; at: number; amount: number; reason: string | null; by: Actor | null }
  | { type: 'RevokeCredits'; at: number; amount: number; reason: string | null; by: Actor | null }
  | {
      type: 'MoveWallet';
      at: number;
      kind: 'top_up' | 'adjustment';
      amount: number;
      reason: string | null;
      by: Actor | null;
    }
  | { type: 'Reserve'; at: number; reason: string; price: Price; intent: Intent }
  | { type: 'Refund'; at: number; cause: RefundCause; reservation: Reservation };

/**
 * "May this account send this, now, at this price": balance, caps, reservations and refunds are
 * one consistency boundary.
 */
export const accountDecider = (
  accountId: string,
): Decider<AccountState, AccountCommand, AccountFact> => ({
  category: 'account',
  initial,
  evolve,
  decide: (command, state) => decide(accountId, command, state),
  snapshot: { version: 1, every: 1000 },
});

const initial: AccountState = {
  opened: false,
  organisationId: '',
  name: '',
  planId: '',
  billing: 'credits',
  currency: '',
  balance: 0,
  limits: { perMinute: null, daily: null, monthly: null, paused: false },
  usage: noUsage,
  revision: -1,
  sequence: 0,
  hash: CHAIN_START,
  refunded: [],
  refundedAt: [],
  refundsForgottenAt: -1,
};

const evolve = (state: AccountState, fact: AccountFact): AccountState => {
  const next = { ...state, revision: state.revision + 1 };
  switch (fact.type) {
    case 'AccountOpened': {
      const { organisationId, name, planId, billing, currency } = fact.data;
      return { ...next, opened: true, organisationId, name, planId, billing, currency };
    }
    case 'PlanAssigned': {
      const { planId, billing, currency } = fact.data;
      return { ...next, planId, billing, currency };
    }
    case 'LimitsSet': {
      const { perMinute, daily, monthly, paused } = fact.data;
      return { ...next, limits: { perMinute, daily, monthly, paused } };
    }
    case 'CreditsGranted':
    case 'CreditsRevoked':
    case 'WalletMoved':
      return { ...next, ...linked(fact) };
    case 'ChargeReserved':
      return { ...next, ...linked(fact), usage: addUsage(state.usage, fact.data.at, 1) };
    case 'ChargeRefunded':
      return {
        ...next,
        ...linked(fact),
        usage: addUsage(state.usage, fact.data.reservedAt, -1),
        ...remember(state, fact.data.chargeId),
      };
  }
};

const linked = ({ data }: MoneyFact) => ({
  balance: data.balanceAfter,
  sequence: data.sequence,
  hash: data.hash,
});

const remember = (state: AccountState, chargeId: string) => {
  const refunded = [...state.refunded, chargeId];
  const refundedAt = [...state.refundedAt, state.revision + 1];
  if (refunded.length <= REFUNDS_KEPT) return { refunded, refundedAt };
  return {
    refunded: refunded.slice(1),
    refundedAt: refundedAt.slice(1),
    refundsForgottenAt: refundedAt[0]!,
  };
};

const decide = (
  accountId: string,
  command: AccountCommand,
  state: AccountState,
): readonly AccountFact[] => {
  if (command.type === 'Open') {
    if (state.opened) throw new AppError('account.conflict', 'The account exists already');
    const { organisationId, name, terms } = command;
    return [AccountOpened.of({ accountId, organisationId, name, ...terms })];
  }
  if (!state.opened) throw new AppError('resource.unknown', 'Account not found');
  switch (command.type) {
    case 'AssignPlan':
      return assignPlan(accountId, command.terms, state);
    case 'SetLimits':
      return setLimits(accountId, command.limits, state);
    case 'GrantCredits':
    case 'RevokeCredits':
      return moveCredits(accountId, command, state);
    case 'MoveWallet':
      return moveWallet(accountId, command, state);
    case 'Reserve':
      return reserve(accountId, command, state);
    case 'Refund':
      return refund(accountId, command, state);
  }
};

const assignPlan = (accountId: string, terms: Terms, state: AccountState) => {
  const { planId, billing, currency } = terms;
  if (planId === state.planId) return [];
  const sameUnit = billing === state.billing && currency === state.currency;
  if (!sameUnit && state.balance !== 0) {
    throw new AppError(
      'account.conflict',
      'The plan counts in another unit than the balance that is left on the account',
    );
  }
  return [PlanAssigned.of({ accountId, planId, billing, currency })];
};

const setLimits = (accountId: string, change: Partial<Limits>, state: AccountState) => {
  const { perMinute, daily, monthly, paused } = { ...state.limits, ...change };
  const before = state.limits;
  const same =
    perMinute === before.perMinute &&
    daily === before.daily &&
    monthly === before.monthly &&
    paused === before.paused;
  return same ? [] : [LimitsSet.of({ accountId, perMinute, daily, monthly, paused })];
};

/** Makes the next link of the account's chain: amount, balance after it, ids and hash. */
const link = <T extends MoneyFact['type'], D>(
  definition: EventDefinition<T, D>,
  accountId: string,
  state: AccountState,
  at: number,
  data: { amount: number } & Omit<
    D,
    'accountId' | 'entryId' | 'balanceAfter' | 'at' | 'sequence' | 'previousHash' | 'hash'
  >,
) => {
  const unlinked = {
    accountId,
    entryId: entryIdOf(accountId, state.revision + 1),
    ...data,
    balanceAfter: state.balance + data.amount,
    at: isoTime(at),
    sequence: state.sequence + 1,
    previousHash: state.hash,
  };
  const hash = linkHash(definition.type, unlinked);
  return definition.of({ ...unlinked, hash } as D);
};

const moveCredits = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'GrantCredits' | 'RevokeCredits' }>,
  state: AccountState,
): readonly AccountFact[] => {
  const { amount, reason, by: grantedBy } = command;
  if (state.billing !== 'credits') {
    throw new AppError('account.conflict', 'The account is on a wallet plan: top up its wallet');
  }
  if (command.type === 'GrantCredits') {
    mustFit(state.balance + amount);
    return [link(CreditsGranted, accountId, state, command.at, { amount, reason, grantedBy })];
  }
  mustCover(state, amount);
  return [
    link(CreditsRevoked, accountId, state, command.at, { amount: -amount, reason, grantedBy }),
  ];
};

const moveWallet = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'MoveWallet' }>,
  state: AccountState,
): readonly AccountFact[] => {
  const { amount, kind, reason, by: grantedBy } = command;
  if (state.billing !== 'wallet') {
    throw new AppError('account.conflict', 'The account is on a credit plan: grant credits');
  }
  mustFit(state.balance + amount);
  if (amount < 0) mustCover(state, -amount);
  return [link(WalletMoved, accountId, state, command.at, { amount, kind, reason, grantedBy })];
};

const mustFit = (balance: number) => {
  if (!Number.isSafeInteger(balance)) {
    throw new AppError('account.conflict', 'The balance would be too large to be counted exactly');
  }
};

const mustCover = (state: AccountState, amount: number) => {
  if (amount > state.balance) {
    throw new AppError('account.conflict', 'The balance cannot go below zero');
  }
};

const reserve = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'Reserve' }>,
  state: AccountState,
): readonly AccountFact[] => {
  const { price, reason, intent, at } = command;
  if (price.planId !== state.planId) throw new StalePrice();
  refuseOverCap(state, at);
  refuseUncovered(state, price);
  const taken = costOf(price);
  return [
    link(ChargeReserved, accountId, state, at, {
      amount: taken === 0 ? 0 : -taken,
      chargeId: chargeIdOf(accountId, state.revision + 1),
      reason,
      price,
      intent,
    }),
  ];
};

/** What a message takes from the balance, in the balance's unit. */
const costOf = (price: Price): number =>
  price.billing === 'credits' ? price.creditsRequired : price.sellPrice;

const capMessages = {
  paused: 'Sending is paused for this account',
  perMinute: 'The per-minute sending cap of this account is reached',
  daily: 'The daily sending cap of this account is reached',
  monthly: 'The monthly sending cap of this account is reached',
};

const refuseOverCap = (state: AccountState, at: number) => {
  const { limits } = state;
  const usage = usageAt(state.usage, at);
  const limit = capReached(limits, usage);
  if (!limit) return;
  throw new AppError('account.cap_reached', capMessages[limit], {
    body: { limit, usage, limits },
    ...(limit === 'perMinute' && { headers: { 'Retry-After': '60' } }),
  });
};

/** The first cap that one more message would pass, in the order of decisions 5. */
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
      : `Not enough balance: ${formatAmount(price.sellPrice)} ${price.currency} needed, ${formatAmount(state.balance)} left`,
    {
      body: {
        reason: credits ? 'INSUFFICIENT_CREDITS' : 'INSUFFICIENT_BALANCE',
        category: price.category,
        creditsRequired: price.creditsRequired,
        price: formatAmount(price.sellPrice),
        currency: price.currency,
        balance: credits ? state.balance : formatAmount(state.balance),
      },
    },
  );
};

const refund = (
  accountId: string,
  command: Extract<AccountCommand, { type: 'Refund' }>,
  state: AccountState,
): readonly AccountFact[] => {
  const { at, cause, reservation } = command;
  const { chargeId, amount, reason, price, reservedAt, unrefundedAt } = reservation;
  if (state.refunded.includes(chargeId)) return [];
  if (unrefundedAt < state.refundsForgottenAt) throw new RefundUndecidable(chargeId);
  // Credits cannot be given back to a wallet, nor one currency as another: an account can change
  // its unit at a zero balance only, and what was still open then is closed without a movement.
  const sameUnit = price.billing === state.billing && price.currency === state.currency;
  return [
    link(ChargeRefunded, accountId, state, at, {
      amount: sameUnit && amount !== 0 ? -amount : 0,
      chargeId,
      cause,
      reason,
      price,
      reservedAt,
    }),
  ];
};
