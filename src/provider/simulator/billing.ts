import type { Billing, Scenario } from './scenario.ts';

/** `category` is that of the message by its own template; a free-form message is free. */
export const billingOf = (category: string, { billing }: Scenario): Billing => {
  const type = category === 'service' ? 'free_customer_service' : 'regular';
  return { category, type, told: 'all', counted: 1, ...billing };
};

/** The pricing of a status; undefined where it has none. */
export const pricingOf = ({ category, type, told }: Billing): object | undefined => {
  if (told === 'nothing') return undefined;
  const billable = told === 'all' && { billable: type === 'regular' };
  return { ...billable, pricing_model: 'PMP', type, category };
};
