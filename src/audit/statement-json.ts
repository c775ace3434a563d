import type { Billing } from '../events/price.ts';
import { formatMicros } from '../shared/decimal.ts';
import type { Section, Statement } from './statement-shape.ts';

/** An amount in the account's unit: whole credits, or a decimal string of money. */
export const amountOf = (billing: Billing, amount: number): number | string => {
  if (billing === 'wallet') return formatMicros(amount);
  if (Number.isSafeInteger(amount)) return amount;
  throw new RangeError(`${amount} credits cannot be written exactly`);
};

const sectionJson = (section: Section, withCost: boolean) => {
  const { billing, currency, sold, providerCost } = section;
  const amount = (units: number) => amountOf(billing, units);
  return {
    billing,
    currency,
    opening: amount(section.opening),
    closing: amount(section.closing),
    grants: section.grants.map((line) => ({ ...line, amount: amount(line.amount) })),
    charges: section.charges.map((line) => ({
      ...line,
      unitPrice: formatMicros(line.unitPrice),
      amount: amount(line.amount),
    })),
    refunds: section.refunds.map((line) => ({ ...line, amount: amount(line.amount) })),
    ...(withCost && {
      cost: {
        sold: formatMicros(sold),
        providerCost: formatMicros(providerCost),
        margin: formatMicros(sold - providerCost),
        currency,
      },
    }),
  };
};

/** The statement as the API answers it. The newest unit is at the top, the units before it in `earlier`. */
export const statementJson = (
  { accountId, period, sections, chain, seal }: Statement,
  withCost: boolean,
) => {
  const earlier = sections.slice(0, -1).map((section) => sectionJson(section, withCost));
  return {
    accountId,
    period,
    ...sectionJson(sections.at(-1)!, withCost),
    chain,
    seal,
    final: seal !== null,
    ...(earlier.length > 0 && { earlier }),
  };
};
