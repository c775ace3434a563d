import { route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import type { Noun, Verb } from '../program/noun.ts';

interface Filters extends PageOptions {
  account?: string;
  contact?: string;
  message?: string;
  charge?: string;
  reference?: string;
}

const list: Verb = (noun, act) =>
  withPages(noun.command('list').description('Find messages of any account, newest first'))
    .option('--account <id>', 'Of this account; needed unless a message or a charge is named')
    .option('--contact <number>', 'To or from this number')
    .option('--message <id>', "By the provider's id")
    .option('--charge <id>', 'The message that this charge paid for')
    .option('--reference <text>', "By the caller's own reference")
    .action(
      act(
        async (
          { api, out },
          { account, contact, message, charge, reference, ...pages }: Filters,
        ) => {
          const query = {
            ...{ accountId: account, contact, messageId: message, chargeId: charge },
            clientReference: reference,
          };
          const page = await readRows(api, { from: '/messages', field: 'messages', query }, pages);
          out.list(page, [
            { header: 'ID', of: 'id', narrow: 'cut' },
            { header: 'ACCOUNT', of: 'accountId', narrow: 'drop' },
            { header: 'DIRECTION', of: 'direction', narrow: 'drop' },
            { header: 'TYPE', of: 'messageType' },
            { header: 'STATUS', of: 'status' },
            { header: 'CHARGE', of: 'chargeId', narrow: 'drop' },
            { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
          ]);
        },
      ),
    );

const show: Verb = (noun, act) =>
  noun
    .command('show')
    .description('Show one, with every event of it')
    .argument('<id>', "The provider's id")
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.get(route`/messages/${id}`));
      }),
    );

export const message: Noun = {
  name: 'message',
  group: 'Operation',
  summary: 'Messages of any account, and how far each got',
  verbs: [list, show],
  examples: ['message list --account <id> --contact 919812345678', 'message show <id>'],
};
