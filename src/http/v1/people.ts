import { z } from 'zod';
import type { CommandContext } from '../../commands/core/decider.ts';
import type { Invitation, People } from '../../commands/people/people.ts';
import { type Giver, mustBeWithin } from '../../commands/people/person.ts';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { SESSION_MS } from '../../commands/tenancy/credentials.ts';
import { operatorRoles, PersonRole, tenantRoles } from '../../events/person.ts';
import { erasures } from '../../projections/erasures.ts';
import { type PersonDocument, people } from '../../projections/people.ts';
import { sessions } from '../../projections/sessions.ts';
import { isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { type FourEyesDeps, Waiting } from '../admin/approvals.ts';
import { ADMINISTRATION, actingOn } from '../admin/context.ts';
import { mustGet } from '../admin/documents.ts';
import { Erasure, presentErasure, reason } from '../admin/erasures.ts';
import { endSessionsOf, type SessionDeps } from '../console/session.ts';
import { type AdministratorContext, actingFor, type KeyContext } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { displayName } from '../route/names.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { success } from './schemas.ts';

// People sign in with their own name. Operators look after all of them, owners and managers of an
// organisation after its own: the same routes, with what differs in `Side`.

export interface PeopleDeps extends Pick<SessionDeps, 'authenticator' | 'tenancy'> {
  people: People;
  sessions: Pick<SessionDeps['sessions'], 'sealInvitation'>;
}

interface AllPeopleDeps
  extends PeopleDeps,
    Pick<FourEyesDeps, 'askAnother' | 'fourEyesOf' | 'anyAsks'> {
  privacy: Pick<Privacy, 'erase'>;
}

const accounts = z.array(z.string().max(100)).min(1).max(1000).nullable();

const Person = z
  .object({
    id: z.string().describe('Id of the person.'),
    name: z.string().nullable().describe('Name of the person; null once erased.'),
    email: z.string().nullable().describe('Signs in with it; null once erased.'),
    role: PersonRole.describe('What the person may do: see docs/console.md.'),
    organisationId: z.string().nullable().describe('Its organisation; null for an operator.'),
    accounts: accounts.describe('Ids of the accounts; null for all of the organisation.'),
    state: z
      .enum(['invited', 'active', 'suspended', 'erased'])
      .describe('`invited` until the first sign-in; `erased` for good.'),
    invitedUntil: z.iso
      .datetime()
      .nullable()
      .describe('When the newest invitation expires, ISO 8601; null once it was used.'),
    createdAt: z.iso.datetime().describe('Time of the first invitation, ISO 8601.'),
  })
  .meta({ id: 'Person' });

const Invited = {
  link: z
    .string()
    .describe('Path and fragment, to be put after the origin of the service. Works once.'),
  linkExpiresAt: z.iso.datetime().describe('72 hours from now, ISO 8601.'),
};

const Session = z.object({
  startedAt: z.iso.datetime().describe('Time of the sign-in, ISO 8601.'),
});

const present = (one: PersonDocument) =>
  pick(Person, { ...one, organisationId: one.organisationId || null });

const name = displayName('Name of the person.');
const email = z
  .email()
  .max(320)
  .describe('Signs in with it; a second person with it is refused: 409.');

/** What differs between the people of all and those of one organisation. */
interface Side {
  path: string;
  access: 'administrator' | 'person';
  scope?: 'people';
  tags: readonly string[];
}

type Caller = KeyContext | AdministratorContext;

/** Who asks, and of which organisation; undefined of any. */
const askedBy = (
  context: Caller,
): { giver: Giver; own: string | undefined; acting: CommandContext } => {
  if ('administrator' in context) {
    const { isPerson, role } = context.administrator;
    const giver = { role: isPerson ? role : null, accounts: null };
    return { giver, own: undefined, acting: actingOn(context) };
  }
  const { person, organisationId } = context.key;
  return { giver: person!, own: organisationId, acting: actingFor(context) };
};

/** A person of whom the caller may know. */
const mustFind = async (models: ReadModels, id: string, context: Caller) => {
  const { own } = askedBy(context);
  const found = await models.get(people, id);
  if (found && (own ?? found.organisationId) === found.organisationId) return found;
  throw models.notFound(new AppError('resource.unknown', 'Person not found'));
};

const linkTo = (
  { sessions: { sealInvitation } }: PeopleDeps,
  { personId, invitationId, expiresAt }: Invitation,
) => {
  const holder = { kind: 'person', id: personId } as const;
  const text = sealInvitation({ id: invitationId, holder, expiresAt });
  // The fragment never reaches a server's or a proxy's log.
  return { link: `/console#invitation=${text}`, linkExpiresAt: isoTime(expiresAt) };
};

const SESSIONS_SHOWN = 100;

const params = z.object({ id: z.string().describe('Id of the person.') });
const organisationId = z.string().max(100);

const routesOf = (deps: PeopleDeps, { path, access, ...side }: Side): readonly JsonRoute[] => {
  const commands = deps.people;
  const isOperators = access === 'administrator';
  // Of both callers a handler reads what `askedBy` does.
  const common = { ...side, access: access as 'person', reads: [people, sessions] } as const;
  const role = z
    .enum(isOperators ? [...tenantRoles, ...operatorRoles] : tenantRoles)
    .describe('At most that of the caller.');
  const Draft = z.object({
    name,
    email,
    role,
    accounts: accounts
      .optional()
      .describe('Null: all accounts of the organisation. Absent: those of the caller.'),
    ...(isOperators && {
      organisationId: organisationId.nullable().default(null).describe('Null: an operator.'),
    }),
  });

  const create = defineRoute({
    ...common,
    method: 'POST',
    path,
    summary: 'Invite a person, with a link that works once',
    description:
      'Hand the link to the person, who chooses a password with it within 72 hours. Nobody gives a role above his own, or accounts that he has not.',
    answer: 'Invited. Only this response shows the link.',
    request: { body: Draft },
    responses: { 201: Person.extend(Invited) },
    errors: ['resource.conflict', 'resource.unknown'],
    async handle({ body }, context) {
      const { giver, own, acting } = askedBy(context);
      const { organisationId: asked = null } = body as { organisationId?: string | null };
      const { name: called, email: address, role: given, accounts: list = giver.accounts } = body;
      const draft = { name: called, email: address, role: given, accounts: list };
      const invitation = await commands.invite(draft, own ?? asked, giver, acting);
      const found = await mustFind(await context.upToDate(), invitation.personId, context);
      return reply(201, { ...present(found), ...linkTo(deps, invitation) });
    },
  });

  const list = defineRoute({
    ...common,
    method: 'GET',
    path,
    summary: isOperators
      ? 'List the people of an organisation, or the operators'
      : 'List the people of the organisation',
    description: 'Newest first.',
    request: {
      query: z.object({
        ...pageQuery,
        ...(isOperators && {
          organisationId: organisationId.optional().describe('Absent: the operators.'),
        }),
      }),
    },
    responses: { 200: pageOf('people', Person) },
    errors: [],
    async handle({ query }, context) {
      const asked = (query as { organisationId?: string }).organisationId;
      const where = { organisationId: askedBy(context).own ?? asked ?? '' };
      const { models } = context;
      const { rows, nextCursor } = await readPage(models, ADMINISTRATION, people, query, where);
      return { people: rows.map(present), nextCursor };
    },
  });

  const read = defineRoute({
    ...common,
    method: 'GET',
    path: `${path}/:id`,
    summary: 'Read one person, with the sessions that are open',
    description: 'A session lasts 8 hours, unless it is ended before.',
    request: { params },
    responses: { 200: Person.extend({ sessions: z.array(Session).describe('Newest first.') }) },
    errors: ['resource.unknown'],
    async handle({ params: { id } }, context) {
      const { models, now } = context;
      const found = await mustFind(models, id, context);
      const open = await models.find(sessions, {
        where: { holderId: id, startedAt: { gt: isoTime(now - SESSION_MS) } },
        order: { field: 'startedAt', direction: 'descending' },
        limit: SESSIONS_SHOWN,
      });
      return { ...present(found), sessions: open.map(({ startedAt }) => ({ startedAt })) };
    },
  });

  const change = defineRoute({
    ...common,
    method: 'PATCH',
    path: `${path}/:id`,
    summary: 'Change the name, the role or the accounts of a person',
    description: 'Within a second it holds for all sessions of the person.',
    request: {
      params,
      body: z.object({
        name: name.optional(),
        role: role.optional(),
        accounts: accounts.optional().describe('Null: all accounts of the organisation.'),
      }),
    },
    responses: { 200: Person },
    errors: ['resource.unknown'],
    async handle({ params: { id }, body }, context) {
      const { giver, acting } = askedBy(context);
      await mustFind(await context.upToDate(), id, context);
      await commands.change(id, body, giver, acting);
      return present(await mustFind(await context.upToDate(), id, context));
    },
  });

  const invite = defineRoute({
    ...common,
    method: 'POST',
    path: `${path}/:id/invitation`,
    summary: 'Make another invitation; earlier ones work no more',
    description: 'Also for a person who has forgotten the password.',
    answer: 'The new invitation. Only this response shows the link.',
    request: { params },
    responses: { 201: z.object(Invited) },
    errors: ['resource.unknown'],
    async handle({ params: { id } }, context) {
      const { giver, acting } = askedBy(context);
      await mustFind(await context.upToDate(), id, context);
      return reply(201, linkTo(deps, await commands.issue(id, giver, acting)));
    },
  });

  const endSessions = defineRoute({
    ...common,
    method: 'DELETE',
    path: `${path}/:id/sessions`,
    summary: 'End all sessions of a person',
    description: 'On all instances, within a second.',
    request: { params },
    responses: { 200: z.object({ success }) },
    errors: ['resource.unknown'],
    async handle({ params: { id } }, context) {
      const { giver, acting } = askedBy(context);
      mustBeWithin(giver, await mustFind(await context.upToDate(), id, context));
      await endSessionsOf(deps, id, acting, context.now);
      return { success: true as const };
    },
  });

  const verb = (word: 'suspend' | 'reinstate', summary: string, description: string) =>
    defineRoute({
      ...common,
      method: 'POST',
      path: `${path}/:id/${word}`,
      summary,
      description: `${description} A repeated call changes nothing.`,
      request: { params },
      responses: { 200: Person },
      errors: ['resource.unknown'],
      async handle({ params: { id } }, context) {
        const { giver, acting } = askedBy(context);
        await mustFind(await context.upToDate(), id, context);
        await commands.setSuspended(id, word === 'suspend', giver, acting);
        return present(await mustFind(await context.upToDate(), id, context));
      },
    });

  return [
    create,
    list,
    read,
    change,
    invite,
    endSessions,
    verb('suspend', 'Suspend a person', 'Within a second the person is signed out everywhere.'),
    verb('reinstate', 'Reinstate a suspended person', 'The person may sign in again.'),
  ];
};

const ERASE = '/admin/v1/people/:id/erase';

/** As with contacts, operators erase, and another says yes where the organisation asks for two. */
const eraseRoute = (deps: AllPeopleDeps) =>
  defineRoute({
    method: 'POST',
    path: ERASE,
    access: 'administrator',
    tags: ['People'],
    names: true,
    reads: [people, erasures],
    summary: 'Erase a person who leaves, for good',
    description:
      'The person is signed out at once. The key of the name, the e-mail, the password and the passkeys is destroyed; what the person did stays, by "a former person". Read the erasure until its state is `done`.',
    answer: 'The erasure, which has just begun.',
    request: {
      params,
      body: z.object({ reason: reason.describe('Why. It is kept: do not name the person.') }),
    },
    responses: { 202: z.union([Erasure, Waiting]) },
    errors: ['resource.unknown'],
    async handle({ params: { id }, body }, context) {
      const { organisationId } = await mustFind(await context.upToDate(), id, context);
      const isAsked = organisationId
        ? (await deps.fourEyesOf(organisationId)).includes('erasure')
        : await deps.anyAsks('erasure');
      if (isAsked && !context.isApproved) {
        const of = {
          operation: 'erasure' as const,
          organisationId: organisationId || null,
          accountId: null,
        };
        const input = { params: { id }, body };
        return reply(202, await deps.askAnother(`POST ${ERASE}`, input, of, context));
      }
      const { giver, acting } = askedBy(context);
      const personRef = await deps.people.erase(id, giver, acting);
      await endSessionsOf(deps, id, acting, context.now);
      const wanted = { contact: { personRef }, accountId: null, reason: body.reason ?? null };
      const erasureId = await deps.privacy.erase(wanted, acting);
      const erasure = await mustGet(await context.upToDate(), erasures, erasureId, 'Erasure');
      return reply(202, presentErasure(erasure));
    },
  });

/** The operators, and the people of every organisation. */
export const allPeopleRoutes = (deps: AllPeopleDeps): readonly JsonRoute[] => [
  ...routesOf(deps, { path: '/admin/v1/people', access: 'administrator', tags: ['People'] }),
  eraseRoute(deps),
];

/** The people of the caller's organisation. */
export const ownPeopleRoutes = (deps: PeopleDeps): readonly JsonRoute[] =>
  routesOf(deps, { path: '/v1/people', access: 'person', scope: 'people', tags: ['People'] });
