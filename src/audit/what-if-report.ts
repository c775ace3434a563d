import { formatMicros, inUnit } from '../shared/decimal.ts';
import type { Section } from './statement.ts';
import { amountOf, sectionJson } from './statement-formats.ts';
import type { WhatIf } from './what-if.ts';

const sumOf = (lines: readonly { amount: number }[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

/** As a statement has it, with the sum of grants instead of each of them. */
const sideOf = (section: Section) => {
  const { grants: _, ...said } = sectionJson(section, true);
  const { billing, opening, closing, charges, refunds } = section;
  const granted = closing - opening - sumOf(charges) - sumOf(refunds);
  return { ...said, cost: said.cost!, granted: amountOf(billing, granted) };
};

/** The first unit, and the others below it; null without accounts. */
const sidesOf = ([first, ...others]: readonly Section[]) =>
  first ? { ...sideOf(first), ...(others.length > 0 && { others: others.map(sideOf) }) } : null;

/** The result as the API answers it. */
export const whatIfJson = ({ accounts, skipped, real, other, differences, refused }: WhatIf) => ({
  accounts,
  skipped,
  real: sidesOf(real),
  // biome-ignore lint/suspicious/noThenProperty: the name of the API, and never a function
  then: sidesOf(other),
  differences: differences.map(({ other: sold, ...row }) => ({
    ...row,
    real: formatMicros(row.real),
    // biome-ignore lint/suspicious/noThenProperty: the same
    then: formatMicros(sold),
    difference: formatMicros(sold - row.real),
  })),
  refused: refused.map((row) => ({ ...row, amount: inUnit(row.billing, row.amount) })),
});
export type WhatIfAnswer = ReturnType<typeof whatIfJson>;
