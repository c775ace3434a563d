// What the provider says of its price in the statuses of a message.

/** The provider's pricing object, verbatim. */
export type Pricing = Readonly<Record<string, unknown>>;

/** The pricing of each of a message's statuses, in the order of the log; null where none was told yet. */
export const pricingsOf = (
  statuses: readonly { pricing?: Pricing | 'unchanged' | undefined }[],
): (Pricing | null)[] => {
  let newest: Pricing | null = null;
  return statuses.map(({ pricing }) => {
    if (pricing === undefined) return null;
    newest = pricing === 'unchanged' ? newest : pricing;
    return newest;
  });
};

/** Fields of today's pricing objects, in the order in which they are packed. */
const pricingFields = ['billable', 'pricing_model', 'type', 'category'];

/** Stands for `unchanged`. */
const UNCHANGED = 0;

/** Today's objects without the names of their fields. */
export const packPricing = (pricing: unknown): unknown => {
  if (typeof pricing !== 'object' || pricing === null) return UNCHANGED;
  const isKnown = Object.keys(pricing).sort().join() === pricingFields.toSorted().join();
  return isKnown ? pricingFields.map((name) => (pricing as Pricing)[name]) : pricing;
};

export const unpackPricing = (packed: unknown): unknown =>
  Array.isArray(packed)
    ? Object.fromEntries(pricingFields.map((name, index) => [name, packed[index]]))
    : packed === UNCHANGED
      ? 'unchanged'
      : packed;
