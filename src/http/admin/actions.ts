import { z } from 'zod';
import { actions } from '../../projections/actions.ts';
import { given, pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import { defineRoute } from '../route/route.ts';
import { Actor } from '../v1/schemas.ts';
import { ADMINISTRATION } from './context.ts';

const Action = z
  .object({
    id: z.string().describe('Position of its event in the log: opaque.'),
    type: z.string().describe('Type of the event, such as `CreditsGranted`.'),
    at: z.iso.datetime().describe('Time of the action, ISO 8601.'),
    by: Actor.nullable().describe('Who did it; null for the holder of an API key.'),
    accountId: z.string().nullable().describe('Id of the account that it concerns, or null.'),
    subject: z.string().nullable().describe('Id of what was changed, or null.'),
    requestId: z.string().describe('The `X-Request-Id` of the request.'),
  })
  .meta({ id: 'Action' });

/** The audit trail of administrators. */
export const actionsRoute = defineRoute({
  method: 'GET',
  path: '/admin/v1/actions',
  access: 'administrator',
  names: true,
  tags: ['Administrators'],
  summary: 'List what administrators and people did, newest first',
  description: 'From the log: grants, keys, limits, numbers, plans, people, erasures, sign-ins.',
  request: {
    query: z.object({
      ...pageQuery,
      accountId: z.string().max(100).optional().describe('Only what concerns this account.'),
    }),
  },
  responses: { 200: pageOf('actions', Action) },
  errors: [],
  reads: [actions],
  async handle({ query }, { models }) {
    const where = given({ accountId: query.accountId });
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, actions, query, where);
    return { actions: rows.map((row) => pick(Action, row)), nextCursor };
  },
});
