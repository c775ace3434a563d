import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import { actions } from '../../projections/actions.ts';
import { administrators } from '../../projections/administrators.ts';
import type { Projection } from '../../projections/define.ts';
import { keys } from '../../projections/keys.ts';
import { numbers } from '../../projections/numbers.ts';
import { organisations } from '../../projections/organisations.ts';
import { people } from '../../projections/people.ts';
import { plans } from '../../projections/plans.ts';
import { FORMER } from '../route/actors.ts';
import { given, pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
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
    subjectName: z
      .string()
      .nullable()
      .describe('Its name now, of a number the number; null where it has none, or is gone.'),
    requestId: z.string().describe('The `X-Request-Id` of the request.'),
  })
  .meta({ id: 'Action' });

/** The names of what was changed, by id: no two kinds have the same ids. */
const namesOf = async (
  models: ReadModels,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const named = async <Doc>(
    projection: Projection<Doc>,
    nameIn: (document: Doc) => readonly [id: string, name: string],
  ) => (await models.getMany(projection, ids)).map(nameIn);
  const found = await Promise.all([
    named(people, ({ id, name }) => [id, name ?? FORMER]),
    named(keys, ({ keyId, name }) => [keyId, name]),
    named(numbers, ({ phoneNumberId, displayPhoneNumber }) => [phoneNumberId, displayPhoneNumber]),
    named(administrators, ({ administratorId, name }) => [administratorId, name]),
    named(plans, ({ planId, name }) => [planId, name]),
    named(organisations, ({ id, name }) => [id, name]),
    named(accounts, ({ id, name }) => [id, name]),
  ]);
  return new Map(found.flat());
};

/** The audit trail of administrators. */
export const actionsRoute = defineRoute({
  method: 'GET',
  path: '/admin/v1/actions',
  access: 'administrator',
  names: true,
  tags: ['Administrators'],
  summary: 'List what administrators and people did, newest first',
  description:
    'From the log: grants, keys, limits, numbers, plans, people, erasures, sign-ins, bots, submitted templates, webhooks, jobs, and scheduled sends that were changed or cancelled. What holders of API keys did is not listed, but for sign-ins.',
  request: {
    query: z.object({
      ...pageQuery,
      accountId: z.string().max(100).optional().describe('Only what concerns this account.'),
    }),
  },
  responses: { 200: pageOf('actions', Action) },
  errors: [],
  reads: [actions, people, keys, numbers, administrators, plans, organisations, accounts],
  async handle({ query }, { models }) {
    const where = given({ accountId: query.accountId });
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, actions, query, where);
    const subjects = [...new Set(rows.flatMap(({ subject }) => subject ?? []))];
    const names = await namesOf(models, subjects);
    const named = rows.map((row) => {
      const subjectName = row.subject === null ? undefined : names.get(row.subject);
      return pick(Action, { ...row, subjectName: subjectName || null });
    });
    return { actions: named, nextCursor };
  },
});
