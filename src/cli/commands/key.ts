import { route } from '../api/api.ts';
import { gathered, time, wholeNumber } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { listVerb, postVerb } from './verbs.ts';

interface Created {
  account: string;
  allowedOrigin?: string[];
  rateLimit?: number;
  expiresAt?: string;
  scope?: string[];
  opaqueIsIdempotent?: true;
}

const create: Verb = (noun, act, io) =>
  noun
    .command('create')
    .description('Create an API key; the key is printed once')
    .argument('<name>')
    .requiredOption('--account <id>', 'The account that the key is for')
    .option('--scope <scope>', 'What it may do; repeat for more (default: all)', gathered)
    .option('--allowed-origin <origin>', 'Website that may use it; repeat for more', gathered)
    .option('--rate-limit <n>', 'Requests in 60 seconds (default: 120)', wholeNumber(1))
    .option('--expires-at <time>', 'A time, a day, or a span such as 90d', time(io.now, 'forward'))
    .option('--opaque-is-idempotent', 'At the gateway opaque data is an idempotency key')
    .action(
      act(async ({ api, out }, name: string, options: Created) => {
        const { account, allowedOrigin: allowedOrigins, rateLimit, expiresAt } = options;
        const { scope: scopes, opaqueIsIdempotent } = options;
        const body = { name, allowedOrigins, rateLimit, expiresAt, scopes, opaqueIsIdempotent };
        out.one(await api.send('POST', route`/accounts/${account}/keys`, body));
        out.note('Keep the key now: it is not shown again.');
      }),
    );

export const key: Noun = {
  name: 'key',
  group: 'Customers',
  summary: 'API keys of accounts: create, switch off and on, revoke',
  verbs: [
    create,
    listVerb<{ account: string }>({
      description: 'List the keys of an account, without their secrets',
      from: ({ account }) => route`/accounts/${account}/keys`,
      field: 'keys',
      selection: (list) => list.requiredOption('--account <id>', 'The account'),
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'PREFIX', of: 'prefix', narrow: 'drop' },
        { header: 'STATE', of: 'state' },
        { header: 'LAST USED (UTC)', of: 'lastUsedAt' },
        { header: 'EXPIRES (UTC)', of: 'expiresAt', narrow: 'drop' },
        { header: 'SCOPES', of: 'scopes', narrow: 'drop' },
      ],
    }),
    postVerb('/keys', 'deactivate', 'Switch a key off for now'),
    postVerb('/keys', 'activate', 'Switch a key on again'),
    postVerb('/keys', 'revoke', 'Revoke a key, for good'),
  ],
  examples: [
    'key create "Checkout" --account <account>',
    'key create "Reports" --account <account> --scope messages:read',
    'key list --account <account>',
    'key deactivate <id>',
    'key activate <id>',
    'key revoke <id>',
  ],
};
