import { InvalidArgumentError } from 'commander';
import { route } from '../api/api.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { entryFacts, type MoneyOptions, postMoney, withIdempotencyKey } from './money.ts';

/** Stays text all the way: a binary fraction is no place for money. */
const decimal = (text: string): string => {
  if (/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('Must be a decimal number such as 25.00.');
};

const move =
  (verb: 'top-up' | 'adjust', description: string): Verb =>
  (noun, act) =>
    withIdempotencyKey(
      noun
        .command(verb)
        .description(description)
        .argument('<account>')
        .argument('<amount>', '', decimal)
        .option('--reason <text>', 'Stands in the ledger'),
    ).action(
      act(
        async (
          context,
          account: string,
          amount: string,
          options: MoneyOptions & { reason?: string },
        ) => {
          const path = `${route`/accounts/${account}/wallet`}/${verb}`;
          const { reason } = options;
          const entry = await postMoney(context, path, { amount, reason }, options);
          context.out.one(entry, entryFacts);
        },
      ),
    );

export const wallet: Noun = {
  name: 'wallet',
  group: 'Money',
  summary: 'Money of accounts on wallet plans: top up, adjust',
  verbs: [
    move('top-up', 'Top a wallet up, in the currency of its plan'),
    move('adjust', 'Adjust a wallet up or down, not below zero'),
  ],
  examples: [
    'wallet top-up <account> 25.00 --reason "Invoice 1042"',
    'wallet adjust <account> -3.50 --reason "Charged twice"',
  ],
};
