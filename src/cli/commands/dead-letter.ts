import { Option } from 'commander';
import { route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import type { Noun, Verb } from '../program/noun.ts';

const list: Verb = (noun, act) =>
  withPages(noun.command('list').description('List what could not be understood (raw: --json)'))
    .addOption(
      new Option('--state <state>', 'Only those').choices(['open', 'resolved', 'dismissed']),
    )
    .action(
      act(async ({ api, out }, { state, ...pages }: PageOptions & { state?: string }) => {
        const from = { from: '/dead-letters', field: 'deadLetters', query: { state } };
        const page = await readRows(api, from, pages);
        out.list(page, [
          { header: 'ID', of: 'id' },
          { header: 'FIELD', of: 'field', narrow: 'drop' },
          { header: 'REASON', of: 'reason', narrow: 'cut' },
          { header: 'STATE', of: 'state' },
          { header: 'KEPT (UTC)', of: 'createdAt', narrow: 'drop' },
          { header: 'NUMBER', of: 'phoneNumberId', narrow: 'drop' },
        ]);
      }),
    );

const show: Verb = (noun, act) =>
  noun
    .command('show')
    .description('Show one, with the item as it came')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.get(route`/dead-letters/${id}`));
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

const dismiss: Verb = (noun, act) =>
  noun
    .command('dismiss')
    .description('Close one without taking it in')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.send('POST', route`/dead-letters/${id}/dismiss`));
      }),
    );

export const deadletter: Noun = {
  name: 'dead-letter',
  alias: 'deadletter',
  group: 'Operation',
  summary: 'What the provider sent and could not be taken in',
  verbs: [list, show, retry, dismiss],
  examples: [
    'dead-letter list --state open',
    'dead-letter show <id>',
    'dead-letter retry <id>',
    'dead-letter dismiss <id>',
  ],
};
