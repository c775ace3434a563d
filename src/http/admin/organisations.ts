import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { FourEyes } from '../../events/approval.ts';
import { type OrganisationDocument, organisations } from '../../projections/organisations.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { displayName } from '../route/names.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { type AskAnother, Waiting } from './approvals.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

interface Deps {
  tenancy: Tenancy;
  /** How many administrators and people could approve, the root administrator included. */
  mayApprove: () => Promise<number>;
  askAnother: AskAnother;
}

const Organisation = z
  .object({
    id: z.string().describe('Id of the organisation.'),
    name: z.string().describe('Name of the organisation.'),
    suspended: z.boolean().describe('While true, its keys receive 403 `ORG_SUSPENDED`.'),
    fourEyes: z.array(FourEyes).describe('What needs the yes of two people.'),
    suspendedReason: z.string().nullable().describe('Reason of the suspension, or null.'),
    createdAt: z.iso.datetime().describe('Time of creation, ISO 8601.'),
  })
  .meta({ id: 'Organisation' });

const present = (organisation: OrganisationDocument) => pick(Organisation, organisation);

const show = async (models: ReadModels, id: string) =>
  present(await mustGet(models, organisations, id, 'Organisation'));

const common = {
  access: 'administrator',
  tags: ['Organisations'],
  reads: [organisations],
} as const;

const createRoute = ({ tenancy }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/organisations',
    summary: 'Create an organisation',
    description: 'The legal owner of accounts. Open an account under it next.',
    request: {
      body: z.object({ name: displayName('Name of the organisation.') }),
    },
    responses: { 201: Organisation },
    errors: ['resource.conflict', 'resource.unknown'],
    async handle({ body }, context) {
      const id = await tenancy.createOrganisation(body.name, actingOn(context));
      return reply(201, await show(await context.upToDate(), id));
    },
  });

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/organisations',
  summary: 'List organisations, newest first',
  description: 'Newest first.',
  request: { query: z.object(pageQuery) },
  responses: { 200: pageOf('organisations', Organisation) },
  errors: [],
  async handle({ query }, { models }) {
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, organisations, query);
    return { organisations: rows.map(present), nextCursor };
  },
});

const readRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/organisations/:id',
  summary: 'Read one organisation',
  description: 'Shows whether the organisation is suspended, and why.',
  responses: { 200: Organisation },
  errors: ['resource.unknown'],
  handle: ({ params }, { models }) => show(models, params.id),
});

const changeRoute = ({ tenancy, mayApprove, askAnother }: Deps) =>
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/admin/v1/organisations/:id',
    summary: 'Set what needs the yes of two people',
    description:
      'Grants and other movements of money (`grant`), a change of plan (`plan`), erasures (`erasure`): who asks for one is answered 202, and another administrator approves it within 24 hours. It takes two administrators to switch it on, and to switch it off, which waits for another, too.',
    request: {
      body: z.object({
        fourEyes: z.array(FourEyes).max(3).describe('All that needs two people.'),
      }),
    },
    responses: { 200: Organisation, 202: Waiting },
    errors: ['resource.unknown', 'approval.alone'],
    async handle({ params: { id }, body }, context) {
      const { fourEyes } = await mustGet(
        await context.upToDate(),
        organisations,
        id,
        'Organisation',
      );
      const operation = fourEyes.find((one) => !body.fourEyes.includes(one));
      if (operation !== undefined && !context.isApproved) {
        const route = 'PATCH /admin/v1/organisations/:id';
        const of = { operation, organisationId: id, accountId: null };
        return reply(202, await askAnother(route, { params: { id }, body }, of, context));
      }
      if (body.fourEyes.length > 0 && (await mayApprove()) < 2) {
        throw new AppError('approval.alone', 'There must be two administrators first');
      }
      await tenancy.setFourEyes(id, body.fourEyes, actingOn(context));
      return show(await context.upToDate(), id);
    },
  });

const switchRoute = (
  { tenancy }: Deps,
  verb: 'suspend' | 'reinstate',
  summary: string,
  description: string,
) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: `/admin/v1/organisations/:id/${verb}`,
    summary,
    description: `${description} A repeated call changes nothing.`,
    request: {
      body: z.object({
        reason: z.string().max(1000).optional().describe('The reason, as free text.'),
      }),
    },
    responses: { 200: Organisation },
    errors: ['resource.unknown'],
    async handle({ params: { id }, body }, context) {
      const reason = body.reason ?? null;
      await tenancy.setSuspended(id, verb === 'suspend', reason, actingOn(context));
      return show(await context.upToDate(), id);
    },
  });

export const organisationRoutes = (deps: Deps): readonly JsonRoute[] => [
  createRoute(deps),
  listRoute,
  readRoute,
  changeRoute(deps),
  switchRoute(
    deps,
    'suspend',
    'Suspend an organisation: all its keys answer 403',
    'Within a second every instance answers its keys with 403 `ORG_SUSPENDED`; its bots stop, and running batches skip the rest.',
  ),
  switchRoute(
    deps,
    'reinstate',
    'Reinstate a suspended organisation',
    'The keys of the organisation work again.',
  ),
];
