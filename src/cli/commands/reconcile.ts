import type { Command } from 'commander';
import type { DifferenceKind } from '../../audit/billing.ts';
import type { Difference, Reconciliation } from '../../audit/billing-report.ts';
import type { NamedPeriod } from '../../audit/statement.ts';
import { amountCell } from '../../shared/csv.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { printable } from '../../shared/printable.ts';
import { STANDARD_OUTPUT, writeOut } from '../output/file.ts';
import { type Row, readableTime } from '../output/format.ts';
import { type Column, tableLines } from '../output/table.ts';
import { createAct, createLocalAct, type LocalContext } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { oneOf, readLines } from '../program/input.ts';
import { type Io, widthOf } from '../program/io.ts';
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

const moneyOf = ({ difference, currency }: Row): string =>
  difference === null ? 'not known' : `${difference} ${currency ?? ''}`.trim();

const differenceColumns: readonly Column[] = [
  { header: 'TIME (UTC)', of: 'at' },
  { header: 'WHAT DIFFERS', of: ({ kind, byPlan }) => `${nameOf(kind)}${byPlan ? ' (plan)' : ''}` },
  { header: 'MESSAGE OR CHARGE', of: ({ messageId, chargeId }) => messageId ?? chargeId },
  { header: 'CATEGORY', of: 'category', narrow: 'drop' },
  { header: 'PAID', of: amountOf, align: 'right' },
  { header: 'BILLED OTHERWISE', of: moneyOf, align: 'right' },
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
  { header: 'COST HERE', of: side('ours', 'cost'), align: 'right' },
  { header: 'THERE', of: side('theirs', 'cost'), align: 'right' },
  { header: 'DIFFERENCE', of: 'difference', align: 'right' },
  { header: 'SAME', of: 'isSame' },
];

/** A blank line and a table, where there are rows. */
const table = (rows: readonly object[], columns: readonly Column[], width?: number): string[] =>
  rows.length === 0 ? [] : ['', ...tableLines(rows as readonly Row[], columns, width)];

/** What the differences come to. */
const moneyLines = ({ difference, unpriced }: Reconciliation): string[] => [
  ...Object.entries(difference).map(
    ([currency, amount]) =>
      `The provider bills ${amount} ${printable(currency)} otherwise than was recorded as its cost.`,
  ),
  ...(unpriced > 0 ? [`Of ${counted(unpriced, 'message')} that is not known.`] : []),
];

/** A report for people. */
const reconciliationLines = (report: Reconciliation, width?: number): string[] => {
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
    ...moneyLines(report),
    ...(compared
      ? ['', `Delivered messages, here and there (${printable(compared.source)}):`]
      : []),
    ...table(compared?.rows ?? [], volumeColumns, width),
    ...(compared?.missing ?? []).map(({ what, reason }) =>
      printable(`Not compared: ${what}: ${reason}`),
    ),
  ];
};

const formats = ['text', 'json', 'csv'] as const;

interface Options extends BooksOptions, NamedPeriod {
  account?: string;
  file?: string;
  messageIds: boolean;
  provider?: true;
  bill?: string;
  allowByPlan?: boolean;
  format?: (typeof formats)[number];
  out: string;
}

const columns: Readonly<Record<string, (row: Difference) => string | number | null>> = {
  kind: ({ kind }) => kind,
  byPlan: ({ byPlan }) => String(byPlan),
  accountId: ({ accountId }) => accountId,
  chargeId: ({ chargeId }) => chargeId,
  messageId: ({ messageId }) => messageId,
  at: ({ at }) => at,
  category: ({ category }) => category,
  country: ({ countryCode }) => countryCode,
  amount: ({ amount }) => amount,
  unit: ({ unit }) => unit,
  refundCause: ({ refundCause }) => refundCause,
  status: ({ status }) => status,
  billedType: ({ billedAs }) => billedAs.type,
  billedCategory: ({ billedAs }) => billedAs.category,
  difference: ({ difference }) => difference,
  currency: ({ currency }) => currency,
  erased: ({ erased }) => (erased === null ? null : String(erased)),
};

const csvLines = ({ differences }: Reconciliation): string[] => [
  Object.keys(columns).join(','),
  ...differences.map((row) =>
    Object.values(columns)
      .map((cellOf) => amountCell(cellOf(row)))
      .join(','),
  ),
];

