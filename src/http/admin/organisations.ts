import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import type { Lists } from '../../projections/engine/lists.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { type OrganisationDocument, organisations } from '../../projections/organisations.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaughtUp } from '../edge/freshness.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import { defineRoute, type Route, reply } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

const Organisation = z.object({
  id: z.string(),
  name: z.string(),
  suspended: z.boolean(),
  suspendedReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

const present = ({ order: _, ...shown }: OrganisationDocument) => shown;

export const organisationRoutes = (deps: {
  tenancy: Tenancy;
  reader: Reader;
  lists: Lists;
  caughtUp: CaughtUp;
}): readonly Route[] => {
  const { tenancy, reader, lists, caughtUp } = deps;

  const show = async (id: string) => {
    const missing = await caughtUp(organisations);
    const document = await reader.get(organisations, id);
    if (!document) throw missing(new AppError('resource.unknown', 'Organisation not found'));
    return present(document);
  };

  const switchRoute = (verb: 'suspend' | 'reinstate', summary: string) =>
    defineRoute({
      method: 'POST',
      path: `/admin/v1/organisations/:id/${verb}`,
      access: 'administrator',
      summary,
      tags: ['Organisations'],
      request: { body: z.object({ reason: z.string().max(1000).optional() }) },
      responses: { 200: Organisation },
      errors: ['resource.unknown'],
      async handle({ params, body }, context) {
        const { id } = params as { id: string };
        const reason = body.reason ?? null;
        await tenancy.setSuspended(id, verb === 'suspend', reason, actingOn(context));
        return show(id);
      },
    });

  return [
    defineRoute({
      method: 'POST',
      path: '/admin/v1/organisations',
      access: 'administrator',
      summary: 'Create an organisation',
      tags: ['Organisations'],
      request: { body: z.object({ name: z.string().min(1).max(200) }) },
      responses: { 201: Organisation },
      errors: ['resource.conflict', 'resource.unknown'],
      async handle({ body }, context) {
        const id = await tenancy.createOrganisation(body.name, actingOn(context));
        return reply(201, await show(id));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/organisations',
      access: 'administrator',
      summary: 'List organisations, newest first',
      tags: ['Organisations'],
      request: { query: z.object(pageQuery) },
      responses: {
        200: z.object({ organisations: z.array(Organisation), nextCursor: z.string().nullable() }),
      },
      errors: [],
      async handle({ query }) {
        await caughtUp(organisations);
        const { rows, nextCursor } = await readPage(lists, ADMINISTRATION, organisations, query);
        return { organisations: rows.map(present), nextCursor };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/organisations/:id',
      access: 'administrator',
      summary: 'Read one organisation',
      tags: ['Organisations'],
      responses: { 200: Organisation },
      errors: ['resource.unknown'],
      handle: ({ params }) => show(params.id),
    }),
    switchRoute('suspend', 'Suspend an organisation: all its keys answer 403'),
    switchRoute('reinstate', 'Reinstate a suspended organisation'),
  ];
};
