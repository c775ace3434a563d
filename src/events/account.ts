import { z } from 'zod';
import { withoutLink } from './chain.ts';
import { chargeForm, chargeUpcasts } from './charge-form.ts';
import { defineEvent, type FactOf, type Form } from './define.ts';
import { Outline, Said } from './intent.ts';
import { namesOthers, personal } from './personal.ts';
import { Billing, Price } from './price.ts';

// Events of an account's stream.

/**
 * The balance below which the account's owner is told, in the account's unit; null for none. A plan of
 * another unit ends it.
 */
export const BalanceThresholdSet = defineEvent(
  'BalanceThresholdSet',
  z.object({ accountId: z.string(), threshold: z.int().min(0).nullable() }),
);

/** A movement took the balance below the threshold. */
export const BalanceFell = defineEvent(
  'BalanceFell',
  z.object({
    accountId: z.string(),
    billing: Billing,
    currency: z.string(),
    balance: z.int(),
    threshold: z.int(),
  }),
);

/** Whether sends of the account are strict where their body does not say it. In an account's stream. */
export const StrictSendingSet = defineEvent(
  'StrictSendingSet',
  z.object({ accountId: z.string(), strict: z.boolean() }),
);

/** Whether events without an approved template go out without one; `off` until it is set. */
export const DirectSend = z.enum(['off', 'fallback']);
export type DirectSend = z.output<typeof DirectSend>;

export const DirectSendSet = defineEvent(
  'DirectSendSet',
  z.object({ accountId: z.string(), directSend: DirectSend }),
);

/** Hours of the day, as `21:00`, in which messages of a category are held until the hours end. */
const Hours = z.object({ from: z.string(), until: z.string() });
export const QuietHours = z.object({ MARKETING: Hours.optional(), UTILITY: Hours.optional() });
export type QuietHours = z.output<typeof QuietHours>;

/** What an account's sends are held by, and the time zone of recipients whose zone is not known. */
export const SendingHoursSet = defineEvent(
  'SendingHoursSet',
  z.object({ accountId: z.string(), timeZone: z.string(), quietHours: QuietHours.nullable() }),
);

const accountSettingEvents = [
  BalanceThresholdSet,
  BalanceFell,
  StrictSendingSet,
  DirectSendSet,
  SendingHoursSet,
] as const;

// These schemas are storage formats: change them only with an upcast and a new specimen.

/** A count of the billing unit: credits, or millionths of the plan's currency. */
const units = z.int();

/** The stored form of a link, but for that of a charge. */
const linkForm: Form = { pack: withoutLink, unpack: (stored) => stored };

/** Of a person the id alone. */
const actor = z.object({
  id: z.string(),
  email: z.string().optional(),
  name: z.string().optional(),
});

/**
 * The fields of every money event. Its number in the account's chain and the hashes reveal a changed,
 * dropped or reordered event (docs/seals.md). The hashes lie beside the stored text: they are empty until
 * the event is stored.
 */
const chained = {
  accountId: z.string(),
  /** Id of the ledger row, from the account's id and the event's revision. */
  entryId: z.string(),
  /** Signed movement. Zero for a message that costs nothing, which leaves no ledger row. */
  amount: units,
  balanceAfter: units,
  at: z.iso.datetime(),
  sequence: z.int().min(1),
  previousHash: z.string(),
  hash: z.string(),
};

/** Version 1 holds the hashes in its data. */
const linked = [[(v1: Record<string, unknown>) => v1], linkForm] as const;

/** The terms of an account's plan that its ledger needs. */
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
 * The service paused the account: in one UTC day too many of its callers hung up after the provider
 * had accepted their messages. An administrator resumes the account with `LimitsSet`.
 */
export const AccountPaused = defineEvent(
  'AccountPaused',
  z.object({
    accountId: z.string(),
    reason: z.enum(['disconnect_refunds']),
    /** UTC, such as `2026-11-21`. */
    day: z.iso.date(),
    /** Reversals of that day, and the plan's limit. */
    count: z.int().min(1),
    limit: z.int().min(1),
  }),
);

/** Bytes that were written to the log for this account for free. */
export const FreeWritesCounted = defineEvent(
  'FreeWritesCounted',
  z.object({
    accountId: z.string(),
    /** UTC, such as `2026-11-21`. */
    day: z.iso.date(),
    bytes: z.int().min(1),
  }),
);

/** Sends that were refused before a charge in one minute, under one code. */
export const SendsRefused = defineEvent(
  'SendsRefused',
  z.object({
    accountId: z.string(),
    code: z.string(),
    /** Its beginning. */
    minute: z.iso.datetime(),
    count: z.int().min(1),
    firstRequestId: z.string(),
    lastRequestId: z.string(),
    /** The last recipient; null where none is known. */
    contactRef: z.string().nullable(),
    to: personal(z.string()),
  }),
);

export const CreditsGranted = defineEvent(
  'CreditsGranted',
  z.object({ ...chained, reason: z.string().nullable(), grantedBy: actor.nullable() }),
  ...linked,
);

