import { z } from 'zod';
import { Intent } from './content.ts';
import { defineEvent, type FactOf } from './define.ts';
import { Billing, Price } from './price.ts';

// These schemas are storage formats: change them only with an upcast and a new specimen.

/** A count of the billing unit: credits, or millionths of the plan's currency. */
const units = z.int();

const actor = z.object({ id: z.string(), email: z.string(), name: z.string() });

/**
 * What every money event carries, so that changing, dropping or reordering one is found:
 * its number in the account's chain and the hashes that link it (docs/audit.md).
 */
const chained = {
  accountId: z.string(),
  /** Id of the ledger row; made of the account's id and the event's revision. */
  entryId: z.string(),
  /** Signed movement. Zero for a message that costs nothing, which leaves no ledger row. */
  amount: units,
  balanceAfter: units,
  at: z.iso.datetime(),
  sequence: z.int().min(1),
  previousHash: z.string(),
  hash: z.string(),
};

/** Terms of the plan that an account is on, as far as its ledger needs them. */
const terms = { planId: z.string(), billing: Billing, currency: z.string() };

export const AccountOpened = defineEvent(
  'AccountOpened',
  z.object({ accountId: z.string(), organisationId: z.string(), name: z.string(), ...terms }),
);

export const PlanAssigned = defineEvent(
  'PlanAssigned',
  z.object({ accountId: z.string(), ...terms }),
);

/** The caps after the change; null is uncapped (contract 7.3). */
export const LimitsSet = defineEvent(
  'LimitsSet',
  z.object({
    accountId: z.string(),
    perMinute: z.int().min(0).nullable(),
    daily: z.int().min(0).nullable(),
    monthly: z.int().min(0).nullable(),
    paused: z.boolean(),
  }),
);

/**
 * The service has paused the account by itself: in one UTC day too many of its callers hung up
 * after the provider had taken their messages. An administrator resumes it with `LimitsSet`.
 */
export const AccountPaused = defineEvent(
  'AccountPaused',
  z.object({
    accountId: z.string(),
    reason: z.enum(['disconnect_refunds']),
    /** UTC, such as `2026-11-21`. */
    day: z.iso.date(),
    /** Reversals of that day, and how many of them the plan allows. */
    count: z.int().min(1),
    limit: z.int().min(1),
  }),
);

/** So much was written to the log on this account's behalf without being paid for. */
export const FreeWritesCounted = defineEvent(
  'FreeWritesCounted',
  z.object({
    accountId: z.string(),
    /** UTC, such as `2026-11-21`. */
    day: z.iso.date(),
    bytes: z.int().min(1),
  }),
);

export const CreditsGranted = defineEvent(
  'CreditsGranted',
  z.object({ ...chained, reason: z.string().nullable(), grantedBy: actor.nullable() }),
);

export const CreditsRevoked = defineEvent(
  'CreditsRevoked',
  z.object({ ...chained, reason: z.string().nullable(), grantedBy: actor.nullable() }),
);

/** Money into or out of a wallet by an administrator. */
export const WalletMoved = defineEvent(
  'WalletMoved',
  z.object({
    ...chained,
    kind: z.enum(['top_up', 'adjustment']),
    reason: z.string().nullable(),
    grantedBy: actor.nullable(),
  }),
);

/** A message may be sent, at this price, and its price is set aside. */
export const ChargeReserved = defineEvent(
  'ChargeReserved',
  z.object({
    ...chained,
    /** Made of the account's id and this event's revision, so that it can be found by its id. */
    chargeId: z.string(),
    /** Event key, `template:<name>` or `bot:<id>`. */
    reason: z.string(),
    price: Price,
    intent: Intent,
  }),
);

export const RefundCause = z.enum([
  /** Nothing was sent: no number, no template, window closed, provider refused, caller gone early. */
  'not_sent',
  /** The provider gave no answer. */
  'unknown_outcome',
  /** The provider took the message, and the caller went away before the answer was written. */
  'disconnected',
  /** Neither message nor refund 15 minutes after the reservation. */
  'expired',
  /** The provider took the message and reported later that it failed. */
  'delivery_failed',
]);
export type RefundCause = z.output<typeof RefundCause>;

/**
 * Whether the provider is known to have taken the message of a refund. Such a message keeps its
 * place in the caps, or hanging up would send past them.
 */
export const wasTaken = (cause: RefundCause): boolean =>
  cause === 'disconnected' || cause === 'delivery_failed';

export const ChargeRefunded = defineEvent(
  'ChargeRefunded',
  z.object({
    ...chained,
    chargeId: z.string(),
    cause: RefundCause,
    /** Repeats its reservation's. */
    reason: z.string(),
    price: Price,
    reservedAt: z.iso.datetime(),
  }),
);

/**
 * The message of a refunded charge went out after all, as a status update showed later. It takes
 * its place in the caps again. Once at most for each charge.
 */
export const RefundedSendCounted = defineEvent(
  'RefundedSendCounted',
  z.object({
    accountId: z.string(),
    chargeId: z.string(),
    reservedAt: z.iso.datetime(),
    at: z.iso.datetime(),
  }),
);

export const accountEvents = [
  AccountOpened,
  PlanAssigned,
  LimitsSet,
  AccountPaused,
  FreeWritesCounted,
  CreditsGranted,
  CreditsRevoked,
  WalletMoved,
  ChargeReserved,
  ChargeRefunded,
  RefundedSendCounted,
] as const;
export type AccountFact = FactOf<(typeof accountEvents)[number]>;

/** The events that move money, or would have: the links of the hash chain. */
export const moneyEventTypes = [
  'CreditsGranted',
  'CreditsRevoked',
  'WalletMoved',
  'ChargeReserved',
  'ChargeRefunded',
] as const;
export type MoneyFact = Extract<AccountFact, { type: (typeof moneyEventTypes)[number] }>;
