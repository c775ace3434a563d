import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { type OrganisationDocument, organisations } from '../../projections/organisations.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet, pick } from './documents.ts';

interface Deps {
  tenancy: Tenancy;
}

const Organisation = z.object({
  id: z.string(),
  name: z.string(),
  suspended: z.boolean(),
  suspendedReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

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
    request: { body: z.object({ name: z.string().min(1).max(200) }) },
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
  request: { query: z.object(pageQuery) },
  responses: {
    200: z.object({ organisations: z.array(Organisation), nextCursor: z.string().nullable() }),
  },
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
  responses: { 200: Organisation },
  errors: ['resource.unknown'],
  handle: ({ params }, { models }) => show(models, params.id),
});

const switchRoute = ({ tenancy }: Deps, verb: 'suspend' | 'reinstate', summary: string) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: `/admin/v1/organisations/:id/${verb}`,
    summary,
    request: { body: z.object({ reason: z.string().max(1000).optional() }) },
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
  switchRoute(deps, 'suspend', 'Suspend an organisation: all its keys answer 403'),
  switchRoute(deps, 'reinstate', 'Reinstate a suspended organisation'),
];
