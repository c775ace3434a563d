import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { CliError } from '../program/failure.ts';
import { readText } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { type MoneyOptions, postMoney, withIdempotencyKey } from './money.ts';
import { listVerb } from './verbs.ts';

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
      .description('Publish the prices of the provider from a date on')
      .requiredOption('--file <file>', 'The card as JSON; - is standard input'),
  ).action(
    act(async (context, options: MoneyOptions & { file: string }) => {
      const { io, out } = context;
      const card = parseCard(await readText(io, options.file), options.file);
      out.one(await postMoney(context, '/rate-cards', card, options), factsOf);
    }),
  );

export const ratecard: Noun = {
  name: 'ratecard',
  group: 'Money',
  summary: 'Prices of the provider, by market and category',
  verbs: [
    publish,
    listVerb({
      description: 'List rate cards, newest first (rates: --json)',
      from: '/rate-cards',
      field: 'rateCards',
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'CURRENCY', of: 'currency' },
        { header: 'IN FORCE FROM (UTC)', of: 'effectiveFrom' },
        { header: 'MARKETS', of: marketsOf, align: 'right' },
      ],
    }),
  ],
  examples: ['ratecard publish --file card.json', 'ratecard list --json'],
};
