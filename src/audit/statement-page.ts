import type { Billing } from '../events/price.ts';
import { formatMicros } from '../shared/decimal.ts';
import { printable } from '../shared/printable.ts';
import { amountOf } from './statement-json.ts';
import type { ChargeLine, Section, Statement } from './statement-shape.ts';

// What a person reads of a statement, in the order of reading; text and HTML show the same.

export interface Column {
  header: string;
  align?: 'right';
}

export interface Row {
  cells: readonly string[];
  isTotal?: true;
}

export type Facts = readonly (readonly [label: string, value: string])[];

/** A heading with facts or with a table below it. */
export interface Block {
  title: string;
  facts?: Facts;
  columns?: readonly Column[];
  rows?: readonly Row[];
}

const timeText = (iso: string): string => iso.slice(0, 19).replace('T', ' ');

const right = (header: string): Column => ({ header, align: 'right' });

const sumOf = <Line extends { amount: number }>(lines: readonly Line[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);

const countOf = (lines: readonly { count: number }[]): string =>
  String(lines.reduce((sum, { count }) => sum + count, 0));

const signedText = (billing: Billing, amount: number): string =>
  `${amount > 0 ? '+' : ''}${amountOf(billing, amount)}`;

const chargeRows = (charges: readonly ChargeLine[], signed: (amount: number) => string): Row[] => {
  const groups = [...Map.groupBy(charges, ({ category }) => category)];
  return groups.flatMap(([category, lines]) => [
    ...lines.map(({ market, unitPrice, count, amount }) => ({
      cells: [category, market, formatMicros(unitPrice), String(count), signed(amount)],
    })),
    {
      cells: [`All ${category}`, '', '', countOf(lines), signed(sumOf(lines))],
      isTotal: true as const,
    },
  ]);
};

const sectionBlocks = (section: Section, withCost: boolean): Block[] => {
  const { billing, currency, grants, charges, refunds, sold, providerCost } = section;
  const signed = (amount: number) => signedText(billing, amount);
  const total = (...cells: string[]): Row => ({ cells, isTotal: true });
  const unit = billing === 'wallet' ? currency : `credits, priced in ${currency}`;
  const balanceOf = (amount: number) => String(amountOf(billing, amount));
  return [
    { title: `Balance in ${unit}`, facts: [['Opening balance', balanceOf(section.opening)]] },
    {
      title: 'Grants, top-ups and adjustments',
      columns: [
        ...[{ header: 'Time (UTC)' }, { header: 'Type' }, right('Amount')],
        ...[{ header: 'By' }, { header: 'Reason' }],
      ],
      rows: [
        ...grants.map(({ at, type, kind, amount, reason, by }) => ({
          cells: [
            ...[timeText(at), kind ?? type, signed(amount)],
            ...[by ? printable(`${by.name} <${by.email}>`) : '', printable(reason ?? '')],
          ],
        })),
        total('All', '', signed(sumOf(grants)), '', ''),
      ],
    },
    {
      title: 'Charges',
      columns: [
        ...[{ header: 'Category' }, { header: 'Market' }, right(`Unit price, ${currency}`)],
        ...[right('Messages'), right('Amount')],
      ],
      rows: [
        ...chargeRows(charges, signed),
        total('All', '', '', countOf(charges), signed(sumOf(charges))),
      ],
    },
    {
      title: 'Refunds',
      columns: [{ header: 'Cause' }, right('Charges'), right('Amount')],
      rows: [
        ...refunds.map(({ cause, count, amount }) => ({
          cells: [cause, String(count), signed(amount)],
        })),
        total('All', countOf(refunds), signed(sumOf(refunds))),
      ],
    },
    { title: 'Balance', facts: [['Closing balance', balanceOf(section.closing)]] },
    ...(withCost
      ? [
          {
            title: `Provider cost and margin, ${currency}`,
            facts: [
              ['Sold', formatMicros(sold)],
              ['Provider cost', formatMicros(providerCost)],
              ['Margin', formatMicros(sold - providerCost)],
            ] as const,
          },
        ]
      : []),
  ];
};

const proofOf = ({ chain: { first, last, links }, seal }: Statement): Facts => [
  ['Links of the hash chain', String(links)],
  ...(first ? [['First link', `${first.sequence}  ${first.hash}`] as const] : []),
  ...(last ? [['Last link', `${last.sequence}  ${last.hash}`] as const] : []),
  [
    'Seal',
    seal
      ? `${seal.number}  ${timeText(seal.at)} UTC  ${seal.root}`
      : 'none yet: the statement may change',
  ],
];

/** The blocks of a statement. The cells may hold any text on one line. */
export const pageOf = (statement: Statement, withCost: boolean): readonly Block[] => {
  const { accountId, period, sections } = statement;
  const title: Block = {
    title: 'Statement',
    facts: [
      ['Account', accountId],
      ['Period (UTC)', `${timeText(period.from)} until before ${timeText(period.to)}`],
    ],
  };
  const blocks = sections.flatMap((section) => sectionBlocks(section, withCost));
  return [title, ...blocks, { title: 'Proof', facts: proofOf(statement) }];
};
