import { route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { gathered, time, wholeNumber } from '../program/parse.ts';

interface Created {
  account: string;
  allowedOrigin?: string[];
  rateLimit?: number;
  expiresAt?: string;
  scope?: string[];
}

const create: Verb = (noun, act, io) =>
  noun
    .command('create')
    .description('Create an API key; the key is printed once')
    .argument('<name>')
    .requiredOption('--account <id>', 'The account that it opens')
    .option('--scope <scope>', 'What it may do; repeat for more (default: all)', gathered)
    .option('--allowed-origin <origin>', 'Browsers may use it from there; repeatable', gathered)
    .option('--rate-limit <n>', 'Requests in 60 seconds (default: 120)', wholeNumber(1))
    .option('--expires-at <time>', 'A time, a day, or a span such as 90d', time(io.now, 'forward'))
    .action(
      act(async ({ api, out }, name: string, options: Created) => {
        const { account, allowedOrigin: allowedOrigins, rateLimit, expiresAt } = options;
        const body = { name, allowedOrigins, rateLimit, expiresAt, scopes: options.scope };
        out.one(await api.send('POST', route`/accounts/${account}/keys`, body));
        out.note('Keep the key now: it is not shown again.');
      }),
    );

const list: Verb = (noun, act) =>
  withPages(
    noun
      .command('list')
      .description('List the keys of an account, without their secrets')
      .requiredOption('--account <id>', 'Whose keys'),
  ).action(
    act(async ({ api, out }, options: PageOptions & { account: string }) => {
      const listing = { from: route`/accounts/${options.account}/keys`, field: 'keys' };
      out.list(await readRows(api, listing, options), [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'PREFIX', of: 'prefix', narrow: 'drop' },
        { header: 'STATE', of: 'state' },
        { header: 'LAST USED (UTC)', of: 'lastUsedAt' },
        { header: 'EXPIRES (UTC)', of: 'expiresAt', narrow: 'drop' },
        { header: 'SCOPES', of: 'scopes', narrow: 'drop' },
      ]);
    }),
  );

const switchTo =
  (verb: 'deactivate' | 'activate' | 'revoke', description: string): Verb =>
  (noun, act) =>
    noun
      .command(verb)
      .description(description)
      .argument('<id>')
      .action(
        act(async ({ api, out }, id: string) => {
          out.one(await api.send('POST', `${route`/keys/${id}`}/${verb}`));
        }),
      );

export const key: Noun = {
  name: 'key',
  group: 'Customers',
  summary: 'API keys of accounts: create, switch off and on, revoke',
  verbs: [
    create,
    list,
    switchTo('deactivate', 'Switch a key off for now'),
    switchTo('activate', 'Switch a key on again'),
    switchTo('revoke', 'Revoke a key, for good'),
  ],
  examples: [
    'key create "Checkout" --account <account>',
    'key create "Reports" --account <account> --scope messages:read',
    'key list --account <account>',
    'key revoke <id>',
  ],
};
