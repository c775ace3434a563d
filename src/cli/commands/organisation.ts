import { route } from '../api/api.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { listVerb, showVerb } from './verbs.ts';

const create: Verb = (noun, act) =>
  noun
    .command('create')
    .description('Create an organisation')
    .argument('<name>')
    .action(
      act(async ({ api, out }, name: string) =>
        out.one(await api.send('POST', '/organisations', { name })),
      ),
    );

const suspension =
  (verb: 'suspend' | 'reinstate', description: string): Verb =>
  (noun, act) =>
    noun
      .command(verb)
      .description(description)
      .argument('<id>')
      .option('--reason <text>', 'The history keeps it')
      .action(
        act(async ({ api, out }, id: string, { reason }: { reason?: string }) =>
          out.one(await api.send('POST', route`/organisations/${id}/${verb}`, { reason })),
        ),
      );

export const organisation: Noun = {
  name: 'organisation',
  group: 'Customers',
  summary: 'Legal owners of accounts: create, suspend, reinstate',
  verbs: [
    create,
    listVerb({
      description: 'List organisations, newest first',
      from: '/organisations',
      field: 'organisations',
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'SUSPENDED', of: 'suspended' },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
      ],
    }),
    showVerb('/organisations', 'Show one organisation'),
    suspension('suspend', 'Refuse every request with a key of the organisation'),
    suspension('reinstate', 'End the suspension of an organisation'),
  ],
  examples: [
    'organisation create "Corner Shop"',
    'organisation list --all',
    'organisation show <id>',
    'organisation suspend <id> --reason "Unpaid since March"',
    'organisation reinstate <id>',
  ],
};
