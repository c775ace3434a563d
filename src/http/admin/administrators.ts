import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { type AdministratorDocument, administrators } from '../../projections/administrators.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet, pick } from './documents.ts';

interface Deps {
  tenancy: Tenancy;
}

const Administrator = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['admin', 'auditor']),
  state: z.enum(['active', 'revoked']),
  createdAt: z.iso.datetime(),
});

const present = (one: AdministratorDocument) =>
  pick(Administrator, { ...one, id: one.administratorId });

const show = async (models: ReadModels, id: string) =>
  present(await mustGet(models, administrators, id, 'Administrator'));

const common = {
  access: 'administrator',
  tags: ['Administrators'],
  reads: [administrators],
} as const;

const createRoute = ({ tenancy }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/administrators',
    summary: 'Create an administrator; the token is shown only here',
    request: {
      body: z.object({
        name: z.string().min(1).max(200),
        email: z.email().max(320),
        role: z.enum(['admin', 'auditor']),
      }),
    },
    responses: { 201: Administrator.extend({ token: z.string() }) },
    errors: ['resource.conflict', 'resource.unknown'],
    async handle({ body }, context) {
      const { terms, token } = await tenancy.createAdministrator(body, actingOn(context));
      const shown = await show(await context.upToDate(), terms.administratorId);
      return reply(201, { ...shown, token });
    },
  });

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/administrators',
  summary: 'List administrators, without their tokens',
  request: { query: z.object(pageQuery) },
  responses: {
    200: z.object({ administrators: z.array(Administrator), nextCursor: z.string().nullable() }),
  },
  errors: [],
  async handle({ query }, { models }) {
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, administrators, query);
    return { administrators: rows.map(present), nextCursor };
  },
});

const revokeRoute = ({ tenancy }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/administrators/:id/revoke',
    summary: 'Revoke an administrator for good',
    responses: { 200: Administrator },
    errors: ['resource.unknown'],
    async handle({ params }, context) {
      await tenancy.revokeAdministrator(params.id, actingOn(context));
      return show(await context.upToDate(), params.id);
    },
  });

export const administratorRoutes = (deps: Deps): readonly JsonRoute[] => [
  createRoute(deps),
  listRoute,
  revokeRoute(deps),
];
