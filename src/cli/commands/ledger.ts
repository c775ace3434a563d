import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExportedPeriod } from '../../audit/export-file.ts';
import type { Movement } from '../../audit/movement.ts';
import type { KnownEvent } from '../../events/index.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { printable } from '../../shared/printable.ts';
import { route } from '../api/api.ts';
import { print, STANDARD_OUTPUT, writeFile, writeOut } from '../output/file.ts';
import { readableTime, signed } from '../output/format.ts';
import { CliError, usageError } from '../program/failure.ts';
import { oneOf, time } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { balance } from './balance.ts';
import { actOnBooks, type BooksContext, type BooksOptions, reported, withSource } from './books.ts';
import { key, proof, seal } from './ledger-seals.ts';
import { describe, verify } from './ledger-verify.ts';
import { priceOf } from './money.ts';
import { listVerb } from './verbs.ts';

/** Millionths of a currency as a decimal text; credits as they are. */
const amountOf = ({ billing }: Movement, amount: number): string | number =>
  billing === 'wallet' ? formatMicros(amount) : amount;

/** What the account counts in from this event on: credits, or a currency. */
const unitOf = (event: KnownEvent): string | undefined => {
  if (event.type !== 'AccountOpened' && event.type !== 'PlanAssigned') return undefined;
  const { billing, currency } = event.data;
  return billing === 'wallet' ? currency : 'credits';
};

const lineOf = (movement: Movement): string => {
  const { at, type, amount, balanceAfter, reason, chargeId } = movement;
  const moved = String(signed(amountOf(movement, amount)));
  const left = String(amountOf(movement, balanceAfter));
  const why = printable(`${reason ?? '-'}  ${chargeId ?? ''}`).trimEnd();
  return `${readableTime(at)}  ${type.padEnd(6)}  ${moved.padStart(12)}  ${left.padStart(14)}  ${why}`;
};

/** The same fields as the ledger of the API, with amounts in the unit of the account. */
const jsonOf = (movement: Movement): string =>
  JSON.stringify({
    ...movement,
    amount: amountOf(movement, movement.amount),
    balanceAfter: amountOf(movement, movement.balanceAfter),
  });

interface ReplayOptions extends BooksOptions {
  until?: string;
}

/** Prints while it reads, so that its memory does not grow with the history. */
export const replay: Verb = (noun, act, io) =>
  withSource(
    noun
      .command('replay')
      .description('Print every movement, computed from the events')
      .argument('<account>')
      .option('--until <time>', 'Up to a time, a day, or a span such as 24h', time(io.now)),
  ).action(
    actOnBooks(
      act,
      io,
    )(async ({ books, out }, account: string, { until }: ReplayOptions) => {
      const write = (line: string) => print(io, `${line}\n`);
      const { replay: replayEvents } = await import('../../audit/movement.ts');
      let isKnown = false;
      let unit = 'credits';
      async function* seen() {
        for await (const event of books.events(account)) {
          isKnown = true;
          unit = unitOf(event as KnownEvent) ?? unit;
          yield event;
        }
      }
      let count = 0;
      let last: Movement | undefined;
      let lastUnit: string | undefined;
      for await (const movement of replayEvents(seen(), until)) {
        count += 1;
        last = movement;
        lastUnit = unit;
        await write(out.isJson ? jsonOf(movement) : lineOf(movement));
      }
      if (!isKnown) throw new CliError(`There is no account ${printable(account)}`);
      const inUnit = lastUnit ?? unit;
      const balance = String(last ? amountOf(last, last.balanceAfter) : 0);
      const report = await books.verify(account);
      await write(
        out.isJson
          ? JSON.stringify({ end: true, replayed: count, balance, unit: inUnit, ...report })
          : `${count} movements, balance ${balance} ${inUnit}`,
      );
      describe(report, out);
    }),
  );

const formats = ['csv', 'jsonl'] as const;

interface ExportOptions extends BooksOptions {
  format: (typeof formats)[number];
  since?: string;
  until?: string;
  out: string;
  proof?: boolean;
  messages?: boolean;
}

/** The lines of the export; `seen` is called with each event. */
async function* linesOf(
  { books }: Pick<BooksContext, 'books'>,
  account: string,
  { format, since, until, proof, messages }: ExportOptions,
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
    const told: ExportedPeriod['books'] = (terms) => books.told(account, terms);
    const period = { start, since, until, books: told, messages };
    const events = messages ? books.history(account) : books.events(account, from);
    yield* exportLines(account, counted(events), period);
  }
}

/** Writes the log of entries into a folder, as it is served: what is there stays as it is. */
const writeTransparency = async (
  { books, out }: Pick<BooksContext, 'books' | 'out'>,
  folder: string,
): Promise<number> => {
  const { parseSeal } = await import('../../audit/seals/read-seals.ts');
  const { tilePaths } = await import('../../audit/seals/tiles.ts');
  const note = await books.transparency.checkpoint();
  if (note === undefined) throw new CliError('The ledger is not sealed yet: waybill ledger seal');
  const size = parseSeal(note)?.size ?? 0;
  const put = async (path: string, bytes: string | Buffer) => {
    async function* content() {
      yield bytes;
    }
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content());
  };
  for (const path of tilePaths(size)) {
    if (existsSync(join(folder, path))) continue;
    const bytes = await books.transparency.tile(path);
    if (!bytes) throw new CliError(`The log has no ${path}`);
    await put(path, bytes);
    out.progress.show(path);
  }
  await put('checkpoint', note);
  return size;
};

