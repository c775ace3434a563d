import { pricingTypeOf } from '../commands/pricing/rate-card.ts';
import { billedCategory, pricingWord } from '../commands/pricing/template-category.ts';
import type { RefundCause } from '../events/account.ts';
import type { Category } from '../events/category.ts';
import { type Pricing, statusRank } from '../events/message.ts';

// What was charged for one message, what the provider said of it, and whether the two agree.

/** The charge of a message, as a comparison needs it. */
export interface Charged {
  /** What the account paid, in its unit; 0 for a message that its plan gives away. */
  amount: number;
  category: Category;
  /** Whether the plan gives back what a failed message cost. */
  refundOnFailure: boolean;
  /** Why the charge was given back; null while it is kept. */
  refundCause: RefundCause | null;
  /** What the provider takes by the rate card of the charge, in millionths; null without a card. */
  providerCost: number | null;
  /** The message of a charge that was given back went out after all. */
  wentOut: boolean;
}

/** What the statuses of a message say together. */
export interface Told {
  /** The status with the highest rank; null without a status. */
  status: string | null;
  /** The first type of a pricing, in one spelling: `regular`, or a word that begins with `free`. */
  type: string | null;
  /** The first category of a pricing, as analytics write it: `AUTHENTICATION_INTERNATIONAL`. */
  category: string | null;
  /** Time of the first proof of delivery; null without one. */
  deliveredAt: string | null;
}

export const untold: Told = { status: null, type: null, category: null, deliveredAt: null };

const proofs: ReadonlySet<string> = new Set(['delivered', 'read']);

/** The provider's spelling of a category in analytics. */
export const categoryWord = (value: unknown): string | null =>
  pricingWord(value)?.toUpperCase() ?? null;

/** What is known after one more status. */
export const tell = (
  before: Told,
  status: { status: string; statusAt: string; pricing: Pricing | null },
): Told => {
  const isHigher = statusRank(status.status) > statusRank(before.status);
  const isProof = proofs.has(status.status);
  return {
    status: isHigher || before.status === null ? status.status : before.status,
    type: before.type ?? pricingTypeOf(status.pricing),
    category: before.category ?? categoryWord(status.pricing?.category),
    deliveredAt: before.deliveredAt ?? (isProof ? status.statusAt : null),
  };
};

/** The provider takes money for the message, or will on its delivery. */
const isBilled = ({ type, status }: Told): boolean => type === 'regular' && status !== 'failed';

const isFree = ({ type }: Told): boolean => type?.startsWith('free') ?? false;

/** A category with rates of its own, which are far higher. */
const INTERNATIONAL = 'AUTHENTICATION_INTERNATIONAL';

const isOtherCategory = ({ category: charged }: Charged, { category }: Told): boolean => {
  const billed = billedCategory({ category });
  return category === INTERNATIONAL || (billed !== undefined && billed !== charged);
};

/** In the order in which reports show them. */
export const differenceKinds = [
  /** The account paid, and the provider takes nothing. */
  'charged_not_billable',
  /** The provider takes money, and the account paid nothing, or got it back. */
  'billed_not_charged',
  /** Charged in one category, billed in another. */
  'other_category',
  /** The message failed, and the account paid for it. */
  'failed_kept',
  /** The provider has not said how it bills the message, nor that it failed. */
  'no_word',
] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

/** Null where charge and bill agree. A message without a charge was not sent from here. */
export const differenceOf = (charged: Charged | null, told: Told): DifferenceKind | null => {
  if (!charged || charged.refundCause !== null) return isBilled(told) ? 'billed_not_charged' : null;
  const hasPaid = charged.amount !== 0;
  if (told.status === 'failed') return hasPaid ? 'failed_kept' : null;
  if (isFree(told)) return hasPaid ? 'charged_not_billable' : null;
  if (!isBilled(told)) return 'no_word';
  if (!hasPaid) return 'billed_not_charged';
  return isOtherCategory(charged, told) ? 'other_category' : null;
};

/** Whether the account's plan wants the difference: a free reply, or a failure that it does not refund. */
export const isByPlan = (kind: DifferenceKind, charged: Charged | null): boolean => {
  if (!charged) return false;
  if (kind === 'billed_not_charged') return charged.amount === 0;
  return kind === 'failed_kept' && !charged.refundOnFailure;
};

/** What the account's statement counts as the provider's cost, in millionths; 0 without a charge. */
export const recordedCost = (charged: Charged | null): number => {
  if (!charged) return 0;
  const { refundCause, wentOut, providerCost } = charged;
  const isCounted = refundCause === null || refundCause === 'disconnected' || wentOut;
  return isCounted ? (providerCost ?? 0) : 0;
};

/**
 * What the provider bills for the message, in millionths: by its words, at the rates of the charge's own
 * card. Null where it has not said it, or where no card has the rate.
 */
export const billOf = (
  charged: Charged | null,
  told: Told,
  rateOf: (category: Category) => number | null,
): number | null => {
  if (told.status === 'failed' || isFree(told)) return 0;
  if (!charged || !isBilled(told) || told.category === INTERNATIONAL) return null;
  const billed = billedCategory({ category: told.category });
  if (billed === 'OTHER') return null;
  const isSame = billed === undefined || billed === charged.category;
  return isSame ? charged.providerCost : rateOf(billed);
};

/** How a message counts in the volumes of the provider; undefined while it is not delivered. */
export const volumeOf = (told: Told, charged: Charged | null) => {
  if (told.deliveredAt === null) return undefined;
  const category = told.category ?? charged?.category ?? 'UNKNOWN';
  return { at: told.deliveredAt, category, isFree: isFree(told) };
};
