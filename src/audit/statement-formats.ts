import { escapeHtml } from '../shared/html.ts';
import { statementCsv } from './statement-csv.ts';
import { statementJson } from './statement-json.ts';
import { type Block, type Column, pageOf } from './statement-page.ts';
import type { Statement } from './statement-shape.ts';

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
      const align = columns[at]?.align === 'right' ? ' class="right"' : '';
      return `<${tag}${align}>${escapeHtml(cell)}</${tag}>`;
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

/** Prints on A4; the head of a table is repeated on each page. */
const STYLE = `@page { size: A4; margin: 18mm 16mm; }
body { font: 10pt/1.4 system-ui, sans-serif; color: #111; max-width: 178mm; margin: 8mm auto; }
h1 { font-size: 16pt; } h2 { font-size: 11pt; margin: 6mm 0 2mm; break-after: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 4mm; margin: 0; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; } thead { display: table-header-group; }
th, td { text-align: left; padding: 1mm 2mm; border-bottom: 0.2mm solid #ccc; overflow-wrap: anywhere; }
tr { break-inside: avoid; } .right { text-align: right; font-variant-numeric: tabular-nums; }
.total { font-weight: 600; border-top: 0.3mm solid #111; }
@media print { body { margin: 0; max-width: none; } }`;

const statementHtml = (statement: Statement, withCost: boolean): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Statement ${escapeHtml(statement.accountId)} ${statement.period.from.slice(0, 10)}</title>
<style>
${STYLE}
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