export const CreditsRevoked = defineEvent(
  'CreditsRevoked',
  z.object({ ...chained, reason: z.string().nullable(), grantedBy: actor.nullable() }),
  ...linked,
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
  ...linked,
);

/** The price of a message is reserved; the message may be sent. */
export const ChargeReserved = defineEvent(
  'ChargeReserved',
  z.object({
    ...chained,
    /** Contains the account's id and this event's revision, so that the id finds the event. */
    chargeId: z.string(),
    /** Event key, `template:<name>` or `bot:<id>`. */
    reason: z.string(),
    price: Price,
    /** The recipient; in version 1 the recipient's id in clear. */
    contactRef: z.string(),
    outline: Outline,
    said: personal(Said),
    ...namesOthers,
  }),
  chargeUpcasts,
  chargeForm,
);

export const RefundCause = z.enum([
  /** Not sent: no number, no template, closed window, provider's refusal, or an early hang-up. */
  'not_sent',
  /** The provider did not answer. */
  'unknown_outcome',
  /** The provider accepted the message, and the caller hung up before the answer. */
  'disconnected',
  /** There was neither a message nor a refund 15 minutes after the reservation. */
  'expired',
  /** The provider accepted the message and reported its failure later. */
  'delivery_failed',
]);
export type RefundCause = z.output<typeof RefundCause>;

/**
 * Whether the provider is known to have taken the message of a refund. Such a message keeps its
 * place in the caps, or hanging up would send past them.
 */
export const wasTaken = (cause: RefundCause): boolean =>
  cause === 'disconnected' || cause === 'delivery_failed';

/** Why a message was not sent. Nothing of the message, nor of what the provider said of it. */
export const SendFailure = z.object({
  /** Our public code, such as `SEND_FAILED` or `NO_PHONE`. */
  code: z.string(),
  /** The provider's code and its documented title, where it refused. */
  providerCode: z.int().optional(),
  title: z.string().optional(),
  /** Time of the provider's call in milliseconds, where it was called. */
  tookMs: z.int().min(0).optional(),
});
export type SendFailure = z.output<typeof SendFailure>;

/** The caller hung up before the provider was called. */
export const CALLER_GONE = 'CALLER_GONE';
/** The provider was not reached. */
export const PROVIDER_UNREACHABLE = 'PROVIDER_UNREACHABLE';

/** Null stands for no failure, so that the form of a version tells it apart from the one before. */
const refundForm: Form = {
  pack: (data) => ({ ...withoutLink(data), failure: data.failure ?? null }),
  unpack: ({ failure, ...stored }) => (failure === null ? stored : { ...stored, failure }),
};

export const ChargeRefunded = defineEvent(
  'ChargeRefunded',
  z.object({
    ...chained,
    chargeId: z.string(),
    cause: RefundCause,
    /** The reason of its reservation. */
    reason: z.string(),
    price: Price,
    reservedAt: z.iso.datetime(),
    /** Absent where the message went out, where nothing tells why it did not, and in version 2. */
    failure: SendFailure.optional(),
  }),
  [(v1) => v1, (v2) => v2],
  refundForm,
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
  ...accountSettingEvents,
  FreeWritesCounted,
  SendsRefused,
  CreditsGranted,
  CreditsRevoked,
  WalletMoved,
  ChargeReserved,
  ChargeRefunded,
  RefundedSendCounted,
] as const;
export type AccountFact = FactOf<(typeof accountEvents)[number]>;

/** The money events, free ones included: the links of the hash chain. */
export const moneyEventTypes = [
  'CreditsGranted',
  'CreditsRevoked',
  'WalletMoved',
  'ChargeReserved',
  'ChargeRefunded',
] as const;
export type MoneyFact = Extract<AccountFact, { type: (typeof moneyEventTypes)[number] }>;

/** What became of an attempt to send that has no message, or whose caller hung up. */
export const unsentStates = [
  'refused',
  'unreachable',
  'unknown',
  'not_sent',
  'disconnected',
  'swept',
] as const;
export type UnsentState = (typeof unsentStates)[number];

const statesByCode: Readonly<Record<string, UnsentState>> = {
  SEND_FAILED: 'refused',
  [PROVIDER_UNREACHABLE]: 'unreachable',
  [CALLER_GONE]: 'disconnected',
};

/** Null for a message that went out and failed later. */
export const unsentStateOf = ({
  cause,
  failure,
}: Pick<FactOf<typeof ChargeRefunded>['data'], 'cause' | 'failure'>): UnsentState | null => {
  switch (cause) {
    case 'not_sent':
      return statesByCode[failure?.code ?? ''] ?? 'not_sent';
    case 'unknown_outcome':
      return 'unknown';
    case 'disconnected':
      return 'disconnected';
    case 'expired':
      return 'swept';
    case 'delivery_failed':
      return null;
  }
};

/** Causes as callers see them: the sweep refunds an expired charge. */
export type RefundWord = Exclude<RefundCause, 'expired'> | 'swept';

export const refundWordOf = (cause: RefundCause): RefundWord =>
  cause === 'expired' ? 'swept' : cause;
