import type {
  AccountPaused,
  DirectSend,
  QuietHours,
  RefundCause,
  SendFailure,
  SendsRefused,
} from '../../events/account.ts';
import type { Intent } from '../../events/content.ts';
import type { FactOf } from '../../events/define.ts';
import type { Named } from '../../events/personal.ts';
import type { Billing, Price } from '../../events/price.ts';
import type { Actor } from '../../events/store.ts';
import { type Limits, noUsage, type Period, type Usage } from '../../shared/usage.ts';
import { noCharges, type RecentCharges } from './recent-charges.ts';

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
  /** Length of the hash chain. */
  sequence: number;
  /**
   * The latest refunds, oldest first, and the revision up to which refunds are forgotten. A charge
   * that is not in the list was neither refunded nor counted after that revision.
   */
  refunds: readonly KnownRefund[];
  refundsForgottenRevision: number;
  /** Upper bound of the open reservations, in the account's unit. */
  charges: RecentCharges;
  /** Charges of sent messages that were given back after hang-ups, by UTC day. */
  reversals: readonly Period[];
  /** Bytes that were written for free, by UTC day. */
  freeWrites: readonly Period[];
  /** Why the service has paused the account; null when it did not. */
  pausedFor: PausedFor | null;
  /** Revision of the latest reservation that took something; -1 before the first. */
  chargedRevision: number;
  /** The balance below which the owner is warned, in the account's unit; null for none. */
  balanceLow: number | null;
  /** Whether sends are strict where their body does not say it. */
  strict: boolean;
  directSend: DirectSend;
  /** Of recipients whose zone is not known: an IANA name. */
  timeZone: string;
  quietHours: QuietHours | null;
}

/** A charge that was refunded. */
export interface KnownRefund {
  chargeId: string;
  /** Of the refund, or of the later event that counted its message. */
  revision: number;
  /** Whether its message counts in the caps. */
  counted: boolean;
}

type PausedFor = Pick<FactOf<typeof AccountPaused>['data'], 'reason' | 'day' | 'count'>;

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

/** What a refund needs to know of its reservation. */
export interface Reservation {
  chargeId: string;
  /** Signed movement of the reservation: zero or below. */
  amount: number;
  reason: string;
  price: Price;
  reservedAt: string;
  /** Revision of the account's stream at which the charge was not refunded: its own, or a later one. */
  unrefundedRevision: number;
}

/** Whether a charge had neither message nor refund, as of a revision of the account's stream. */
export interface OpenCharges {
  open: boolean;
  asOfRevision: number;
}

/** What a quote promised: the cost of each message in the account's unit, for a time. */
export interface QuotedPrices extends Pick<Terms, 'billing' | 'currency'> {
  /** By `quotedAs`. */
  units: Readonly<Record<string, number>>;
  validUntil: number;
}

export interface ReserveTerms {
  at: number;
  price: Price;
  /** The message costs what was quoted, or is refused. */
  quoted?: QuotedPrices | undefined;
  /** Bytes in a UTC day after which nothing more is written for free; none when absent or null. */
  freeBytesMax?: number | null;
}

/** What is absent stays as it is. */
export interface LimitsChange {
  limits: Partial<Limits>;
  strict?: boolean | undefined;
  directSend?: DirectSend | undefined;
  timeZone?: string | undefined;
  quietHours?: QuietHours | null | undefined;
  /** Null for no threshold. */
  balanceLow?: { billing: Billing; amount: number } | null | undefined;
}

/** A movement that an administrator makes. */
interface ByHand {
  at: number;
  amount: number;
  reason: string | null;
  by: Actor | null;
  /** False once another process may have taken the request up; it finds what was moved, and moves nothing itself. */
  isOwn?: () => boolean;
}

export type AccountCommand =
  | { type: 'Open'; accountId: string; organisationId: string; name: string; terms: Terms }
  | {
      type: 'AssignPlan';
      terms: Terms;
      /** The look-up of open charges; needed when the plan counts in another unit. */
      found?: OpenCharges | undefined;
    }
  | ({ type: 'SetLimits' } & LimitsChange)
  | ({ type: 'GrantCredits' | 'RevokeCredits' } & ByHand)
  | ({ type: 'MoveWallet'; kind: 'top_up' | 'adjustment' } & ByHand)
  | ({
      type: 'Reserve';
      reason: string;
      /** The recipient of the intent. */
      contactRef: string;
      intent: Intent;
      /** Further contacts that the intent names. */
      otherRefs?: string[];
      named?: Named[];
    } & ReserveTerms)
  /** Refuses like `Reserve`, and adds nothing. */
  | ({ type: 'MayReserve' } & ReserveTerms)
  | { type: 'CountFreeWrites'; day: string; bytes: number }
  | ({ type: 'CountRefusals' } & Omit<FactOf<typeof SendsRefused>['data'], 'accountId'>)
  | {
      type: 'Refund';
      at: number;
      cause: RefundCause;
      failure?: SendFailure | undefined;
      reservation: Reservation;
      /** Reversals in a UTC day after which the account is paused; none when absent or null. */
      reversalsMax?: number | null;
      isOwn?: (() => boolean) | undefined;
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
  refunds: [],
  refundsForgottenRevision: -1,
  charges: noCharges,
  chargedRevision: -1,
  reversals: [],
  freeWrites: [],
  pausedFor: null,
  balanceLow: null,
  strict: false,
  directSend: 'off',
  timeZone: 'UTC',
  quietHours: null,
};

/** Whether amounts under these terms are counted in the same unit. */
export const isSameUnit = (
  one: Pick<Terms, 'billing' | 'currency'>,
  other: Pick<Terms, 'billing' | 'currency'>,
): boolean => one.billing === other.billing && one.currency === other.currency;
