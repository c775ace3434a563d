import { z } from 'zod';

interface CategoryRow {
  /** The provider's words for it in the pricing of a status. */
  billedAs: readonly string[];
  /** Whether templates have it. */
  isOfTemplates: boolean;
  /** What its price is of. */
  priceOf: string;
  /** The category whose price it has on a rate card that names none for it; null where cards must. */
  pricedLike: 'UTILITY' | null;
}

/** The categories of prices (contract 2.9), in the order of the reference. */
export const categories = {
  MARKETING: {
    billedAs: ['marketing', 'marketing_lite', 'group_marketing'],
    isOfTemplates: true,
    priceOf: 'a message',
    pricedLike: null,
  },
  UTILITY: {
    billedAs: ['utility', 'group_utility'],
    isOfTemplates: true,
    priceOf: 'a message',
    pricedLike: null,
  },
  AUTHENTICATION: {
    billedAs: ['authentication', 'authentication_international'],
    isOfTemplates: true,
    priceOf: 'a message',
    pricedLike: null,
  },
  SERVICE: {
    // The last word is of a business whose trade is artificial intelligence.
    billedAs: ['service', 'group_service', 'general_purpose_ai'],
    isOfTemplates: false,
    priceOf: 'a free-form message',
    pricedLike: 'UTILITY',
  },
} as const satisfies Record<string, CategoryRow>;

type Rows = typeof categories;
export type Category = keyof Rows;
type Where<Field extends keyof CategoryRow, Value> = {
  [Name in Category]: Rows[Name][Field] extends Value ? Name : never;
}[Category];
export type TemplateCategory = Where<'isOfTemplates', true>;
type Priced = Where<'pricedLike', null>;

export const categoryNames = Object.keys(categories) as [Category, ...Category[]];
export const Category = z.enum(categoryNames);

export const TemplateCategory = z.enum(
  categoryNames.filter((name): name is TemplateCategory => categories[name].isOfTemplates),
);

/** The prices of a market by category, each of this schema. */
export const ratesOf = <Price extends z.ZodType>(price: Price) =>
  z.object(
    Object.fromEntries(
      categoryNames.map((name) => {
        const { pricedLike, priceOf } = categories[name];
        if (pricedLike === null) return [name, price];
        const words = `Price of ${priceOf}; the price of ${pricedLike} by default.`;
        return [name, price.optional().describe(words)];
      }),
    ) as unknown as Record<Priced, Price> & Record<Exclude<Category, Priced>, z.ZodOptional<Price>>,
  );
