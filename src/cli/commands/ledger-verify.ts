import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Report } from '../../audit/verify.ts';
import { printable } from '../../shared/printable.ts';
import type { Output } from '../output/output.ts';
import type { ProgressLine } from '../output/progress.ts';
import { createLocalAct } from '../program/context.ts';
import { CliError, codeOf, usageError } from '../program/failure.ts';
import type { Verb } from '../program/noun.ts';
import { actOnBooks, type BooksOptions, reported, withSource } from './books.ts';

export const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

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
};

const show = (report: Report, out: Output): void => {
  if (out.isJson) out.one(report);
  describe(report, out);
};

/** The header of our exports for spreadsheets: names of columns. */
const CSV_HEADER = /^[A-Za-z]+(,[A-Za-z]+)+$/;

async function* eventLines(file: string, lines: AsyncIterable<string>) {
  let isFirst = true;
  for await (const line of lines) {
    if (isFirst && CSV_HEADER.test(line)) {
      throw new CliError(
        `${file} is a CSV, whose hashes cannot be checked: verify an export of events, which waybill ledger export --format jsonl writes`,
      );
    }
    isFirst = false;
    yield line;
  }
}

const verifyFile = async (file: string, { show, end }: ProgressLine): Promise<Report> => {
  const { verifyExport } = await import('../../audit/export-file.ts');
  const input = createReadStream(file);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error) =>
      reject(new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error)),
    );
  });
  const onProgress = (events: number) => show(counted(events, 'event'));
  try {
    return await Promise.race([verifyExport(eventLines(file, lines), onProgress), failed]);
  } finally {
    end();
    input.destroy();
  }
};

interface Options extends BooksOptions {
  file?: string;
}

export const verify: Verb = (noun, act, io) => {
  const verifyBooks = actOnBooks(
    act,
    io,
  )(async ({ books, out }, account?: string) => show(await books.verify(account), out));
  const verifyExportFile = createLocalAct(io)(
    async ({ out }, account: string | undefined, { file = '', data, eventstore }: Options) => {
      if ([data, eventstore, account].some((given) => given !== undefined)) {
        throw usageError(
          '--file goes with no account and no other source: an export names its account',
        );
      }
      show(await reported(() => verifyFile(file, out.progress)), out);
    },
  );
  withSource(
    noun
      .command('verify')
      .description('Check sums, refunds, messages and the hash chain')
      .argument('[account]')
      .option('--file <file>', 'Check an export (JSON Lines) by itself'),
  ).action((...args: unknown[]) => {
    const { file } = args[1] as Options;
    return file === undefined ? verifyBooks(...args) : verifyExportFile(...args);
  });
};
