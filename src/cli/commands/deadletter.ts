import { route } from '../api.ts';
import type { Noun, Verb } from '../noun.ts';
import { type PageOptions, readRows, withPages } from '../paging.ts';

const list: Verb = (noun, act) =>
  withPages(
    noun.command('list').description('List what could not be understood (raw: --json)'),
  ).action(
    act(async ({ api, out }, options: PageOptions) => {
      const page = await readRows(api, { from: '/dead-letters', field: 'deadLetters' }, options);
      out.list(page, [
        { header: 'ID', of: 'id' },
        { header: 'FIELD', of: 'field', narrow: 'drop' },
        { header: 'REASON', of: 'reason', narrow: 'cut' },
        { header: 'RESOLVED', of: 'resolved' },
        { header: 'KEPT (UTC)', of: 'createdAt', narrow: 'drop' },
        { header: 'NUMBER', of: 'phoneNumberId', narrow: 'drop' },
      ]);
    }),
  );

const retry: Verb = (noun, act) =>
  noun
    .command('retry')
    .description('Try to take one in again, and show what came of it')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.send('POST', route`/dead-letters/${id}/retry`));
      }),
    );

export const deadletter: Noun = {
  name: 'deadletter',
  group: 'Operation',
  summary: 'What the provider sent and nobody understood',
  verbs: [list, retry],
  examples: ['deadletter list', 'deadletter retry <id>'],
};
