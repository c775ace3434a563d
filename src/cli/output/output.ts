import { styleText } from 'node:util';
import type { Page } from '../api/paging.ts';
import { hasColours, type Io, widthOf } from '../program/io.ts';
import { displayWidth, isTime, labelOf, type Row, readableTime, rowOf, textOf } from './format.ts';
import { createProgress, type ProgressLine } from './progress.ts';
import { type Column, tableLines } from './table.ts';

/** A label and its value, in the order in which they are shown. */
export type Facts = readonly (readonly [label: string, value: unknown])[];

/** Prints answers. Under --json it prints the JSON of the API and nothing else. */
export interface Output {
  readonly isJson: boolean;
  readonly progress: ProgressLine;
  /** Prints one thing as lines of `label: value`. */
  one(answer: unknown, factsOf?: (thing: Row) => Facts): void;
  list(page: Page, columns: readonly Column[]): void;
  /** Prints a sentence for an answer that has nothing to show. */
  done(answer: unknown, sentence: string): void;
  /** Writes a remark to standard error; does nothing under --json. */
  note(text: string): void;
}

/** Every field of the answer, under the name that the API gives it. */
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
  /** Prints the answer under --json, and else what `show` prints. */
  const print = (answer: unknown, show: () => void) =>
    json ? write([JSON.stringify(answer)]) : show();

  return {
    isJson: json,
    progress: createProgress(io, { quiet: json }),
    one: (answer, factsOf = everyFact) =>
      print(answer, () => {
        const thing = rowOf(answer);
        // Any verb may be answered so where an organisation asks for two people.
        if (thing.approval) {
          write(blockLines(everyFact(rowOf(thing.approval))));
          return note('Nothing has changed yet: it waits for the yes of another administrator.');
        }
        write(blockLines(factsOf(thing)));
      }),
    list: (page, columns) => print(page.answer, () => writeTable(page, columns)),
    done: (answer, sentence) => print(answer, () => write([sentence])),
    note,
  };
};
