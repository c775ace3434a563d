import type { Category } from '../../events/content.ts';

/** The categories of templates. */
export type TemplateCategory = Exclude<Category, 'SERVICE'>;

/** The most expensive category: the price of an unknown template. */
export const DEAREST: TemplateCategory = 'MARKETING';

const priced: readonly TemplateCategory[] = ['MARKETING', 'UTILITY', 'AUTHENTICATION'];

/**
 * The category that prices a template: the provider's, because the provider bills by it, or the most
 * expensive one when we do not know the provider's.
 */
export const categoryOfTemplate = ({ category }: { category: string }): TemplateCategory =>
  priced.find((one) => one === category.toUpperCase()) ?? DEAREST;

const hasOtpButton = (components: readonly unknown[]): boolean =>
  components.some((component) => {
    const { buttons } = (component ?? {}) as { buttons?: unknown };
    return Array.isArray(buttons) && buttons.some((button) => button?.type === 'OTP');
  });

/** Whether the provider requires the form of authentication: the code in the body and on a button. */
export const takesCode = (row: { category: string; components: readonly unknown[] }): boolean =>
  categoryOfTemplate(row) === 'AUTHENTICATION' || hasOtpButton(row.components);

/** Our category for each value of a status's `pricing.category`. */
const billed: Readonly<Record<string, Category>> = {
  marketing: 'MARKETING',
  marketing_lite: 'MARKETING',
  group_marketing: 'MARKETING',
  utility: 'UTILITY',
  group_utility: 'UTILITY',
  authentication: 'AUTHENTICATION',
  authentication_international: 'AUTHENTICATION',
  service: 'SERVICE',
  group_service: 'SERVICE',
  // Messages of a business whose trade is artificial intelligence.
  general_purpose_ai: 'SERVICE',
};

/** A word that stands for a category, and says only that a message answers an advertisement. */
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
  return Object.hasOwn(billed, name) ? billed[name] : 'OTHER';
};
