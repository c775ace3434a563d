import { csvCell } from '../shared/csv.ts';
import { formatMicros } from '../shared/decimal.ts';
import { amountOf } from './statement-json.ts';
import type { Section, Statement } from './statement-shape.ts';

const columns = [
  ...['accountId', 'from', 'to', 'billing', 'currency', 'line', 'at', 'type'],
  ...['category', 'market', 'unitPrice', 'cause', 'count', 'amount'],
  ...['reason', 'by', 'sequence', 'hash'],
] as const;

type Cells = Readonly<Record<string, string | number | null>>;

/** Decimal texts and numbers of ours; a leading minus sign must not make a text of them. */
const AMOUNT = /^-?\d+(\.\d+)?$/;

const cellOf = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' && AMOUNT.test(value) ? value : csvCell(value);
};

const sectionLines = (section: Section, withCost: boolean): Cells[] => {
  const { billing, currency, opening, closing, grants, charges, refunds } = section;
  const amount = (units: number) => amountOf(billing, units);
  const costs = {
    sold: section.sold,
    providerCost: section.providerCost,
    margin: section.sold - section.providerCost,
  };
  const lines: Cells[] = [
    { line: 'opening', amount: amount(opening) },
    ...grants.map(({ at, type, kind, amount: units, reason, by }) => ({
      line: 'grant',
      at,
      type: kind ?? type,
      amount: amount(units),
      reason,
      by: by && `${by.name} <${by.email}>`,
    })),
    ...charges.map(({ category, market, unitPrice, count, amount: units }) => ({
      line: 'charge',
      category,
      market,
      unitPrice: formatMicros(unitPrice),
      count,
      amount: amount(units),
    })),
    ...refunds.map(({ cause, count, amount: units }) => ({
      line: 'refund',
      cause,
      count,
      amount: amount(units),
    })),
    { line: 'closing', amount: amount(closing) },
    ...(withCost
      ? Object.entries(costs).map(([line, micros]) => ({ line, amount: formatMicros(micros) }))
      : []),
  ];
  return lines.map((line) => ({ billing, currency, ...line }));
};

export const csvHeader = `${columns.join(',')}\n`;

/**
 * One row for each line of the statement. The amounts of `opening`, `grant`, `charge` and `refund` make
 * that of `closing`.
 */
export const statementCsv = (
  { accountId, period, sections, chain, seal }: Statement,
  withCost: boolean,
): string => {
  const links = { first: chain.first, last: chain.last };
  const lines: Cells[] = [
    ...sections.flatMap((section) => sectionLines(section, withCost)),
    ...Object.entries(links).flatMap(([line, link]) => (link ? [{ line, ...link }] : [])),
    { line: 'links', count: chain.links },
    ...(seal ? [{ line: 'seal', at: seal.at, sequence: seal.number, hash: seal.root }] : []),
  ];
  const rows = lines.map((line) => {
    const cells: Cells = { accountId, ...period, ...line };
    return `${columns.map((column) => cellOf(cells[column])).join(',')}\n`;
  });
  return csvHeader + rows.join('');
};
