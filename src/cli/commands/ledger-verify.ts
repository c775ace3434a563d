import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Report } from '../../audit/verify.ts';
import { printable } from '../output/format.ts';
import { createOutput, type Output } from '../output/output.ts';
import { createProgress, type ProgressLine } from '../output/progress.ts';
import { CliError, codeOf, usageError } from '../program/failure.ts';
import type { Verb } from '../program/noun.ts';
import { actOnBooks, type BooksOptions, reported, withSource } from './books.ts';

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;

/** Says what came out; anything but sound books ends the run with status 1. */
export const describe = (report: Report, out: Output): void => {
  const { ok, accounts, movements, problems, problemCount, readModel } = report;
  const scope = `${counted(accounts, 'account')}, ${counted(movements, 'movement')}`;
  if (ok) {
    out.note(
      readModel
        ? `${scope}: all in order, and what is shown is what the events say.`
        : `${scope}: all in order. What is shown was not compared.`,
    );
    return;
  }
  const lines = problems.map(({ kind, accountId, at, detail }) =>
    printable(`  ${kind}  ${accountId ?? '-'}  ${at === '' ? '-' : at}  ${detail}`),
  );
  const more = problemCount - problems.length;
  if (more > 0) lines.push(`  and ${counted(more, 'more')}`.replace(/s$/, ''));
  throw new CliError(`${scope}: ${counted(problemCount, 'problem')}\n${lines.join('\n')}`);
};

const verifyFile = async (file: string, progress: ProgressLine): Promise<Report> => {
  const { verifyExport } = await import('../../audit/export-file.ts');
  const input = createReadStream(file);
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  const failed = new Promise<never>((_, reject) => {
    input.once('error', (error) =>
      reject(new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error)),
    );
  });
  const onProgress = (events: number) => progress.show(`${counted(events, 'event')}`);
  try {
    return await Promise.race([verifyExport(lines, onProgress), failed]);
  } finally {
    progress.end();
    input.destroy();
  }
};

interface Options extends BooksOptions {
  file?: string;
  json?: boolean;
}

export const verify: Verb = (noun, act, io) => {
  const overBooks = actOnBooks(
    act,
    io,
  )(async ({ books, out, json }, account?: string) => {
    const report = await books.verify(account);
    if (json) out.one(report);
    describe(report, out);
  });
  withSource(
    noun
      .command('verify')
      .description('Check sums, refunds, messages and the hash chain')
      .argument('[account]')
      .option('--file <file>', 'Check an export (JSON Lines) by itself'),
  ).action(async (...args: unknown[]) => {
    const [account, { file, data, eventstore }, command] = args as [
      string | undefined,
      Options,
      { optsWithGlobals(): Options },
    ];
    if (file === undefined) return overBooks(...args);
    if ([data, eventstore, account].some((given) => given !== undefined)) {
      throw usageError('--file stands alone: an export names its account itself');
    }
    const json = command.optsWithGlobals().json === true;
    const out = createOutput(io, { json });
    const progress = createProgress(io, { quiet: json });
    const report = await reported(() => verifyFile(file, progress));
    if (json) out.one(report);
    describe(report, out);
  });
};
