import { route } from '../api/api.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { wholeNumber } from '../program/parse.ts';
import { entryFacts, type MoneyOptions, postMoney, withIdempotencyKey } from './money.ts';

const move =
  (verb: 'grant' | 'revoke', description: string): Verb =>
  (noun, act) =>
    withIdempotencyKey(
      noun
        .command(verb)
        .description(description)
        .argument('<account>')
        .argument('<amount>', '', wholeNumber(1))
        .option('--reason <text>', 'Stands in the ledger'),
    ).action(
      act(
        async (
          context,
          account: string,
          amount: number,
          options: MoneyOptions & { reason?: string },
        ) => {
          const path = `${route`/accounts/${account}/credits`}/${verb}`;
          const { reason } = options;
          const entry = await postMoney(context, path, { amount, reason }, options);
          context.out.one(entry, entryFacts);
        },
      ),
    );

export const credits: Noun = {
  name: 'credits',
  group: 'Money',
  summary: 'Credits of accounts on credit plans: grant, revoke',
  verbs: [
    move('grant', 'Grant credits'),
    move('revoke', 'Take credits back, not below a balance of zero'),
  ],
  examples: [
    'credits grant <account> 500 --reason "Welcome"',
    'credits revoke <account> 20 --reason "Granted by mistake"',
  ],
};
