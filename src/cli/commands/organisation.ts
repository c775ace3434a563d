import { route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import type { Noun, Verb } from '../program/noun.ts';

const create: Verb = (noun, act) =>
  noun
    .command('create')
    .description('Create an organisation')
    .argument('<name>')
    .action(
      act(async ({ api, out }, name: string) => {
        out.one(await api.send('POST', '/organisations', { name }));
      }),
    );

const list: Verb = (noun, act) =>
  withPages(noun.command('list').description('List organisations, newest first')).action(
    act(async ({ api, out }, options: PageOptions) => {
      const listing = { from: '/organisations', field: 'organisations' };
      out.list(await readRows(api, listing, options), [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'SUSPENDED', of: 'suspended' },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
      ]);
    }),
  );

const show: Verb = (noun, act) =>
  noun
    .command('show')
    .description('Show one organisation')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.get(route`/organisations/${id}`));
      }),
    );

const setSuspended =
  (verb: 'suspend' | 'reinstate', description: string): Verb =>
  (noun, act) =>
    noun
      .command(verb)
      .description(description)
      .argument('<id>')
      .option('--reason <text>', 'Kept in the history')
      .action(
        act(async ({ api, out }, id: string, { reason }: { reason?: string }) => {
          out.one(await api.send('POST', `${route`/organisations/${id}`}/${verb}`, { reason }));
        }),
      );

export const organisation: Noun = {
  name: 'organisation',
  group: 'Customers',
  summary: 'Legal owners of accounts: create, suspend, reinstate',
  verbs: [
    create,
    list,
    show,
    setSuspended('suspend', 'Stop everything that its keys could do'),
    setSuspended('reinstate', 'Let a suspended organisation go on'),
  ],
  examples: [
    'organisation create "Corner Shop"',
    'organisation list --all',
    'organisation suspend <id> --reason "Unpaid since March"',
  ],
};
