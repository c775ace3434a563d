import type { Command } from 'commander';
import type { NamedPeriod } from '../../audit/statement.ts';
import { STANDARD_OUTPUT, writeOut } from '../output/file.ts';
import type { Output } from '../output/output.ts';
import { createAct, createLocalAct, type LocalContext } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { oneOf } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import {
  actOnBooks,
  type BooksContext,
  type BooksOptions,
  periodIn,
  reported,
  withPeriod,
  withSource,
} from './books.ts';
import { counted, demandSound, eventLines } from './ledger-verify.ts';
import type { Books, StatementQuery } from './remote-books.ts';

const formats = ['text', 'csv', 'html', 'json'] as const;

interface Options extends BooksOptions, NamedPeriod {
  file?: string;
  all?: boolean;
  format?: (typeof formats)[number];
  cost: boolean;
  out: string;
}

const queryOf = async (
  { all, format, cost: withCost, ...named }: Options,
  isJson: boolean,
): Promise<StatementQuery> => {
  const period = await periodIn(named);
  const usual = all ? 'csv' : 'text';
  return { period, format: format ?? (isJson ? 'json' : usual), withCost };
};

/** The statements of all accounts: one CSV with one header, or a line of JSON for each. */
async function* allStatements(
  { books, out }: BooksContext,
  query: StatementQuery,
): AsyncGenerator<string, void, void> {
  const { csvHeader } = await import('../../audit/statement-formats.ts');
  const isCsv = query.format === 'csv';
  if (isCsv) yield csvHeader;
  const accounts = await books.accounts(query.period.to);
  for (const [index, account] of accounts.entries()) {
    const text = await books.statement(account, query);
    yield isCsv ? text.slice(csvHeader.length) : text;
    out.progress.show(`${index + 1} of ${accounts.length} accounts`, (index + 1) / accounts.length);
  }
}

async function* oneStatement(books: Books, account: string, query: StatementQuery) {
  yield await books.statement(account, query);
}

/** The statement in an export, once it is found sound. */
async function* statementOfFile(out: Output, file: string, query: StatementQuery) {
  const { statementInExport } = await import('../../audit/export-books.ts');
  const { formatStatement } = await import('../../audit/statement-formats.ts');
  const onProgress = (events: number) => out.progress.show(counted(events, 'event'));
  const read = () => eventLines(file);
  const { report, statement } = await statementInExport(read, query.period, onProgress);
  demandSound(report);
  if (!statement) throw new CliError(`${file} has no account`);
  yield formatStatement(statement, query.format, query.withCost);
}

const writeOfFile = async (
  { out, io }: LocalContext,
  account: string | undefined,
  options: Options,
): Promise<void> => {
  const { file = '', data, eventstore, all, out: to } = options;
  if ([data, eventstore, account, all].some((given) => given !== undefined)) {
    throw usageError(
      '--file goes with no account and no other source: an export names its account',
    );
  }
  const query = await queryOf(options, out.isJson);
  await reported(() => writeOut(io, to, statementOfFile(out, file, query))).finally(
    out.progress.end,
  );
  if (to === STANDARD_OUTPUT) return;
  const { period, format } = query;
  out.done({ file: to, ...period, format }, `Wrote ${to}`);
};

const write = async (
  context: BooksContext,
  account: string | undefined,
  options: Options,
): Promise<void> => {
  const { books, out, io } = context;
  const { all = false, out: file } = options;
  if (all === (account !== undefined)) throw usageError('Name one account, or give --all');
  const query = await queryOf(options, out.isJson);
  if (all && (query.format === 'text' || query.format === 'html')) {
    throw usageError('--all writes csv or json');
  }
  const content = all ? allStatements(context, query) : oneStatement(books, account!, query);
  await reported(() => writeOut(io, file, content)).finally(out.progress.end);
  if (file === STANDARD_OUTPUT) return;
  const { period, format } = query;
  out.done({ account: account ?? null, ...period, format, file }, `Wrote ${file}`);
};

/** `waybill statement`, over the API of a service or from its log. */
export const addStatement = (program: Command, io: Io): void => {
  const command = withSource(
    withPeriod(
      program
        .command('statement')
        .description(
          'Statement of a month: balances, grants, charges, refunds, counted from the log',
        )
        .helpGroup('Money:')
        .argument('[account]')
        .option('--all', 'Every account that was opened before the end: one CSV, or JSON Lines'),
      io,
    )
      .option(
        '--format <format>',
        `${formats.join(', ')} (default: text; csv with --all)`,
        oneOf(formats),
      )
      .option('--file <export>', 'Read an export (JSON Lines), which names its account')
      .option('--no-cost', "Leave out the provider's cost and the margin: for the customer")
      .option(
        '--out <file>',
        'The file; only its owner may read it. - is standard output, the default',
        STANDARD_OUTPUT,
      ),
  );
  const ofBooks = actOnBooks(createAct(io), io)(write);
  const ofFile = createLocalAct(io)(writeOfFile);
  command.action((...args: unknown[]) =>
    (args[1] as Options).file === undefined ? ofBooks(...args) : ofFile(...args),
  );
  const examples = [
    'statement <account> --month 2026-11',
    'statement <id> --month 2026-11 --no-cost --format html --out nov.html',
    'statement <account> --from 2026-11-01 --to 2026-11-16 --format json',
    'statement --all --month 2026-11 --out november.csv',
    'statement <account> --month 2026-11 --data ./backup-2026-12-01',
    'statement --file ledger.jsonl --month 2026-11',
  ];
  withExtra(command, { examples });
};
