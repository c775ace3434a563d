import type { Billing } from '../events/price.ts';
import { amountCell } from '../shared/csv.ts';
import { formatMicros } from '../shared/decimal.ts';
import { escapeHtml } from '../shared/html.ts';
import { printable } from '../shared/printable.ts';
import { actorText } from './movement.ts';
import { type ChargeLine, dateOf, numberOf, type Section, type Statement } from './statement.ts';

/** An amount in the account's unit: whole credits, or a decimal string of money. */
export const amountOf = (billing: Billing, amount: number): number | string => {
  if (billing === 'wallet') return formatMicros(amount);
  if (Number.isSafeInteger(amount)) return amount;
  throw new RangeError(`${amount} credits cannot be written exactly`);
};

/** What was sold and what it costs, in decimal strings. */
const costOf = ({ sold, prices, providerCost }: Section) => ({
  sold: formatMicros(sold),
  prices: formatMicros(prices),
  rounding: formatMicros(sold - prices),
  providerCost: formatMicros(providerCost),
  margin: formatMicros(sold - providerCost),
});

export const sectionJson = (section: Section, withCost: boolean) => {
  const { billing, currency } = section;
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
    ...(withCost && { cost: { ...costOf(section), currency } }),
  };
};

/** The statement as the API answers it. The newest unit is at the top, the units before it in `earlier`. */
export const statementJson = (statement: Statement, withCost: boolean) => {
  const { account, organisation, issuer, period, sections, chain, seal } = statement;
  const earlier = sections.slice(0, -1).map((section) => sectionJson(section, withCost));
  return {
    accountId: account.id,
    number: numberOf(statement),
    date: dateOf(statement),
    account,
    organisation,
    issuer,
    period,
    ...sectionJson(sections.at(-1)!, withCost),
    chain,
    seal,
    final: seal !== null,
    ...(earlier.length > 0 && { earlier }),
  };
};

const columns = [
  'accountId',
  'from',
  'to',
  'billing',
  'currency',
  'line',
  'at',
  'type',
  'category',
  'market',
  'unitPrice',
  'cause',
  'count',
  'amount',
  'reason',
  'by',
  'sequence',
  'hash',
  'creditsEach',
  'account',
  'organisation',
  'issuer',
  'number',
  'date',
] as const;

type Cells = Readonly<Record<string, string | number | null>>;

const sectionLines = (section: Section, withCost: boolean): Cells[] => {
  const { billing, currency, opening, closing, grants, charges, refunds } = section;
  const amount = (units: number) => amountOf(billing, units);
  const lines: Cells[] = [
    { line: 'opening', amount: amount(opening) },
    ...grants.map(({ at, type, kind, amount: units, reason, by }) => ({
      line: 'grant',
      at,
      type: kind ?? type,
      amount: amount(units),
      reason,
      by: by && actorText(by),
    })),
    ...charges.map(({ category, market, unitPrice, creditsEach, count, amount: units }) => ({
      line: 'charge',
      category,
      market,
      unitPrice: formatMicros(unitPrice),
      creditsEach,
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
      ? Object.entries(costOf(section)).map(([line, money]) => ({ line, amount: money }))
      : []),
  ];
  return lines.map((line) => ({ billing, currency, ...line }));
};

export const csvHeader = `${columns.join(',')}\n`;

/**
 * One row for each line of the statement. The amounts of `opening`, `grant`, `charge` and `refund` make
 * that of `closing`.
 */
const statementCsv = (statement: Statement, withCost: boolean): string => {
  const { account, organisation, issuer, period, sections, chain, seal } = statement;
  const links = { first: chain.first, last: chain.last };
  const lines: Cells[] = [
    ...sections.flatMap((section) => sectionLines(section, withCost)),
    ...Object.entries(links).flatMap(([line, link]) => (link ? [{ line, ...link }] : [])),
    { line: 'links', count: chain.links },
    ...(seal ? [{ line: 'seal', at: seal.at, sequence: seal.number, hash: seal.root }] : []),
  ];
  const rows = lines.map((line) => {
    const cells: Cells = {
      accountId: account.id,
      ...period,
      ...line,
      account: account.name,
      organisation: organisation.name,
      issuer: issuer?.name ?? null,
      number: numberOf(statement),
      date: dateOf(statement),
    };
    return `${columns.map((column) => amountCell(cells[column])).join(',')}\n`;
  });
  return csvHeader + rows.join('');
};

// What a person reads of a statement, in the order of reading; text and HTML show the same.

export interface Column {
  header: string;
  align?: 'right';
  /** Words of people, of any length: broken anywhere on paper. Other words are whole. */
  isFree?: true;
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
    ...lines.map(({ market, unitPrice, creditsEach, count, amount }) => ({
      cells: [
        category,
        market,
        formatMicros(unitPrice),
        ...(creditsEach === null ? [] : [String(creditsEach)]),
        String(count),
        signed(amount),
      ],
    })),
    {
      cells: [
        `All ${category}`,
        '',
        '',
        ...(lines[0]!.creditsEach === null ? [] : ['']),
        countOf(lines),
        signed(sumOf(lines)),
      ],
      isTotal: true as const,
    },
  ]);
};

