import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { type AdministratorDocument, administrators } from '../../projections/administrators.ts';
import { reply } from '../edge/respond.ts';
import { displayName } from '../route/names.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

interface Deps {
  tenancy: Tenancy;
}

const Administrator = z
  .object({
    id: z.string().describe('Id of the administrator.'),
    name: z.string().describe('Name of the administrator.'),
    email: z.string().describe('Shown with every act of the administrator.'),
    role: z.enum(['admin', 'auditor']).describe('An `auditor` may only read, verify and export.'),
    state: z.enum(['active', 'revoked']).describe('`revoked` is final.'),
    createdAt: z.iso.datetime().describe('Time of creation, ISO 8601.'),
  })
  .meta({ id: 'Administrator' });

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
    description:
      'The root administrator, whose token is in the environment, creates the first one. An `auditor` may only read, verify and export.',
    answer: 'Created. Only this response shows the token.',
    request: {
      body: z.object({
        name: displayName('Name of the administrator.'),
        email: z.email().max(320).describe('Shown with every act of the administrator.'),
        role: Administrator.shape.role,
      }),
    },
    responses: {
      201: Administrator.extend({
        token: z.string().describe('The token; only this response shows it.'),
      }),
    },
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
  description: 'The list never shows tokens.',
  request: { query: z.object(pageQuery) },
  responses: { 200: pageOf('administrators', Administrator) },
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
    description: 'Within a second no instance accepts the token. A repeated call changes nothing.',
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
