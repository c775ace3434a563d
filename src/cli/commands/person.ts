import { route } from '../api/api.ts';
import type { Row } from '../output/format.ts';
import { oneOf } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { followErasure } from './contact.ts';
import { listVerb, postVerb, showVerb } from './verbs.ts';

const roles = [
  ...(['owner', 'manager', 'developer', 'agent', 'viewer'] as const),
  ...(['admin', 'support', 'auditor'] as const),
] as const;

interface Invited {
  name: string;
  role: (typeof roles)[number];
  organisation?: string;
  account?: readonly string[];
}

const ROLES = `In an organisation ${roles.slice(0, 5).join(', ')}; of an operator ${roles.slice(5).join(', ')}`;

const invite: Verb = (noun, act) =>
  noun
    .command('invite')
    .description('Invite a person; the link is printed once')
    .argument('<email>')
    .requiredOption('--name <name>', 'Shown with every act of the person')
    .requiredOption('--role <role>', ROLES, oneOf(roles))
    .option('--organisation <id>', 'Without it, the person is an operator')
    .option('--account <id...>', 'Only these accounts of the organisation')
    .action(
      act(async ({ api, out }, email: string, { name, role, organisation, account }: Invited) => {
        const body = { email, name, role, organisationId: organisation, accounts: account };
        out.one(await api.send('POST', '/people', body));
        out.note('Hand the link over now: it is not shown again, works once, and for 72 hours.');
      }),
    );

const setRole: Verb = (noun, act) =>
  noun
    .command('role')
    .description('Give a person another role')
    .argument('<id>')
    .argument('<role>', ROLES, oneOf(roles))
    .action(
      act(async ({ api, out }, id: string, role: string) =>
        out.one(await api.send('PATCH', route`/people/${id}`, { role })),
      ),
    );

const endSessions: Verb = (noun, act) =>
  noun
    .command('sign-out')
    .description('End all sessions of a person')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) => {
        out.one(await api.send('DELETE', route`/people/${id}/sessions`));
      }),
    );

const erase: Verb = (noun, act) =>
  noun
    .command('erase')
    .description('Erase a person who leaves, for good, and wait until done')
    .argument('<id>')
    .option('--reason <text>', 'Why; kept, so without the name')
    .action(
      act(async ({ api, out }, id: string, { reason }: { reason?: string }) => {
        const begun = await api.send<Row>('POST', route`/people/${id}/erase`, { reason });
        await followErasure({ api, out }, begun);
      }),
    );

export const person: Noun = {
  name: 'person',
  group: 'Customers',
  summary: 'People who sign in with their name: of organisations, and operators',
  verbs: [
    invite,
    listVerb<{ organisation?: string }>({
      description: 'List people, newest first',
      from: '/people',
      field: 'people',
      selection: (list) => list.option('--organisation <id>', 'Without it, the operators'),
      query: ({ organisation }) => ({ organisationId: organisation }),
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'EMAIL', of: 'email', narrow: 'cut' },
        { header: 'ROLE', of: 'role' },
        { header: 'STATE', of: 'state' },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
      ],
    }),
    showVerb('/people', 'Show one person, with the open sessions'),
    setRole,
    postVerb('/people', 'invitation', 'Make another invitation'),
    postVerb('/people', 'suspend', 'Suspend a person, who is signed out at once', {
      done: (id) => `Person ${id} is suspended.`,
    }),
    postVerb('/people', 'reinstate', 'Reinstate a suspended person', {
      done: (id) => `Person ${id} may sign in again.`,
    }),
    endSessions,
    erase,
  ],
  examples: [
    'person invite mia@a.example --name Mia --role agent --organisation ID',
    'person list --organisation <id>',
    'person show <id>',
    'person role <id> manager',
    'person invitation <id>',
    'person suspend <id>',
    'person reinstate <id>',
    'person sign-out <id>',
    'person erase <id> --reason "Left in May"',
  ],
};
