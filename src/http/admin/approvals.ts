import { z } from 'zod';
import type { Lookups } from '../../commands/core/lookups.ts';
import type { ApprovalRequest, Approvals } from '../../commands/tenancy/approvals.ts';
import { FourEyes } from '../../events/approval.ts';
import { type ApprovalDocument, approvals } from '../../projections/approvals.ts';
import { isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { type AdministratorContext, actorOf } from '../edge/context.ts';
import { asResponse, reply } from '../edge/respond.ts';
import { given, pageOf, pageQuery, readPage, SHORT_PAGES } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels, UpToDate } from '../route/read-models.ts';
import { defineRoute, type JsonRoute, type RouteInput, successStatus } from '../route/route.ts';
import { Actor } from '../v1/schemas.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

// Two people for one thing, where an organisation asks for it: what one asks for is kept as it was parsed,
// and is done when another says yes.

export interface FourEyesDeps {
  approvals: Approvals;
  askAnother: AskAnother;
  upToDate: UpToDate;
  lookups: Pick<Lookups, 'account'>;
  /** What needs two people in an organisation. */
  fourEyesOf: (organisationId: string) => Promise<readonly FourEyes[]>;
  /** Whether any organisation asks two people for it. */
  anyAsks: (operation: FourEyes) => Promise<boolean>;
}

export const Waiting = z.object({
  approval: z
    .object({
      id: z.string().describe('Id of what waits.'),
      state: z.literal('waiting').describe('Until another person approves or rejects it.'),
      expiresAt: z.iso.datetime().describe('Until then it waits, ISO 8601.'),
    })
    .describe('What waits for the yes of another person.'),
});

type Of = Pick<ApprovalRequest, 'operation' | 'organisationId' | 'accountId'>;

/** Keeps what was asked for, until another person says yes. */
export type AskAnother = (
  route: string,
  input: Pick<RouteInput, 'params' | 'body'>,
  of: Of,
  context: AdministratorContext,
) => Promise<z.output<typeof Waiting>>;

export const createAskAnother =
  ({ approvals: commands, upToDate }: Pick<FourEyesDeps, 'approvals' | 'upToDate'>): AskAnother =>
  async (route, { params, body }, of, context) => {
    const { contact, rest } = withoutContact(body);
    const requestedBy = actorOf(context.administrator);
    const asked = params as Record<string, string>;
    const request = { ...of, route, params: asked, body: rest, contact, requestedBy };
    const id = await commands.request(request, actingOn(context));
    const found = await mustGet(
      await upToDate([approvals], { writes: true }),
      approvals,
      id,
      'Approval',
    );
    return { approval: { id, state: 'waiting', expiresAt: found.expiresAt } };
  };

/** The account that a request is about; null for all. */
const accountIn = ({ params, body }: RouteInput): string | null => {
  const { id } = (params ?? {}) as { id?: string };
  const { accountId = null } = (body ?? {}) as { accountId?: string | null };
  return id ?? accountId;
};

const withoutContact = (body: unknown) => {
  const { contact, ...rest } = body as { contact?: string };
  return { contact, rest: JSON.parse(JSON.stringify(rest)) as Record<string, unknown> };
};

/** What a route answers with 202 by itself, or that it waits. */
const also = (own: z.ZodType | undefined): z.ZodType => (own ? z.union([own, Waiting]) : Waiting);

/** Lets a route wait for another person where the organisation of its account asks for it. */
export const underFourEyes = (route: JsonRoute, deps: FourEyesDeps): JsonRoute => {
  const operation = route.fourEyes!;
  const needed = async (accountId: string | null): Promise<string | null | undefined> => {
    if (accountId === null) return (await deps.anyAsks(operation)) ? null : undefined;
    const account = await deps.lookups.account(accountId, { fresh: true });
    const asked = account ? await deps.fourEyesOf(account.organisationId) : [];
    return asked.includes(operation) ? account!.organisationId : undefined;
  };
  return {
    ...route,
    responses: { ...route.responses, 202: also(route.responses[202]) },
    async handle(input, context) {
      const accountId = accountIn(input);
      const organisationId = await needed(accountId);
      if (organisationId === undefined) return route.handle(input, context);
      const of = { operation, organisationId, accountId };
      const name = `${route.method} ${route.path}`;
      return reply(202, await deps.askAnother(name, input, of, context as AdministratorContext));
    },
  };
};

