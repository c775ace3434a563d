import type { DifferenceKind } from '../../audit/billing.ts';
import type { Reconciliation } from '../../audit/billing-report.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { printable } from '../../shared/printable.ts';
import { type Row, readableTime } from '../output/format.ts';
import { type Column, tableLines } from '../output/table.ts';

const kinds: Readonly<Record<DifferenceKind, string>> = {
  charged_not_billable: 'charged, not billable',
  billed_not_charged: 'billed, not charged',
  other_category: 'another category',
  failed_kept: 'failed, but kept',
  no_word: 'no word of the provider',
};

const nameOf = (kind: unknown): string => kinds[kind as DifferenceKind] ?? String(kind);

const number = (header: string, of: string): Column => ({ header, of, align: 'right' });

const countColumns: readonly Column[] = [
  { header: 'CATEGORY', of: 'category' },
  { header: 'COUNTRY', of: 'countryCode' },
  number('CHARGES', 'charges'),
  number('CHARGED', 'charged'),
  number('GIVEN BACK', 'givenBack'),
  number('FREE', 'free'),
  number('DELIVERED', 'delivered'),
  number('DIFFERENT', 'differences'),
];

const kindColumns: readonly Column[] = [
  { header: 'WHAT DIFFERS', of: ({ kind }) => nameOf(kind) },
  number('MESSAGES', 'count'),
  number('BY PLAN', 'byPlan'),
];

const amountOf = ({ amount, unit }: Row): string =>
  unit === 'credits' || unit === null ? String(amount) : `${formatMicros(Number(amount))} ${unit}`;

const billedAs = ({ billedAs: told }: Row): string => {
  const { type, category } = told as { type: string | null; category: string | null };
  return [type, category].filter((word) => word !== null).join(' ');
};

const differenceColumns: readonly Column[] = [
  { header: 'TIME (UTC)', of: 'at' },
  { header: 'WHAT DIFFERS', of: ({ kind, byPlan }) => `${nameOf(kind)}${byPlan ? ' (plan)' : ''}` },
  { header: 'MESSAGE OR CHARGE', of: ({ messageId, chargeId }) => messageId ?? chargeId },
  { header: 'CATEGORY', of: 'category', narrow: 'drop' },
  { header: 'PAID', of: amountOf, align: 'right' },
  { header: 'GIVEN BACK', of: 'refundCause', narrow: 'drop' },
  { header: 'STATUS', of: 'status', narrow: 'drop' },
  { header: 'BILLED AS', of: billedAs, narrow: 'drop' },
  { header: 'ACCOUNT', of: 'accountId', narrow: 'drop' },
];

const side = (name: 'ours' | 'theirs', field: string) => (row: Row) =>
  (row[name] as Readonly<Record<string, unknown>>)[field];

const volumeColumns: readonly Column[] = [
  { header: 'CATEGORY', of: 'category' },
  { header: 'COUNTRY', of: 'countryCode' },
  { header: 'BILLED HERE', of: side('ours', 'billed'), align: 'right' },
  { header: 'THERE', of: side('theirs', 'billed'), align: 'right' },
  { header: 'FREE HERE', of: side('ours', 'free'), align: 'right' },
  { header: 'THERE', of: side('theirs', 'free'), align: 'right' },
  { header: 'COST THERE', of: side('theirs', 'cost'), align: 'right' },
  { header: 'SAME', of: 'isSame' },
];

/** A blank line and a table, where there are rows. */
const table = (rows: readonly object[], columns: readonly Column[], width?: number): string[] =>
  rows.length === 0 ? [] : ['', ...tableLines(rows as readonly Row[], columns, width)];

/** A report for people. */
export const reconciliationLines = (report: Reconciliation, width?: number): string[] => {
  const { period, accountId, charges, found, differences, differenceCount, compared } = report;
  const of = accountId === null ? 'all accounts' : `account ${printable(accountId)}`;
  const ends = `${readableTime(period.from)} to ${readableTime(period.to)} UTC`;
  const different = Object.entries(found)
    .map(([kind, counts]) => ({ kind, ...counts }))
    .filter(({ count }) => count > 0);
  const unlisted = differenceCount - differences.length;
  return [
    `${ends}, ${of}: ${charges.toLocaleString('en')} charges, ${differenceCount.toLocaleString('en')} differ`,
    ...(report.undelivered > 0
      ? [`${report.undelivered.toLocaleString('en')} are not delivered so far: billed on delivery`]
      : []),
    ...table(report.counts, countColumns, width),
    ...table(different, kindColumns, width),
    ...table(differences, differenceColumns, width),
    ...(unlisted > 0 ? [`and ${unlisted.toLocaleString('en')} more`] : []),
    ...(compared
      ? ['', `Delivered messages, here and there (${printable(compared.source)}):`]
      : []),
    ...table(compared?.rows ?? [], volumeColumns, width),
    ...(compared?.missing ?? []).map(({ what, reason }) =>
      printable(`Not compared: ${what}: ${reason}`),
    ),
  ];
};
