import type { Movement } from '../../audit/movement.ts';
import type { Recorded } from '../../events/store.ts';
import { csvCell } from '../../shared/csv.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { printable } from '../../shared/printable.ts';
import { writeFile } from '../output/file.ts';
import { CliError } from '../program/failure.ts';
import type { Verb } from '../program/noun.ts';
import { oneOf } from '../program/parse.ts';
import { actOnBooks, type BooksContext, type BooksOptions, reported, withSource } from './books.ts';

const formats = ['csv', 'jsonl'] as const;

const columns = [
  'position',
  'revision',
  'entryId',
  'at',
  'type',
  'amount',
  'balanceAfter',
  'billing',
  'reason',
  'chargeId',
  'sequence',
  'hash',
] as const satisfies readonly (keyof Movement)[];

const csvLine = (movement: Movement): string =>
  columns
    .map((column) => {
      const value = movement[column];
      const isAmount = column === 'amount' || column === 'balanceAfter';
      return isAmount && movement.billing === 'wallet'
        ? formatMicros(value as number)
        : csvCell(value);
    })
    .join(',');

async function* csvLines(events: AsyncIterable<Recorded>): AsyncGenerator<string, void, void> {
  const { movementOf } = await import('../../audit/movement.ts');
  yield columns.join(',');
  for await (const event of events) {
    const movement = movementOf(event);
    if (movement) yield csvLine(movement);
  }
}

async function* ended(lines: AsyncIterable<string>) {
  for await (const line of lines) yield `${line}\n`;
}

interface Options extends BooksOptions {
  format: (typeof formats)[number];
  out: string;
}

const write = async (
  { books, out }: BooksContext,
  account: string,
  { format, out: file }: Options,
): Promise<void> => {
  let events = 0;
  async function* counted() {
    for await (const event of books.events(account)) {
      events += 1;
      out.progress.show(`${events.toLocaleString('en')} events`);
      yield event;
    }
    if (events === 0) throw new CliError(`There is no account ${printable(account)}`);
  }
  const { exportLines } = await import('../../audit/export-file.ts');
  const lines = format === 'csv' ? csvLines(counted()) : exportLines(account, counted());
  await reported(() => writeFile(file, ended(lines)));
  out.progress.end();
  out.done(
    { account, format, file, events },
    `Wrote ${events.toLocaleString('en')} events to ${file}`,
  );
};

export const exportBooks: Verb = (noun, act, io) =>
  withSource(
    noun
      .command('export')
      .description('Write movements (csv) or all events (jsonl) to a file')
      .argument('<account>')
      .requiredOption('--out <file>', 'The file; only its owner may read it')
      .option(
        '--format <format>',
        `${formats.join(' or ')} (default: jsonl)`,
        oneOf(formats),
        'jsonl',
      ),
  ).action(actOnBooks(act, io)(write));
