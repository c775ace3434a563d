import type { Command } from 'commander';
import type { Output } from '../output/output.ts';
import { createAct, createLocalAct } from '../program/context.ts';
import { CliError, usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { time } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import type { Verb } from '../program/noun.ts';
import { actOnBooks, type BooksOptions, reported, withSource } from './books.ts';
import { counted, demandSound, eventLines } from './ledger-verify.ts';
import type { BalanceAnswer } from './remote-books.ts';

interface Options extends BooksOptions {
  asOf?: string;
  file?: string;
}

const show = (answer: BalanceAnswer, out: Output): void =>
  out.one(answer, (found) => [
    ['balance', found.balance],
    ['as of', found.asOf],
    ['last entry', found.entryId],
  ]);

/** The balance in an export, once it is found sound. */
const showOfFile = async (out: Output, file: string, asOf: string): Promise<void> => {
  const { balanceInExport } = await import('../../audit/export-balance.ts');
  const { amountOf } = await import('../../audit/statement-formats.ts');
  const onProgress = (events: number) => out.progress.show(counted(events, 'event'));
  const { report, found, lastAt } = await reported(() =>
    balanceInExport(eventLines(file), asOf, onProgress),
  ).finally(out.progress.end);
  demandSound(report);
  if (!found) throw new CliError(`${file} has no account`);
  const { billing, balance, entryId } = found;
  show({ balance: amountOf(billing, balance), asOf, entryId }, out);
  if (asOf > lastAt) out.note(`The export ends with an event of ${lastAt}.`);
};

/** `ledger balance`, and `balance` for short. */
export const balance: Verb = (noun, act, io) => {
  const command = withSource(
    noun
      .command('balance')
      .description('The balance at a time, computed from the events')
      .argument('[account]')
      .option('--as-of <time>', 'A time, a day, or a span such as 24h (default: now)', time(io.now))
      .option('--file <file>', 'Read an export (JSON Lines), which names its account'),
  );
  const ofBooks = actOnBooks(
    act,
    io,
  )(async ({ books, out }, account: string | undefined, { asOf }: Options) => {
    if (account === undefined) throw usageError('Name an account, or an export with --file');
    show(await books.balance(account, asOf), out);
  });
  const ofFile = createLocalAct(io)(
    async (
      { out },
      account: string | undefined,
      { file = '', data, eventstore, asOf }: Options,
    ) => {
      if ([data, eventstore, account].some((given) => given !== undefined)) {
        throw usageError(
          '--file goes with no account and no other source: an export names its account',
        );
      }
      await showOfFile(out, file, asOf ?? new Date(io.now()).toISOString());
    },
  );
  command.action((...args: unknown[]) =>
    (args[1] as Options).file === undefined ? ofBooks(...args) : ofFile(...args),
  );
};

/** `waybill balance` */
export const addBalance = (program: Command, io: Io): void => {
  balance(program, createAct(io), io);
  const command = program.commands.find((one) => one.name() === 'balance')!;
  withExtra(command.helpGroup('Money:'), {
    examples: ['balance <account> --as-of 2026-11-01', 'balance --file ledger.jsonl'],
  });
};
