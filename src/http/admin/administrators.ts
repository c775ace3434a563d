import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { type AdministratorDocument, administrators } from '../../projections/administrators.ts';
import { AppError } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

const Administrator = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['admin', 'auditor']),
  state: z.enum(['active', 'revoked']),
  createdAt: z.iso.datetime(),
});

const present = (document: AdministratorDocument) => ({
  id: document.administratorId,
  name: document.name,
  email: document.email,
  role: document.role,
  state: document.state,
  createdAt: document.createdAt,
});

export const administratorRoutes = ({ tenancy }: { tenancy: Tenancy }): readonly JsonRoute[] => {
  const reads = [administrators];

  const show = async (models: ReadModels, id: string) => {
    const document = await models.get(administrators, id);
    if (!document)
      throw models.notFound(new AppError('resource.unknown', 'Administrator not found'));
    return present(document);
  };

  return [
    defineRoute({
      method: 'POST',
      path: '/admin/v1/administrators',
      access: 'administrator',
      summary: 'Create an administrator; the token is shown only here',
      tags: ['Administrators'],
      request: {
        body: z.object({
          name: z.string().min(1).max(200),
          email: z.email().max(320),
          role: z.enum(['admin', 'auditor']),
        }),
      },
      responses: { 201: Administrator.extend({ token: z.string() }) },
      errors: ['resource.conflict', 'resource.unknown'],
      reads,
      async handle({ body }, context) {
        const { terms, token } = await tenancy.createAdministrator(body, actingOn(context));
        return reply(201, {
          ...(await show(await context.upToDate(), terms.administratorId)),
          token,
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/administrators',
      access: 'administrator',
      summary: 'List administrators, without their tokens',
      tags: ['Administrators'],
      request: { query: z.object(pageQuery) },
      responses: {
        200: z.object({
          administrators: z.array(Administrator),
          nextCursor: z.string().nullable(),
        }),
      },
      errors: [],
      reads,
      async handle({ query }, { models }) {
        const { rows, nextCursor } = await readPage(models, ADMINISTRATION, administrators, query);
        return { administrators: rows.map(present), nextCursor };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/admin/v1/administrators/:id/revoke',
      access: 'administrator',
      summary: 'Revoke an administrator for good',
      tags: ['Administrators'],
      responses: { 200: Administrator },
      errors: ['resource.unknown'],
      reads,
      async handle({ params }, context) {
        await tenancy.revokeAdministrator(params.id, actingOn(context));
        return show(await context.upToDate(), params.id);
      },
    }),
  ];
};