const isFolder = (path: string): boolean =>
  path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory());

/** Writes the export into a folder, and the log of entries beside it. */
const writeFolder = async (
  context: BooksContext,
  account: string,
  options: ExportOptions,
): Promise<void> => {
  const { out: folder, format } = options;
  const file = join(folder, `${account}.${format}`);
  await reported(() => mkdir(folder, { recursive: true }));
  await write(context, account, { ...options, out: file });
  const { out } = context;
  const size = await reported(() => writeTransparency(context, folder)).finally(out.progress.end);
  out.note(`The log of ${size.toLocaleString('en')} entries is beside it.`);
};

const write = async (
  { books, out, io }: BooksContext,
  account: string,
  options: ExportOptions,
): Promise<void> => {
  const { format, since, until, out: file, proof, messages } = options;
  const whole = (proof && '--proof') || (messages && '--messages');
  if (whole && (format === 'csv' || (since ?? until) !== undefined)) {
    throw usageError(`${whole} goes with all events: without --since, --until and --format csv`);
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

const exportBooks: Verb = (noun, act, io) =>
  withSource(
    noun
      .command('export')
      .description('Write movements (csv) or all events (jsonl) to a file')
      .argument('<account>')
      .requiredOption(
        '--out <file>',
        'The file, - for standard output, or a folder: with the log of entries beside it',
      )
      .option('--since <time>', 'From a time or day on, or a span such as 7d', time(io.now))
      .option('--until <time>', 'Before a time or day, or a span such as 24h', time(io.now))
      .option(
        '--format <format>',
        `${formats.join(' or ')} (default: jsonl). Only a service knows the ids of messages in csv`,
        oneOf(formats),
        'jsonl',
      )
      .option('--proof', 'Begin with the proof of the last seal')
      .option(
        '--messages',
        'With the statuses of messages, for reconcile --file; no ids, no texts',
      ),
  ).action(
    actOnBooks(
      act,
      io,
    )((context, account: string, options: ExportOptions) =>
      isFolder(options.out)
        ? writeFolder(context, account, options)
        : write(context, account, options),
    ),
  );

const types = ['DEDUCT', 'REFUND', 'GRANT', 'REVOKE'] as const;

interface Filter {
  since?: string;
  until?: string;
  type?: (typeof types)[number];
  charge?: string;
}

const list: Verb = (noun, act, io) =>
  listVerb<Filter>({
    description: 'List the movements of an account, newest first',
    from: (_, account) => route`/accounts/${account}/ledger`,
    field: 'entries',
    selection: (command) =>
      command
        .argument('<account>')
        .option('--since <time>', 'From a time or day on, or a span such as 7d', time(io.now))
        .option('--until <time>', 'Before a time or day, or a span such as 24h', time(io.now))
        .option('--type <type>', types.join(', '), oneOf(types))
        .option('--charge <id>', 'Only the movements of one charge'),
    query: ({ since, until, type, charge }) => ({ since, until, type, chargeId: charge }),
    columns: [
      { header: 'TIME (UTC)', of: 'createdAt' },
      { header: 'TYPE', of: 'type' },
      { header: 'AMOUNT', of: ({ amount }) => signed(amount), align: 'right' },
      { header: 'BALANCE', of: 'balanceAfter', align: 'right' },
      { header: 'REASON', of: 'reason', narrow: 'cut' },
      { header: 'CATEGORY', of: (entry) => priceOf(entry).category, narrow: 'drop' },
      { header: 'COUNTRY', of: (entry) => priceOf(entry).countryCode, narrow: 'drop' },
      { header: 'PRICE', of: (entry) => priceOf(entry).sellPrice, align: 'right', narrow: 'drop' },
      { header: 'CAUSE', of: 'cause', narrow: 'drop' },
      { header: 'CHARGE', of: (entry) => priceOf(entry).chargeId, narrow: 'drop' },
      { header: 'MESSAGE', of: 'messageId', narrow: 'drop' },
    ],
  })(noun, act, io);

export const ledger: Noun = {
  name: 'ledger',
  group: 'Money',
  summary: 'Movements of credits and money: list, verify, seal, export',
  verbs: [list, balance, replay, verify, exportBooks, seal, key, proof],
  examples: [
    'ledger list <account> --since 7d --all',
    'ledger list <account> --since 2026-11-01 --type REFUND',
    'ledger list <account> --charge <id>',
    'ledger balance <account> --as-of 2026-11-01',
    'ledger balance --file ledger.jsonl --as-of 2026-11-01',
    'ledger replay <account> --until 2026-11-01',
    'ledger verify',
    'ledger verify --data ./backup-2026-11-21',
    'ledger export <account> --format csv --out ledger.csv',
    'ledger verify --file ledger.jsonl',
    'ledger verify --seals seals.txt --key <verifier key>',
    'ledger seal --out seals.txt',
    'ledger key > seals.key',
    'ledger proof <charge> --out proof.json',
    'ledger proof --file proof.json --key <verifier key>',
  ],
};
