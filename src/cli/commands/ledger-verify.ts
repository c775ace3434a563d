import { readFile } from 'node:fs/promises';
import type { ExportReport } from '../../audit/export-file.ts';
import type { Uncovered } from '../../audit/export-proof.ts';
import type { Report } from '../../audit/verify.ts';
import { printable } from '../../shared/printable.ts';
import type { Output } from '../output/output.ts';
import type { ProgressLine } from '../output/progress.ts';
import { createLocalAct } from '../program/context.ts';
import { CliError, codeOf, usageError } from '../program/failure.ts';
import { gathered, readLines, wholeNumber } from '../program/input.ts';
import type { Verb } from '../program/noun.ts';
import { actOnBooks, type BooksOptions, reported, withSource } from './books.ts';
import type { GivenSeals } from './remote-books.ts';

export const counted = (count: number, what: string, plural = `${what}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? what : plural}`;

const scopeOf = ({ accounts, movements }: Pick<Report, 'accounts' | 'movements'>): string =>
  `${counted(accounts, 'account')}, ${counted(movements, 'movement')}`;

/** Ends the run with status 1 unless the books are sound. */
export const demandSound = ({ ok, accounts, movements, problems, problemCount }: Report): void => {
  if (ok) return;
  const lines = problems.map(({ kind, accountId, at, detail }) =>
    printable(`  ${kind}  ${accountId ?? '-'}  ${at === '' ? '-' : at}  ${detail}`),
  );
  const more = problemCount - problems.length;
  if (more > 0) lines.push(`  and ${more.toLocaleString('en')} more`);
  const what = `${scopeOf({ accounts, movements })}: ${counted(problemCount, 'problem')}`;
  throw new CliError([what, ...lines].join('\n'));
};

/** Says what a verification found. */
export const describe = (report: Report, out: Output): void => {
  demandSound(report);
  out.note(
    report.readModel
      ? `${scopeOf(report)}: all in order, and the read models agree with the events.`
      : `${scopeOf(report)}: all in order. The read models were not compared.`,
  );
  const { seals } = report;
  if (seals?.last) {
    const { count, last, signed, witnessed } = seals;
    const witnesses = witnessed ? ', and by enough witnesses' : '';
    const by = signed ? `signed by the key${witnesses}` : 'signatures were not checked: add --key';
    out.note(`${counted(count, 'seal')} up to number ${last.number} of ${last.at} hold; ${by}.`);
  }
};

/** Says which lines of an export are not proved. */
const describeUncovered = ({ count, lines }: Uncovered, out: Output): void => {
  out.note(
    count === 0
      ? 'The proof covers every line.'
      : `The proof does not cover ${counted(count, 'line')}:`,
  );
  for (const { from, to, what } of lines) {
    out.note(printable(`  ${from === to ? `line ${from}` : `lines ${from} to ${to}`}  ${what}`));
  }
  const { to = 0 } = lines.at(-1) ?? {};
  const listed = lines.reduce((sum, one) => sum + one.to - one.from + 1, 0);
  if (listed < count) out.note(`  and ${counted(count - listed, 'more line')} after line ${to}`);
};

const show = (report: ExportReport, out: Output): void => {
  if (out.isJson) out.one(report);
  const { ok, uncovered } = report;
  if (uncovered && (ok || uncovered.count > 0)) describeUncovered(uncovered, out);
  describe(report, out);
};

/** The header of our exports for spreadsheets: names of columns. */
const CSV_HEADER = /^[A-Za-z]+(,[A-Za-z]+)+$/;

/** The lines of an export of events. Throws for a CSV. */
export async function* eventLines(file: string) {
  let isFirst = true;
  for await (const line of readLines(file)) {
    if (isFirst && CSV_HEADER.test(line)) {
      throw new CliError(
        `${file} is a CSV, whose hashes cannot be checked: verify an export of events, which waybill ledger export --format jsonl writes`,
      );
    }
    isFirst = false;
    yield line;
  }
}

const verifyFile = async (
  file: string,
  { show, end }: ProgressLine,
  given: GivenSeals,
  at: number | undefined,
): Promise<ExportReport> => {
  const { verifyExport } = await import('../../audit/export-file.ts');
  const { sealsOf } = await import('../../audit/seals/given-seals.ts');
  const seals = { ...sealsOf(given), at };
  const onProgress = (events: number) => show(counted(events, 'event'));
  return verifyExport(eventLines(file), onProgress, seals).finally(end);
};

interface Options extends BooksOptions {
  file?: string;
  seals?: string;
  key?: readonly string[];
  at?: number;
  policy?: string;
}

const SEALS_BYTES_MAX = 900_000;

const readWhole = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error);
  });

/** Seals, keys and policy of the options, as they were typed. */
const givenIn = async (options: Options): Promise<GivenSeals> => {
  const { seals: file, key: keys, policy: policyFile } = options;
  const policy = policyFile === undefined ? undefined : await readWhole(policyFile);
  if (file === undefined) return { keys, policy };
  const seals = await readWhole(file);
  if (seals.length <= SEALS_BYTES_MAX) return { seals, keys, policy };
  throw new CliError(`${file} has more than ${SEALS_BYTES_MAX} bytes: give its newest seals alone`);
};

export const verify: Verb = (noun, act, io) => {
  const verifyBooks = actOnBooks(
    act,
    io,
  )(async ({ books, out }, account: string | undefined, options: Options) => {
    const given = await givenIn(options);
    if (options.at !== undefined) throw usageError('--at goes with --file and --seals');
    if (account !== undefined && (given.seals ?? given.keys ?? given.policy) !== undefined) {
      throw usageError('--seals, --key and --policy go with no account: a seal is of all of them');
    }
    show(await books.verify(account, given), out);
  });
  const verifyExportFile = createLocalAct(io)(
    async ({ out }, account: string | undefined, options: Options) => {
      const { file = '', data, eventstore } = options;
      if ([data, eventstore, account].some((given) => given !== undefined)) {
        throw usageError(
          '--file goes with no account and no other source: an export names its account',
        );
      }
      const given = await givenIn(options);
      const { at } = options;
      if (at !== undefined && given.seals === undefined) throw usageError('--at goes with --seals');
      show(await reported(() => verifyFile(file, out.progress, given, at)), out);
    },
  );
  withSource(
    noun
      .command('verify')
      .description('Check sums, refunds, messages and the hash chain')
      .argument('[account]')
      .option('--file <file>', 'Check an export (JSON Lines) by itself')
      .option('--seals <file>', 'Compare with seals that were kept elsewhere')
      .option('--key <key>', 'Verifier key of the seals; may be given several times', gathered)
      .option('--policy <file>', 'Which witnesses must have signed the newest seal (tlog-policy)')
      .option(
        '--at <entries>',
        'With --file: the kept seal of this many entries, not the newest one',
        wholeNumber(1),
      ),
  ).action((...args: unknown[]) => {
    const { file } = args[1] as Options;
    return file === undefined ? verifyBooks(...args) : verifyExportFile(...args);
  });
};
