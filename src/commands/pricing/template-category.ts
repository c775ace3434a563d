import {
  type Category,
  categories,
  categoryNames,
  TemplateCategory,
} from '../../events/category.ts';

/** The most expensive category: the price of an unknown template. */
export const DEAREST: TemplateCategory = 'MARKETING';

/**
 * The category that prices a template: the provider's, because the provider bills by it, or the most
 * expensive one when we do not know the provider's.
 */
export const categoryOfTemplate = ({ category }: { category: string }): TemplateCategory =>
  TemplateCategory.options.find((one) => one === category.toUpperCase()) ?? DEAREST;

const hasOtpButton = (components: readonly unknown[]): boolean =>
  components.some((component) => {
    const { buttons } = (component ?? {}) as { buttons?: unknown };
    return Array.isArray(buttons) && buttons.some((button) => button?.type === 'OTP');
  });

/** Whether the provider requires the form of authentication: the code in the body and on a button. */
export const takesCode = (row: { category: string; components: readonly unknown[] }): boolean =>
  categoryOfTemplate(row) === 'AUTHENTICATION' || hasOtpButton(row.components);

/** Our category for each value of a status's `pricing.category`. */
const billed = new Map<string, Category>(
  categoryNames.flatMap((name) => categories[name].billedAs.map((word) => [word, name] as const)),
);

/** A word for a category that says only that a message answers an advertisement. */
const NO_CATEGORY = 'referral_conversion';

/** A word of a status' pricing in one spelling; null where there is none. */
export const pricingWord = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.toLowerCase().replaceAll('-', '_') : null;

/** The category that a status names; undefined when it names none, OTHER when we do not know it. */
export const billedCategory = (
  pricing: Readonly<Record<string, unknown>> | null,
): Category | 'OTHER' | undefined => {
  const name = pricingWord(pricing?.category);
  if (name === null || name === NO_CATEGORY) return undefined;
  return billed.get(name) ?? 'OTHER';
};
