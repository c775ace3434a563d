import type { Command } from 'commander';
import { printable } from '../../shared/printable.ts';
import { route } from '../api/api.ts';
import { type Row, readableTime, rowOf } from '../output/format.ts';
import { createAct } from '../program/context.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';

/** Two lines for each rule: what it said, and why, with its event. */
const linesOf = ({ outcome, rules }: Row): string =>
  [
    `The message is ${outcome}.`,
    ...(rules as Row[]).flatMap(({ rule, value, why, event }) => {
      const { type, position, at } = rowOf(event ?? {});
      const source = event ? `${type} of ${readableTime(String(at))}, at ${position}` : 'no event';
      return [`${String(rule).padEnd(9)} ${value}`, `          ${why} (${source})`];
    }),
  ]
    .map(printable)
    .join('\n');

/** `waybill explain`: every rule that led to a message's outcome and price. */
export const addExplain = (program: Command, io: Io): void => {
  const command = program
    .command('explain')
    .description('Explain a message: every rule that led to its outcome and price')
    .helpGroup('Messages:')
    .argument('<id>')
    .action(
      createAct(
        io,
        'key',
      )(async ({ api, out }, id: string) => {
        const found = await api.get<Row>(route`/messages/${id}/explain`);
        out.done(found, linesOf(found));
      }),
    );
  withExtra(command, { examples: ['explain <message id>'] });
};
