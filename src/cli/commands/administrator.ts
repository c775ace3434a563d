import { route } from '../api/api.ts';
import { type PageOptions, readRows, withPages } from '../api/paging.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { oneOf } from '../program/parse.ts';

const roles = ['admin', 'auditor'] as const;

interface Created {
  email: string;
  role: (typeof roles)[number];
}

const create: Verb = (noun, act) =>
  noun
    .command('create')
    .description('Create an administrator; its token is printed once')
    .argument('<name>')
    .requiredOption('--email <email>', 'Stands in the history beside what they do')
    .requiredOption(
      '--role <role>',
      'What they may do: admin, or auditor (reads only)',
      oneOf(roles),
    )
    .action(
      act(async ({ api, out }, name: string, { email, role }: Created) => {
        out.one(await api.send('POST', '/administrators', { name, email, role }));
        out.note('Keep the token now: it is not shown again.');
      }),
    );

const list: Verb = (noun, act) =>
  withPages(noun.command('list').description('List administrators, newest first')).action(
    act(async ({ api, out }, options: PageOptions) => {
      const listing = { from: '/administrators', field: 'administrators' };
      out.list(await readRows(api, listing, options), [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'EMAIL', of: 'email', narrow: 'cut' },
        { header: 'ROLE', of: 'role' },
        { header: 'STATE', of: 'state' },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
      ]);
    }),
  );

const revoke: Verb = (noun, act) =>
  noun
    .command('revoke')
    .description('Revoke an administrator, for good')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        const answer = await api.send('POST', route`/administrators/${id}/revoke`);
        out.done(answer, `Administrator ${id} is revoked.`);
      }),
    );

export const administrator: Noun = {
  name: 'administrator',
  group: 'Operation',
  summary: 'Who may use this API, as admin or as auditor',
  verbs: [create, list, revoke],
  examples: [
    'administrator create Asha --email asha@example.com --role auditor',
    'administrator revoke <id>',
  ],
};
