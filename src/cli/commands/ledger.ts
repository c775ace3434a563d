import { route } from '../api/api.ts';
import { signed } from '../output/format.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { oneOf, time } from '../program/parse.ts';
import { exportBooks } from './ledger-export.ts';
import { replay } from './ledger-replay.ts';
import { key, proof, seal } from './ledger-seals.ts';
import { verify } from './ledger-verify.ts';
import { priceOf } from './money.ts';
import { listVerb } from './verbs.ts';

const types = ['DEDUCT', 'REFUND', 'GRANT', 'REVOKE'] as const;

interface Filter {
  since?: string;
  until?: string;
  type?: (typeof types)[number];
  charge?: string;
}

const list: Verb = (noun, act, io) =>
  listVerb<Filter>({
    description: 'List the movements of an account, newest first',
    from: (_, account) => route`/accounts/${account}/ledger`,
    field: 'entries',
    selection: (command) =>
      command
        .argument('<account>')
        .option('--since <time>', 'From a time or day on, or a span such as 7d', time(io.now))
        .option('--until <time>', 'Before a time or day, or a span such as 24h', time(io.now))
        .option('--type <type>', types.join(', '), oneOf(types))
        .option('--charge <id>', 'Only the movements of one charge'),
    query: ({ since, until, type, charge }) => ({ since, until, type, chargeId: charge }),
    columns: [
      { header: 'TIME (UTC)', of: 'createdAt' },
      { header: 'TYPE', of: 'type' },
      { header: 'AMOUNT', of: ({ amount }) => signed(amount), align: 'right' },
      { header: 'BALANCE', of: 'balanceAfter', align: 'right' },
      { header: 'REASON', of: 'reason', narrow: 'cut' },
      { header: 'CATEGORY', of: (entry) => priceOf(entry).category, narrow: 'drop' },
      { header: 'COUNTRY', of: (entry) => priceOf(entry).countryCode, narrow: 'drop' },
      { header: 'PRICE', of: (entry) => priceOf(entry).sellPrice, align: 'right', narrow: 'drop' },
      { header: 'CAUSE', of: 'cause', narrow: 'drop' },
      { header: 'CHARGE', of: (entry) => priceOf(entry).chargeId, narrow: 'drop' },
      { header: 'MESSAGE', of: 'messageId', narrow: 'drop' },
    ],
  })(noun, act, io);

const balance: Verb = (noun, act, io) =>
  noun
    .command('balance')
    .description('The balance at a time, computed from the events')
    .argument('<account>')
    .option('--as-of <time>', 'A time, a day, or a span such as 24h (default: now)', time(io.now))
    .action(
      act(async ({ api, out }, account: string, { asOf }: { asOf?: string }) => {
        const answer = await api.get(route`/accounts/${account}/balance`, { asOf });
        out.one(answer, (found) => [
          ['balance', found.balance],
          ['as of', found.asOf],
          ['last entry', found.entryId],
        ]);
      }),
    );

export const ledger: Noun = {
  name: 'ledger',
  group: 'Money',
  summary: 'Movements of credits and money: list, verify, seal, export',
  verbs: [list, balance, replay, verify, exportBooks, seal, key, proof],
  examples: [
    'ledger list <account> --since 7d --all',
    'ledger list <account> --since 2026-11-01 --type REFUND',
    'ledger list <account> --charge <id>',
    'ledger balance <account> --as-of 2026-11-01',
    'ledger replay <account> --until 2026-11-01',
    'ledger verify',
    'ledger verify --data ./backup-2026-11-21',
    'ledger export <account> --format csv --out ledger.csv',
    'ledger verify --file ledger.jsonl',
    'ledger verify --seals seals.txt --key <verifier key>',
    'ledger seal --out seals.txt',
    'ledger key > seals.key',
    'ledger proof <charge> --out proof.json',
    'ledger proof --file proof.json --key <verifier key>',
  ],
};
