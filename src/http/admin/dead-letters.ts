import { z } from 'zod';
import type { DeadLetterWork } from '../../commands/inbound/dead-letter-work.ts';
import { type DeadLetterDocument, deadletters } from '../../projections/dead-letters.ts';
import { given, pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet, pick } from './documents.ts';

export interface DeadLetterDeps {
  deadLetters: DeadLetterWork;
}

const state = z.enum(['open', 'resolved', 'dismissed']);

const DeadLetter = z.object({
  id: z.string(),
  field: z.string(),
  wabaId: z.string().nullable(),
  phoneNumberId: z.string().nullable(),
  reason: z.string(),
  raw: z
    .string()
    .describe('A payload that holds this item alone, as JSON text. A list has its beginning.'),
  rawLength: z.int().describe('Length of the whole `raw`, in characters.'),
  state: state.describe('`open` until a retry takes it in or an administrator dismisses it.'),
  resolved: z.boolean(),
  retries: z.int(),
  createdAt: z.iso.datetime(),
  dismissedAt: z.iso.datetime().nullable(),
  dismissedBy: z.object({ id: z.string(), name: z.string(), email: z.string() }).nullable(),
});

const present = (letter: DeadLetterDocument) =>
  pick(DeadLetter, { ...letter, id: letter.deadLetterId });

const find = (models: ReadModels, id: string) => mustGet(models, deadletters, id, 'Dead letter');

/** Adds the whole item, which only the log holds. */
const findWhole = async ({ deadLetters }: DeadLetterDeps, models: ReadModels, id: string) => {
  const letter = await find(models, id);
  return { ...letter, raw: (await deadLetters.raw(id)) ?? letter.raw };
};

const common = { access: 'administrator', tags: ['Operations'], reads: [deadletters] } as const;

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/dead-letters',
  summary: 'List what the provider sent and could not be taken in, newest first',
  request: {
    query: z.object({ ...pageQuery, state: state.optional().describe('Only those.') }),
  },
  responses: {
    200: z.object({ deadLetters: z.array(DeadLetter), nextCursor: z.string().nullable() }),
  },
  errors: [],
  async handle({ query }, { models }) {
    const where = given({ state: query.state });
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, deadletters, query, where);
    return { deadLetters: rows.map(present), nextCursor };
  },
});

const readRoute = (deps: DeadLetterDeps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/dead-letters/:id',
    summary: 'Read one dead letter, with the whole item as it came',
    responses: { 200: DeadLetter },
    errors: ['resource.unknown'],
    handle: async ({ params }, { models }) => present(await findWhole(deps, models, params.id)),
  });

const retryRoute = (deps: DeadLetterDeps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/dead-letters/:id/retry',
    summary: 'Try to take a dead letter in again',
    responses: { 200: DeadLetter.extend({ problem: z.string().nullable() }) },
    errors: ['resource.unknown'],
    async handle({ params: { id } }, context) {
      const letter = await findWhole(deps, await context.upToDate(), id);
      const problem = letter.resolved
        ? null
        : await deps.deadLetters.retry(id, letter.raw, actingOn(context));
      return { ...present(await findWhole(deps, await context.upToDate(), id)), problem };
    },
  });

const dismissRoute = (deps: DeadLetterDeps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/dead-letters/:id/dismiss',
    summary: 'Close a dead letter without taking it in',
    responses: { 200: DeadLetter },
    errors: ['resource.unknown'],
    async handle({ params: { id } }, context) {
      await find(await context.upToDate(), id);
      await deps.deadLetters.dismiss(id, actingOn(context));
      return present(await findWhole(deps, await context.upToDate(), id));
    },
  });

export const deadLetterRoutes = (deps: DeadLetterDeps): readonly JsonRoute[] => [
  listRoute,
  readRoute(deps),
  retryRoute(deps),
  dismissRoute(deps),
];