/** The report beside the volumes of the provider's bill, or an operator's own. */
const withBill = async (report: Reconciliation, file: string): Promise<Reconciliation> => {
  const [{ readBill }, { withComparison }, { compareVolumes, createVolumes }] = await Promise.all([
    import('../../audit/billing-report.ts'),
    import('../../audit/billing-report.ts'),
    import('../../audit/volumes.ts'),
  ]);
  try {
    const theirs = await readBill(readLines(file));
    const ours = createVolumes();
    for (const { category, countryCode, ...counts } of report.volumes) {
      ours.add(category, countryCode, counts);
    }
    const rows = compareVolumes(ours.list(), theirs);
    return withComparison(report, { source: file, rows, missing: [] });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${file}: ${(error as Error).message}`, 1, error);
  }
};

async function* ended(lines: readonly string[]) {
  for (const line of lines) yield `${line}\n`;
}

/** Ends the run with status 1 when something is left over. */
const demandSettled = async (report: Reconciliation, allowByPlan: boolean): Promise<void> => {
  const { isSettled } = await import('../../audit/billing-report.ts');
  if (isSettled(report, { allowByPlan })) return;
  const { differenceCount, byPlanCount, compared, unreadable } = report;
  const volumes = (compared?.rows ?? []).filter(({ isSame }) => !isSame).length;
  const what = [
    counted(allowByPlan ? differenceCount - byPlanCount : differenceCount, 'message'),
    ...(compared ? [`${counted(volumes, 'volume')} (${compared.source})`] : []),
    ...(compared?.missing ?? []).map(({ what, reason }) => `${what}: ${reason}`),
    ...(unreadable > 0 ? [counted(unreadable, 'unreadable event')] : []),
  ];
  throw new CliError(printable(`Left over: ${what.join('; ')}`));
};

/** Writes a report, and ends the run with status 1 when something is left over. */
const write = async (
  { out, io }: LocalContext,
  told: Reconciliation,
  { bill, allowByPlan = false, out: target, format: asked }: Options,
): Promise<void> => {
  const report = bill === undefined ? told : await withBill(told, bill);
  const format = asked ?? (out.isJson ? 'json' : 'text');
  const linesIn = {
    json() {
      const { accounts: _, ...answer } = report;
      return [JSON.stringify(answer)];
    },
    csv: () => csvLines(report),
    text: () =>
      reconciliationLines(report, target === STANDARD_OUTPUT ? widthOf(io.stdout) : undefined),
  };
  const lines = linesIn[format]();
  await reported(() => writeOut(io, target, ended(lines)));
  await demandSettled(report, allowByPlan);
  out.note('All is settled.');
};

const show = async (context: BooksContext, options: Options): Promise<void> => {
  const { provider = false, bill, account: accountId, messageIds: ids } = options;
  if (provider && bill !== undefined) throw usageError('--provider and --bill exclude each other');
  const period = await periodIn(options);
  await write(
    context,
    await context.books.reconcile({ period, accountId, provider, ids }),
    options,
  );
};

/** The same of an export, once it is found sound. */
const showOfFile = async (context: LocalContext, options: Options): Promise<void> => {
  const { file = '', data, eventstore, account, provider } = options;
  if ([data, eventstore, account, provider].some((given) => given !== undefined)) {
    throw usageError(
      '--file goes with no account and no other source: an export names its account',
    );
  }
  const period = await periodIn(options);
  const { reconcileFile } = await import('../../audit/offline-reconcile.ts');
  const { progress } = context.out;
  const onProgress = (events: number) => progress.show(counted(events, 'event'));
  const { report, found } = await reported(() =>
    reconcileFile(() => eventLines(file), { period, onProgress }),
  ).finally(progress.end);
  demandSound(report);
  if (!found) throw new CliError(`${file} has no account`);
  await write(context, found, options);
};

/** `waybill reconcile`: what was charged against what the provider bills. */
export const addReconcile = (program: Command, io: Io): void => {
  const command = withSource(
    withPeriod(
      program
        .command('reconcile')
        .description('Compare what was charged with what the provider bills')
        .helpGroup('Money:'),
      io,
    )
      .option('--account <id>', 'Only this account')
      .option('--file <export>', 'Read an export with messages, which names its account')
      .option('--no-message-ids', 'Leave out the ids of messages, as of an export')
      .option('--provider', "Compare the provider's analytics too, a year back at most")
      .option('--bill <csv>', 'Compare volumes with a bill: country, category, type, volume')
      .option('--allow-by-plan', 'Leave out what plans want: free replies, failures without refund')
      .option('--format <format>', `${formats.join(', ')} (default: text)`, oneOf(formats))
      .option('--out <file>', 'The file; only its owner may read it', STANDARD_OUTPUT),
  );
  const ofBooks = actOnBooks(createAct(io), io)(show);
  const ofFile = createLocalAct(io)(showOfFile);
  command.action((...args: unknown[]) =>
    (args[0] as Options).file === undefined ? ofBooks(...args) : ofFile(...args),
  );
  const examples = [
    'reconcile --month 2026-11 --provider',
    'reconcile --month 2026-11 --account <id> --format csv --out left.csv',
    'reconcile --month 2026-11 --data ./backup-2026-12-01 --bill bill.csv',
    'reconcile --month 2026-11 --file export.jsonl --bill bill.csv',
  ];
  withExtra(command, { examples });
};
