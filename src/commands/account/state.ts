import {
  type AccountFact,
  type AccountPaused,
  type Billing,
  type MoneyFact,
  type Price,
  type RefundCause,
  wasTaken,
} from '../../events/account.ts';
import type { Intent } from '../../events/content.ts';
import type { FactOf } from '../../events/define.ts';
import type { Actor } from '../../events/store.ts';
import { addPeriod, noUsage, type Period, type Usage, usageBy } from '../../shared/usage.ts';
import { CHAIN_START } from './chain.ts';
import { addCharge, noCharges, type RecentCharges } from './recent-charges.ts';

/** Quarter seconds: a per-minute cap clears late by no more. */
export const windows = usageBy(250);

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
   * The latest refunds, oldest first, and the revision up to which refunds have been forgotten: of
   * a charge that is not among them nothing happened after that revision.
   */
  refunds: readonly KnownRefund[];
  refundsForgottenAt: number;
  /** What may still be given back soon, in the account's unit. */
  charges: RecentCharges;
  /** UTC days, and how many charges of messages that went out were given back to hang-ups. */
  reversals: readonly Period[];
  /** UTC days, and the bytes that were written for free. */
  freeWrites: readonly Period[];
  /** Why the service has paused the account; null when it did not. */
  pausedFor: PausedFor | null;
  /** Revision of the latest reservation that took something; -1 before the first. */
  chargedAt: number;
}

/** A charge that was refunded. */
export interface KnownRefund {
  chargeId: string;
  /** Of the refund, or of the later event that counted its message. */
  revision: number;
  /** Whether its message counts in the caps. */
  counted: boolean;
}

export type PausedFor = Pick<FactOf<typeof AccountPaused>['data'], 'reason' | 'day' | 'count'>;

/** Bounds of an account; smaller ones are for tests. */
export interface AccountBounds {
  /** Refunds that an account's state remembers. */
  refundsKept: number;
  /** Units (credits, or millionths) that no administrator's movement takes the balance above. */
  balanceMax: number;
}

export const accountBounds: AccountBounds = {
  refundsKept: 1000,
  balanceMax: 9_000_000_000_000,
};

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

/** Whether charges were open, having neither message nor refund, as of a revision of the stream. */
export interface OpenCharges {
  open: boolean;
  asOfRevision: number;
}

interface ReserveTerms {
  at: number;
  price: Price;
  /** Bytes in a UTC day after which nothing more is written for free; none when absent or null. */
  freeBytesMax?: number | null;
}

export type AccountCommand =
  | { type: 'Open'; accountId: string; organisationId: string; name: string; terms: Terms }
  | {
      type: 'AssignPlan';
      terms: Terms;
      /** What was found of open charges; needed where the plan counts in another unit. */
      found?: OpenCharges | undefined;
    }
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
  | ({ type: 'Reserve'; reason: string; intent: Intent } & ReserveTerms)
  /** Refuses what a reservation would be refused, and adds nothing. */
  | ({ type: 'MayReserve' } & ReserveTerms)
  | { type: 'CountFreeWrites'; day: string; bytes: number }
  | {
      type: 'Refund';
      at: number;
      cause: RefundCause;
      reservation: Reservation;
      /** Reversals in a UTC day after which the account is paused; none when absent or null. */
      reversalsMax?: number | null;
    }
  /** Counts the message of a refunded charge in the caps, where it does not count already. */
  | {
      type: 'CountRefundedSend';
      at: number;
      chargeId: string;
      reservedAt: string;
      /** Whether the charge was refunded and its message not counted, as of a revision. */
      uncounted: boolean;
      asOfRevision: number;
    };

export const initialAccount: AccountState = {
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
  refunds: [],
  refundsForgottenAt: -1,
  charges: noCharges,
  chargedAt: -1,
  reversals: [],
  freeWrites: [],
  pausedFor: null,
};

/** Whether amounts under these terms are counted in the same unit. */
export const isSameUnit = (
  one: Pick<Terms, 'billing' | 'currency'>,
  other: Pick<Terms, 'billing' | 'currency'>,
): boolean => one.billing === other.billing && one.currency === other.currency;

export const evolveAccount = (
  { refundsKept }: Pick<AccountBounds, 'refundsKept'>,
  state: AccountState,
  fact: AccountFact,
): AccountState => {
  const next = { ...state, revision: state.revision + 1 };
  switch (fact.type) {
    case 'AccountOpened': {
      const { organisationId, name, planId, billing, currency } = fact.data;
      return { ...next, opened: true, organisationId, name, planId, billing, currency };
    }
    case 'PlanAssigned': {
      const { planId, billing, currency } = fact.data;
      const charges = isSameUnit(state, fact.data) ? state.charges : noCharges;
      return { ...next, planId, billing, currency, charges };
    }
    case 'LimitsSet': {
      const { perMinute, daily, monthly, paused } = fact.data;
      const limits = { perMinute, daily, monthly, paused };
      if (paused) return { ...next, limits };
      // Whoever resumes an account has looked into it: the count begins anew.
      return {
        ...next,
        limits,
        pausedFor: null,
        reversals: state.pausedFor ? [] : state.reversals,
      };
    }
    case 'AccountPaused': {
      const { reason, day, count } = fact.data;
      const limits = { ...state.limits, paused: true };
      return { ...next, limits, pausedFor: { reason, day, count } };
    }
    case 'FreeWritesCounted': {
      const { day, bytes } = fact.data;
      return { ...next, freeWrites: addPeriod(state.freeWrites, day, bytes) };
    }
    case 'CreditsGranted':
    case 'CreditsRevoked':
    case 'WalletMoved':
      return { ...next, ...linked(fact) };
    case 'ChargeReserved': {
      const { at, amount } = fact.data;
      return {
        ...next,
        ...linked(fact),
        usage: windows.add(state.usage, at, 1),
        charges: addCharge(state.charges, at, -amount),
        chargedAt: amount === 0 ? state.chargedAt : next.revision,
      };
    }
    case 'ChargeRefunded': {
      const { reservedAt, amount, chargeId, cause, at } = fact.data;
      const isReversal = cause === 'disconnected';
      const counted = wasTaken(cause);
      return {
        ...next,
        ...linked(fact),
        usage: counted ? state.usage : windows.add(state.usage, reservedAt, -1),
        reversals: isReversal ? addPeriod(state.reversals, dayOf(at), 1) : state.reversals,
        charges: addCharge(state.charges, reservedAt, -amount),
        ...remember(state, { chargeId, counted }, refundsKept),
      };
    }
    case 'RefundedSendCounted': {
      const { chargeId, reservedAt, at } = fact.data;
      return {
        ...next,
        usage: windows.addBack(state.usage, reservedAt, at),
        ...remember(state, { chargeId, counted: true }, refundsKept),
      };
    }
  }
};

/** The UTC day of a time in ISO 8601. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The UTC month of a time in ISO 8601. */
export const monthOf = (at: string): string => at.slice(0, 7);

const linked = ({ data }: MoneyFact) => ({
  balance: data.balanceAfter,
  sequence: data.sequence,
  hash: data.hash,
});

const remember = (state: AccountState, known: Omit<KnownRefund, 'revision'>, kept: number) => {
  const others = state.refunds.filter(({ chargeId }) => chargeId !== known.chargeId);
  const refunds = [...others, { ...known, revision: state.revision + 1 }];
  if (refunds.length <= kept) return { refunds };
  return { refunds: refunds.slice(1), refundsForgottenAt: refunds[0]!.revision };
};
