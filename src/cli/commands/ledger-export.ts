import { printable } from '../../shared/printable.ts';
import { STANDARD_OUTPUT, writeOut } from '../output/file.ts';
import { CliError, usageError } from '../program/failure.ts';
import type { Verb } from '../program/noun.ts';
import { oneOf, time } from '../program/parse.ts';
import { actOnBooks, type BooksContext, type BooksOptions, reported, withSource } from './books.ts';

const formats = ['csv', 'jsonl'] as const;

interface Options extends BooksOptions {
  format: (typeof formats)[number];
  since?: string;
  until?: string;
  out: string;
  proof?: boolean;
}

/** The lines of the export; `seen` is called with each event. */
async function* linesOf(
  { books }: Pick<BooksContext, 'books'>,
  account: string,
  { format, since, until, proof }: Options,
  seen: () => void,
): AsyncGenerator<string, void, void> {
  const start = since === undefined ? undefined : await books.start(account, since);
  if (since !== undefined && !start)
    throw new CliError(`There is no account ${printable(account)}`);
  const from = start?.revision;
  async function* counted<T>(events: AsyncIterable<T>) {
    for await (const event of events) {
      seen();
      yield event;
    }
  }
  if (format === 'csv') {
    const { movementCsv } = await import('../../audit/movement-csv.ts');
    yield* movementCsv(counted(books.withMessages(account, from)), { unit: start, since, until });
  } else {
    const { exportLines } = await import('../../audit/export-file.ts');
    const { proofLine } = await import('../../audit/export-proof.ts');
    // Before the events: what it covers precedes it in the log.
    if (proof) yield proofLine(await books.headProof(account));
    yield* exportLines(account, counted(books.events(account, from)), { start, since, until });
  }
}

const write = async (
  { books, out, io }: BooksContext,
  account: string,
  options: Options,
): Promise<void> => {
  const { format, since, until, out: file, proof } = options;
  if (proof && (format === 'csv' || (since ?? until) !== undefined)) {
    throw usageError('--proof goes with all events: without --since, --until and --format csv');
  }
  let events = 0;
  let lines = 0;
  const seen = () => {
    events += 1;
    out.progress.show(`${events.toLocaleString('en')} events`);
  };
  async function* ended() {
    for await (const line of linesOf({ books }, account, options, seen)) {
      lines += 1;
      yield `${line}\n`;
    }
    if (events === 0 && since === undefined) {
      throw new CliError(`There is no account ${printable(account)}`);
    }
  }
  await reported(() => writeOut(io, file, ended())).finally(out.progress.end);
  if (file === STANDARD_OUTPUT) return;
  // Without the header; an export of events ends with a line of totals, and may begin with one.
  const written = format === 'csv' ? lines - 1 : lines - (since === undefined && !proof ? 1 : 2);
  const what = format === 'csv' ? 'movements' : 'events';
  out.done(
    { account, format, since, until, file, [what]: written },
    `Wrote ${written.toLocaleString('en')} ${what} to ${file}`,
  );
};

export const exportBooks: Verb = (noun, act, io) =>
  withSource(
    noun
      .command('export')
      .description('Write movements (csv) or all events (jsonl) to a file')
      .argument('<account>')
      .requiredOption('--out <file>', 'The file; only its owner may read it. - is standard output')
      .option('--since <time>', 'From a time or day on, or a span such as 7d', time(io.now))
      .option('--until <time>', 'Before a time or day, or a span such as 24h', time(io.now))
      .option(
        '--format <format>',
        `${formats.join(' or ')} (default: jsonl). Only a service knows the ids of messages in csv`,
        oneOf(formats),
        'jsonl',
      )
      .option('--proof', 'Begin with the proof of the last seal'),
  ).action(actOnBooks(act, io)(write));
