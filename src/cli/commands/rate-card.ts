import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { CliError } from '../program/failure.ts';
import { readText } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { type MoneyOptions, postMoney, withIdempotencyKey } from './money.ts';

const marketsOf = ({ rates }: Row): number => Object.keys(rowOf(rates)).length;

const factsOf = (card: Row): Facts => [
  ['id', card.id],
  ['currency', card.currency],
  ['effective from', card.effectiveFrom],
  ['markets', marketsOf(card)],
];

const parseCard = (text: string, file: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CliError(
      `${file === '-' ? 'standard input' : file} is not valid JSON: ${(error as Error).message}`,
    );
  }
};

const publish: Verb = (noun, act) =>
  withIdempotencyKey(
    noun
      .command('publish')
      .description('Publish what the provider takes from a date on')
      .requiredOption('--file <file>', 'The card as JSON; - is standard input'),
  ).action(
    act(async (context, options: MoneyOptions & { file: string }) => {
      const { io, out } = context;
      const card = parseCard(await readText(io, options.file), options.file);
      out.one(await postMoney(context, '/rate-cards', card, options), factsOf);
    }),
  );

const list: Verb = (noun, act) =>
  withPages(
    noun.command('list').description('List rate cards, newest first (rates: --json)'),
  ).action(
    act(async ({ api, out }, options: PageOptions) => {
      const page = await readRows(api, { from: '/rate-cards', field: 'rateCards' }, options);
      out.list(page, [
        { header: 'ID', of: 'id' },
        { header: 'CURRENCY', of: 'currency' },
        { header: 'IN FORCE FROM (UTC)', of: 'effectiveFrom' },
        { header: 'MARKETS', of: marketsOf, align: 'right' },
      ]);
    }),
  );

export const ratecard: Noun = {
  name: 'ratecard',
  group: 'Money',
  summary: 'What the provider takes, by market and category',
  verbs: [publish, list],
  examples: ['ratecard publish --file card.json', 'ratecard list --json'],
};