const Approval = z
  .object({
    id: z.string().describe('Id of the approval.'),
    operation: FourEyes.describe('What waits.'),
    state: z.enum(['waiting', 'approved', 'rejected', 'expired']).describe('What became of it.'),
    organisationId: z.string().nullable().describe('Whose; null for an erasure everywhere.'),
    accountId: z.string().nullable().describe('Id of the account, or null for all.'),
    route: z.string().describe('Method and path of the request that waits.'),
    body: z.record(z.string(), z.unknown()).describe('Its body, without the contact.'),
    requestedBy: Actor.describe('Who asked for it.'),
    decidedBy: Actor.nullable().describe('Who decided, or null.'),
    createdAt: z.iso.datetime().describe('Time of the request, ISO 8601.'),
    expiresAt: z.iso.datetime().describe('Until then it waits, ISO 8601.'),
  })
  .meta({ id: 'Approval' });

const present = (one: ApprovalDocument, now: number) => {
  const isOver = one.state === 'waiting' && one.expiresAt <= isoTime(now);
  return pick(Approval, { ...one, state: isOver ? ('expired' as const) : one.state });
};

const common = {
  access: 'administrator',
  tags: ['Approvals'],
  names: true,
  reads: [approvals],
} as const;

const show = async (models: ReadModels, id: string, now: number) =>
  present(await mustGet(models, approvals, id, 'Approval'), now);

/** `routes` are those that may wait, as they are without waiting; each takes an `Idempotency-Key`. */
export const approvalRoutes = (
  deps: FourEyesDeps,
  routes: readonly JsonRoute[],
): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/approvals',
    summary: 'List what waits, or waited, for the yes of another person; newest first',
    description: SHORT_PAGES,
    request: {
      query: z.object({
        ...pageQuery,
        state: z
          .enum(['waiting', 'approved', 'rejected'])
          .optional()
          .describe('Only those; `waiting` has expired ones too.'),
      }),
    },
    responses: { 200: pageOf('approvals', Approval) },
    errors: [],
    async handle({ query }, { models, now }) {
      const where = given({ state: query.state });
      const { rows, nextCursor } = await readPage(models, ADMINISTRATION, approvals, query, where);
      return { approvals: rows.map((one) => present(one, now)), nextCursor };
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/approvals/:id/approve',
    summary: 'Say yes to what another person asked for, which is then done',
    description:
      "One's own request is 403; the root token is one person. A repeated call does nothing twice.",
    answer: 'The approval, and the answer of what was asked for.',
    responses: {
      200: z.object({
        approval: Approval.describe('As it is now, with who said yes.'),
        status: z.int().describe('Status of what was asked for.'),
        answer: z.unknown().describe('Its answer.'),
      }),
    },
    errors: [
      'resource.unknown',
      'approval.own',
      'approval.settled',
      'resource.erased',
      'account.conflict',
      'account.balance_limit',
      'resource.conflict',
      'idempotency.in_progress',
    ],
    async handle({ params: { id } }, context) {
      const request = await deps.approvals.approve(id, actingOn(context));
      const route = routes.find((one) => `${one.method} ${one.path}` === request.route);
      if (!route) throw new Error(`no route is ${request.route}`);
      if (request.contactRef !== undefined && !request.contact) {
        throw new AppError('resource.erased', 'The data of this contact were erased');
      }
      const { contact } = request;
      const body = { ...request.body, ...(contact && { contact }) };
      // In the name of who asked; the event of the approval names who said yes.
      const { requestedBy: by } = request;
      const administrator = {
        ...context.administrator,
        id: by.id,
        name: by.name ?? '',
        email: by.email ?? '',
        isPerson: by.name === undefined ? (true as const) : undefined,
      };
      const input = { params: request.params, query: undefined, headers: {}, body };
      const given = Object.assign(Object.create(context), { administrator, isApproved: true });
      const result = asResponse(await route.handleOnce!(input, given, id), successStatus(route));
      const approval = await show(await context.upToDate(), id, context.now);
      return { approval, status: result.status, answer: result.body };
    },
  }),
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/approvals/:id/reject',
    summary: 'Say no to what waits; also to what one asked for oneself',
    description: 'A repeated call changes nothing.',
    responses: { 200: Approval },
    errors: ['resource.unknown', 'approval.settled'],
    async handle({ params: { id } }, context) {
      await deps.approvals.reject(id, actingOn(context));
      return show(await context.upToDate(), id, context.now);
    },
  }),
];