const sectionBlocks = (section: Section, withCost: boolean): Block[] => {
  const { billing, currency, grants, charges, refunds } = section;
  const isCredits = billing === 'credits';
  const cost = costOf(section);
  const signed = (amount: number) => signedText(billing, amount);
  const total = (...cells: string[]): Row => ({ cells, isTotal: true });
  const unit = billing === 'wallet' ? currency : `credits, priced in ${currency}`;
  const balanceOf = (amount: number) => String(amountOf(billing, amount));
  return [
    { title: `Balance in ${unit}`, facts: [['Opening balance', balanceOf(section.opening)]] },
    {
      title: 'Grants, top-ups and adjustments',
      columns: [
        { header: 'Time (UTC)' },
        { header: 'Type' },
        right('Amount'),
        { header: 'By', isFree: true as const },
        { header: 'Reason', isFree: true as const },
      ],
      rows: [
        ...grants.map(({ at, type, kind, amount, reason, by }) => ({
          cells: [
            timeText(at),
            kind ?? type,
            signed(amount),
            by ? printable(actorText(by)) : '',
            printable(reason ?? ''),
          ],
        })),
        total('All', '', signed(sumOf(grants)), '', ''),
      ],
    },
    {
      title: 'Charges',
      columns: [
        { header: 'Category' },
        { header: 'Market' },
        right(`Unit price, ${currency}`),
        ...(isCredits ? [right('Credits each')] : []),
        right('Messages'),
        right('Amount'),
      ],
      rows: [
        ...chargeRows(charges, signed),
        total('All', '', '', ...(isCredits ? [''] : []), countOf(charges), signed(sumOf(charges))),
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
              [isCredits ? 'Sold: credits at their value' : 'Sold', cost.sold],
              ['Prices of the messages', cost.prices],
              ['Rounding', cost.rounding],
              ['Provider cost', cost.providerCost],
              ['Margin', cost.margin],
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
  const { account, organisation, issuer, period, sections } = statement;
  const { name = null, address = null, taxId = null } = issuer ?? {};
  const issuerFacts = { 'Issued by': name, Address: address, 'Tax number': taxId };
  const title: Block = {
    title: 'Statement',
    facts: [
      ['Number', numberOf(statement)],
      ['Date', dateOf(statement) ?? 'a draft: the period is not over, or not sealed yet'],
      ...Object.entries(issuerFacts).flatMap(([label, value]) =>
        value === null ? [] : [[label, printable(value.replaceAll(/\s*\n\s*/g, ', '))] as const],
      ),
      ['Organisation', printable(organisation.name)],
      ['Account', printable(account.name)],
      ['Account id', account.id],
      ['Period (UTC)', `${timeText(period.from)} until before ${timeText(period.to)}`],
    ],
  };
  const blocks = sections.flatMap((section) => sectionBlocks(section, withCost));
  return [title, ...blocks, { title: 'Proof', facts: proofOf(statement) }];
};

export const statementFormats = ['text', 'csv', 'html', 'json'] as const;
export type StatementFormat = (typeof statementFormats)[number];

/** The media types of the formats that are not JSON. */
export const statementTypes = {
  text: 'text/plain; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

const GAP = '  ';

const padded = (text: string, width: number, align: Column['align']): string =>
  align === 'right' ? text.padStart(width) : text.padEnd(width);

const tableLines = (columns: readonly Column[], rows: readonly (readonly string[])[]): string[] => {
  const lines = [columns.map(({ header }) => header.toUpperCase()), ...rows];
  const widths = columns.map((_, at) =>
    lines.reduce((widest, cells) => Math.max(widest, cells[at]!.length), 0),
  );
  return lines.map((cells) =>
    columns
      .map(({ align }, at) => padded(cells[at]!, widths[at]!, align))
      .join(GAP)
      .trimEnd(),
  );
};

const blockText = ({ title, facts = [], columns, rows = [] }: Block): string => {
  const width = facts.reduce((widest, [label]) => Math.max(widest, label.length), 0);
  const table = columns
    ? tableLines(
        columns,
        rows.map(({ cells }) => cells),
      )
    : [];
  const lines = [...facts.map(([label, value]) => `${label.padEnd(width)}  ${value}`), ...table];
  return `${title}\n${lines.map((line) => `  ${line}\n`).join('')}`;
};

const statementText = (statement: Statement, withCost: boolean): string =>
  pageOf(statement, withCost).map(blockText).join('\n');

const cellsHtml = (tag: 'td' | 'th', cells: readonly string[], columns: readonly Column[]) =>
  cells
    .map((cell, at) => {
      const { align, isFree } = columns[at] ?? {};
      const kind = isFree ? 'free' : align;
      return `<${tag}${kind ? ` class="${kind}"` : ''}>${escapeHtml(cell)}</${tag}>`;
    })
    .join('');

const blockHtml = ({ title, facts = [], columns = [], rows = [] }: Block, at: number): string => {
  const heading = at === 0 ? 'h1' : 'h2';
  const pairs = facts.map(
    ([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>\n`,
  );
  const headers = columns.map(({ header }) => header);
  const body = rows.map(
    ({ cells, isTotal }) =>
      `<tr${isTotal ? ' class="total"' : ''}>${cellsHtml('td', cells, columns)}</tr>\n`,
  );
  const table = `<table>\n<thead><tr>${cellsHtml('th', headers, columns)}</tr></thead>\n<tbody>\n${body.join('')}</tbody>\n</table>\n`;
  return (
    `<section>\n<${heading}>${escapeHtml(title)}</${heading}>\n` +
    (facts.length > 0 ? `<dl>\n${pairs.join('')}</dl>\n` : '') +
    (columns.length > 0 ? table : '') +
    '</section>\n'
  );
};

/** Prints on A4; the head of a table is repeated on each page, and each page has its number. */
const styleOf = (number: string) => `@page {
  size: A4; margin: 18mm 16mm; font: 8pt system-ui, sans-serif;
  @bottom-left { content: "Statement ${number}"; }
  @bottom-right { content: counter(page) " / " counter(pages); }
}
body { font: 10pt/1.4 system-ui, sans-serif; color: #111; max-width: 178mm; margin: 8mm auto; }
h1 { font-size: 16pt; margin: 0 0 4mm; }
h2 { font-size: 11pt; margin: 4.5mm 0 1.5mm; break-after: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 4mm; margin: 0; break-inside: avoid; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } thead { display: table-header-group; }
th, td { text-align: left; padding: 1mm 2mm; border-bottom: 0.2mm solid #ccc; vertical-align: top; }
tr { break-inside: avoid; } .free { overflow-wrap: anywhere; }
.right { text-align: right; } td.right { white-space: nowrap; font-variant-numeric: tabular-nums; }
.total { font-weight: 600; border-top: 0.3mm solid #111; }
@media print { body { margin: 0; max-width: none; } }`;

const statementHtml = (statement: Statement, withCost: boolean): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Statement ${escapeHtml(numberOf(statement))}</title>
<style>
${styleOf(numberOf(statement).replaceAll(/[^\w/:.-]/g, ''))}
</style>
</head>
<body>
${pageOf(statement, withCost).map(blockHtml).join('')}</body>
</html>
`;

/** The statement as a text of the format: the same bytes for the same statement. */
export const formatStatement = (
  statement: Statement,
  format: StatementFormat,
  withCost = true,
): string => {
  switch (format) {
    case 'text':
      return statementText(statement, withCost);
    case 'csv':
      return statementCsv(statement, withCost);
    case 'html':
      return statementHtml(statement, withCost);
    case 'json':
      return `${JSON.stringify(statementJson(statement, withCost))}\n`;
  }
};
