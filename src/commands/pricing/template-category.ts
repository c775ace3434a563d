import type { Category } from '../../events/content.ts';
import type { PricedCategory } from './rate-card.ts';

/** The most expensive category: the price of a template about which nothing is known. */
export const DEAREST: PricedCategory = 'MARKETING';

const priced: readonly PricedCategory[] = ['MARKETING', 'UTILITY', 'AUTHENTICATION'];

/**
 * The category under which a template is priced: the provider's word for it, because the provider bills
 * by it, or the most expensive one where that word is none of ours.
 */
export const categoryOfTemplate = ({ category }: { category: string }): PricedCategory =>
  priced.find((one) => one === category.toUpperCase()) ?? DEAREST;

const hasOtpButton = (components: readonly unknown[]): boolean =>
  components.some((component) => {
    const { buttons } = (component ?? {}) as { buttons?: unknown };
    return Array.isArray(buttons) && buttons.some((button) => button?.type === 'OTP');
  });

/** Whether the provider takes this template in the form of authentication only: with the code on a button too. */
export const takesCode = (row: { category: string; components: readonly unknown[] }): boolean =>
  categoryOfTemplate(row) === 'AUTHENTICATION' || hasOtpButton(row.components);

/** The provider's words in a status (`pricing.category`), in ours. */
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
};

/** The category that a status names; undefined where it names none, OTHER for a word that we do not know. */
export const billedCategory = (
  pricing: Readonly<Record<string, unknown>> | null,
): Category | 'OTHER' | undefined => {
  const word = pricing?.category;
  if (typeof word !== 'string' || word === '') return undefined;
  const name = word.toLowerCase().replaceAll('-', '_');
  return Object.hasOwn(billed, name) ? billed[name] : 'OTHER';
};
