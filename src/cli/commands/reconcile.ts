import type { Command } from 'commander';
import type { Difference, Reconciliation } from '../../audit/billing-report.ts';
import type { NamedPeriod } from '../../audit/period.ts';
import { csvCell } from '../../shared/csv.ts';
import { printable } from '../../shared/printable.ts';
import { STANDARD_OUTPUT, writeOut } from '../output/file.ts';
import { createAct } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { readLines } from '../program/input.ts';
import { type Io, widthOf } from '../program/io.ts';
import { oneOf, time } from '../program/parse.ts';
import { actOnBooks, type BooksContext, type BooksOptions, reported, withSource } from './books.ts';
import { counted } from './ledger-verify.ts';
import { reconciliationLines } from './reconcile-text.ts';

const formats = ['text', 'json', 'csv'] as const;

interface Options extends BooksOptions, NamedPeriod {
  account?: string;
  provider?: true;
  file?: string;
  allowByPlan?: true;
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
};

const csvLines = ({ differences }: Reconciliation): string[] => [
  Object.keys(columns).join(','),
  ...differences.map((row) =>
    Object.values(columns)
      .map((cellOf) => csvCell(cellOf(row)))
      .join(','),
  ),
];

/** The report beside the volumes of an operator's file. */
const withFile = async (report: Reconciliation, file: string): Promise<Reconciliation> => {
  const [{ readBill }, { withComparison }, { compareVolumes, createVolumes }] = await Promise.all([
    import('../../audit/bill-file.ts'),
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

const show = async (
  { books, out, io }: BooksContext,
  { month, from, to, account, ...options }: Options,
): Promise<void> => {
  const { provider = false, file, allowByPlan = false, out: target } = options;
  if (provider && file !== undefined) throw usageError('--provider and --file exclude each other');
  const { periodOf } = await import('../../audit/period.ts');
  const period = periodOf({ month, from, to });
  if ('problem' in period) throw usageError(`--${period.field} ${period.problem}`);
  const told = await books.reconcile({ period, accountId: account, provider });
  const report = file === undefined ? told : await withFile(told, file);
  const format = options.format ?? (out.isJson ? 'json' : 'text');
  const linesIn = {
    json: () => [JSON.stringify(report)],
    csv: () => csvLines(report),
    text: () =>
      reconciliationLines(report, target === STANDARD_OUTPUT ? widthOf(io.stdout) : undefined),
  };
  const lines = linesIn[format]();
  await reported(() => writeOut(io, target, ended(lines)));
  await demandSettled(report, allowByPlan);
  out.note('All is settled.');
};

/** `waybill reconcile`: what was charged against what the provider bills. */
export const addReconcile = (program: Command, io: Io): void => {
  const command = withSource(
    program
      .command('reconcile')
      .description('Compare what was charged with what the provider bills')
      .helpGroup('Money:')
      .option('--month <month>', 'A UTC month such as 2026-11')
      .option('--from <time>', 'Instead of a month: from a time or day on', time(io.now))
      .option('--to <time>', 'Before a time or day', time(io.now))
      .option('--account <id>', 'Only this account')
      .option('--provider', "Compare the provider's analytics too, a year back at most")
      .option('--file <csv>', 'Compare volumes with a file: country, category, type, volume')
      .option('--allow-by-plan', 'Leave out what plans want: free replies, failures without refund')
      .option('--format <format>', `${formats.join(', ')} (default: text)`, oneOf(formats))
      .option('--out <file>', 'The file; only its owner may read it', STANDARD_OUTPUT),
  ).action(actOnBooks(createAct(io), io)(show));
  const examples = [
    'reconcile --month 2026-11 --provider',
    'reconcile --month 2026-11 --account <id> --format csv --out left.csv',
    'reconcile --month 2026-11 --data ./backup-2026-12-01 --file bill.csv',
  ];
  withExtra(command, { examples });
};
