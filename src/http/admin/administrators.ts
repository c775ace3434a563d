import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { administrators } from '../../projections/administrators.ts';
import type { Lists } from '../../projections/engine/lists.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaughtUp } from '../edge/freshness.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import { defineRoute, type Route, reply } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

const Administrator = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z.enum(['admin', 'auditor']),
  state: z.enum(['active', 'revoked']),
  createdAt: z.iso.datetime(),
});

const present = (document: NonNullable<Awaited<ReturnType<typeof find>>>) => ({
  id: document.administratorId,
  name: document.name,
  email: document.email,
  role: document.role,
  state: document.state,
  createdAt: document.createdAt,
});

const find = (reader: Reader, id: string) => reader.get(administrators, id);

export const administratorRoutes = (deps: {
  tenancy: Tenancy;
  reader: Reader;
  lists: Lists;
  caughtUp: CaughtUp;
}): readonly Route[] => {
  const { tenancy, reader, lists, caughtUp } = deps;

  const show = async (id: string) => {
    const missing = await caughtUp(administrators);
    const document = await find(reader, id);
    if (!document) throw missing(new AppError('resource.unknown', 'Administrator not found'));
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
      async handle({ body }, context) {
        const { terms, token } = await tenancy.createAdministrator(body, actingOn(context));
        return reply(201, { ...(await show(terms.administratorId)), token });
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
      async handle({ query }) {
        await caughtUp(administrators);
        const { rows, nextCursor } = await readPage(lists, ADMINISTRATION, administrators, query);
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
      async handle({ params }, context) {
        await tenancy.revokeAdministrator(params.id, actingOn(context));
        return show(params.id);
      },
    }),
  ];
};
