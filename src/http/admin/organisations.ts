import { z } from 'zod';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { type OrganisationDocument, organisations } from '../../projections/organisations.ts';
import { AppError } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

const Organisation = z.object({
  id: z.string(),
  name: z.string(),
  suspended: z.boolean(),
  suspendedReason: z.string().nullable(),
  createdAt: z.iso.datetime(),
});

const present = ({ order: _, ...shown }: OrganisationDocument) => shown;

export const organisationRoutes = ({ tenancy }: { tenancy: Tenancy }): readonly JsonRoute[] => {
  const reads = [organisations];

  const show = async (models: ReadModels, id: string) => {
    const document = await models.get(organisations, id);
    if (!document)
      throw models.notFound(new AppError('resource.unknown', 'Organisation not found'));
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
      reads,
      async handle({ params, body }, context) {
        const { id } = params as { id: string };
        const reason = body.reason ?? null;
        await tenancy.setSuspended(id, verb === 'suspend', reason, actingOn(context));
        return show(await context.upToDate(), id);
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
      reads,
      async handle({ body }, context) {
        const id = await tenancy.createOrganisation(body.name, actingOn(context));
        return reply(201, await show(await context.upToDate(), id));
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
      reads,
      async handle({ query }, { models }) {
        const { rows, nextCursor } = await readPage(models, ADMINISTRATION, organisations, query);
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
      reads,
      handle: ({ params }, { models }) => show(models, params.id),
    }),
    switchRoute('suspend', 'Suspend an organisation: all its keys answer 403'),
    switchRoute('reinstate', 'Reinstate a suspended organisation'),
  ];
};
