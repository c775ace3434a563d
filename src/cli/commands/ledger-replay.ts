import type { Movement } from '../../audit/movement.ts';
import type { KnownEvent } from '../../events/index.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { printable } from '../../shared/printable.ts';
import { print } from '../output/file.ts';
import { readableTime, signed } from '../output/format.ts';
import { CliError } from '../program/failure.ts';
import type { Verb } from '../program/noun.ts';
import { time } from '../program/parse.ts';
import { actOnBooks, type BooksOptions, withSource } from './books.ts';
import { describe } from './ledger-verify.ts';

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

interface Options extends BooksOptions {
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
    )(async ({ books, out }, account: string, { until }: Options) => {
      const write = (line: string) => print(io, `${line}\n`);
      const { replay: replayEvents } = await import('../../audit/replay.ts');
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
