import { styleText } from 'node:util';
import type { Page } from '../api/paging.ts';
import { hasColours, type Io, widthOf } from '../program/io.ts';
import { displayWidth, isTime, labelOf, type Row, readableTime, rowOf, textOf } from './format.ts';
import { type Column, tableLines } from './table.ts';

/** A label and its value, in the order in which they are shown. */
export type Facts = readonly (readonly [label: string, value: unknown])[];

/** Where answers go. Under --json that is the API's own JSON, and nothing else. */
export interface Output {
  /** Shows one thing as lines of `label: value`. */
  one(answer: unknown, factsOf?: (thing: Row) => Facts): void;
  list(page: Page, columns: readonly Column[]): void;
  /** For an answer that has nothing to show. */
  done(answer: unknown, sentence: string): void;
  /** A remark to the reader, on standard error; none under --json. */
  note(text: string): void;
}

/** Everything that the answer holds, under the names that the API gives it. */
export const everyFact = (thing: Row): Facts =>
  Object.entries(thing).map(([field, value]) => [labelOf(field), value] as const);

const valueText = (value: unknown): string =>
  isTime(value) ? `${readableTime(value)} UTC` : textOf(value);

const blockLines = (facts: Facts): string[] => {
  const width = Math.max(0, ...facts.map(([label]) => displayWidth(label)));
  return facts.map(([label, value]) => `${`${label}:`.padEnd(width + 1)}  ${valueText(value)}`);
};

export const createOutput = (io: Io, { json }: { json: boolean }): Output => {
  const write = (lines: readonly string[]) => {
    io.stdout.write(lines.map((line) => `${line}\n`).join(''));
  };
  const writeJson = (answer: unknown) => write([JSON.stringify(answer)]);
  const note = (text: string) => {
    if (!json) io.stderr.write(`${text}\n`);
  };
  const bold = (text: string) =>
    hasColours(io.stdout, io.env) ? styleText('bold', text, { validateStream: false }) : text;

  const writeTable = ({ rows, nextCursor }: Page, columns: readonly Column[]) => {
    if (rows.length === 0) return note('None.');
    const [header = '', ...lines] = tableLines(rows, columns, widthOf(io.stdout));
    write([bold(header), ...lines]);
    if (nextCursor !== null) note(`There are more: --all, or --cursor ${nextCursor}`);
  };

  return {
    one(answer, factsOf = everyFact) {
      if (json) writeJson(answer);
      else write(blockLines(factsOf(rowOf(answer))));
    },
    list(page, columns) {
      if (json) writeJson(page.answer);
      else writeTable(page, columns);
    },
    done(answer, sentence) {
      if (json) writeJson(answer);
      else write([sentence]);
    },
    note,
  };
};
