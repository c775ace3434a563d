import { oneOf } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { listVerb, postVerb } from './verbs.ts';

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
    .requiredOption('--email <email>', 'The history shows it beside every change')
    .requiredOption('--role <role>', 'admin, or auditor (reads only)', oneOf(roles))
    .action(
      act(async ({ api, out }, name: string, { email, role }: Created) => {
        out.one(await api.send('POST', '/administrators', { name, email, role }));
        out.note('Keep the token now: it is not shown again.');
      }),
    );

export const administrator: Noun = {
  name: 'administrator',
  group: 'Operation',
  summary: 'Users of the administration API: admins and auditors',
  verbs: [
    create,
    listVerb({
      description: 'List administrators, newest first',
      from: '/administrators',
      field: 'administrators',
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'EMAIL', of: 'email', narrow: 'cut' },
        { header: 'ROLE', of: 'role' },
        { header: 'STATE', of: 'state' },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
      ],
    }),
    postVerb('/administrators', 'revoke', 'Revoke an administrator, for good', {
      done: (id) => `Administrator ${id} is revoked.`,
    }),
  ],
  examples: [
    'administrator create Asha --email asha@example.com --role auditor',
    'administrator list',
    'administrator revoke <id>',
  ],
};
