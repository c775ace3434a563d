import type { Movement } from '../../audit/movement.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { printable, readableTime, signed } from '../output/format.ts';
import { CliError } from '../program/failure.ts';
import type { Verb } from '../program/noun.ts';
import { time } from '../program/parse.ts';
import { actOnBooks, type BooksOptions, withSource } from './books.ts';
import { describe } from './ledger-verify.ts';

const amountOf = ({ billing }: Movement, amount: number): string =>
  billing === 'wallet' ? formatMicros(amount) : String(amount);

const lineOf = (movement: Movement): string => {
  const { at, type, amount, balanceAfter, reason, chargeId } = movement;
  const moved = String(signed(amountOf(movement, amount)));
  const left = amountOf(movement, balanceAfter);
  const why = printable(`${reason ?? '-'}  ${chargeId ?? ''}`).trimEnd();
  return `${readableTime(at)}  ${type.padEnd(6)}  ${moved.padStart(12)}  ${left.padStart(14)}  ${why}`;
};

/** The same fields as the ledger of the API, with amounts in the unit of the account. */
const jsonOf = (movement: Movement): string =>
  JSON.stringify({
    ...movement,
    amount: movement.billing === 'wallet' ? formatMicros(movement.amount) : movement.amount,
    balanceAfter:
      movement.billing === 'wallet' ? formatMicros(movement.balanceAfter) : movement.balanceAfter,
  });

interface Options extends BooksOptions {
  until?: string;
}

/** Prints as it reads, so that a history of any length needs no memory. */
export const replay: Verb = (noun, act, io) =>
  withSource(
    noun
      .command('replay')
      .description('Every movement, told by the events themselves')
      .argument('<account>')
      .option('--until <time>', 'Up to a time, a day, or a span such as 24h', time(io.now)),
  ).action(
    actOnBooks(
      act,
      io,
    )(async ({ books, out, json }, account: string, { until }: Options) => {
      const write = async (line: string) => {
        if (io.stdout.write(`${line}\n`)) return;
        await new Promise((resolve) => io.stdout.once('drain', resolve));
      };
      const { replay: replayEvents } = await import('../../audit/replay.ts');
      let isKnown = false;
      async function* seen() {
        for await (const event of books.events(account)) {
          isKnown = true;
          yield event;
        }
      }
      let count = 0;
      let last: Movement | undefined;
      for await (const movement of replayEvents(seen(), until)) {
        count += 1;
        last = movement;
        await write(json ? jsonOf(movement) : lineOf(movement));
      }
      if (!isKnown) throw new CliError(`There is no account ${printable(account)}`);
      const balance = last ? amountOf(last, last.balanceAfter) : '0';
      const report = await books.verify(account);
      if (json) await write(JSON.stringify({ end: true, replayed: count, balance, ...report }));
      else await write(`${count} movements, balance ${balance}`);
      describe(report, out);
    }),
  );
