import { z } from 'zod';
import type { DeadLetterWork } from '../../commands/inbound/dead-letter-work.ts';
import { type DeadLetterDocument, deadletters } from '../../projections/dead-letters.ts';
import { AppError } from '../../shared/errors.ts';
import { given, pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

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

const present = (letter: DeadLetterDocument) => ({
  id: letter.deadLetterId,
  field: letter.field,
  wabaId: letter.wabaId,
  phoneNumberId: letter.phoneNumberId,
  reason: letter.reason,
  raw: letter.raw,
  rawLength: letter.rawLength,
  state: letter.state,
  resolved: letter.resolved,
  retries: letter.retries,
  createdAt: letter.createdAt,
  dismissedAt: letter.dismissedAt,
  dismissedBy: letter.dismissedBy,
});

export interface DeadLetterDeps {
  deadLetters: DeadLetterWork;
}

export const deadLetterRoutes = (deps: DeadLetterDeps): readonly JsonRoute[] => {
  const { deadLetters } = deps;
  const reads = [deadletters];

  const find = async (models: ReadModels, id: string) => {
    const letter = await models.get(deadletters, id);
    if (!letter) throw models.notFound(new AppError('resource.unknown', 'Dead letter not found'));
    return letter;
  };

  /** Adds the whole item, which only the log holds. */
  const findWhole = async (models: ReadModels, id: string) => {
    const letter = await find(models, id);
    return { ...letter, raw: (await deadLetters.raw(id)) ?? letter.raw };
  };

  return [
    defineRoute({
      method: 'GET',
      path: '/admin/v1/dead-letters',
      access: 'administrator',
      summary: 'List what the provider sent and could not be taken in, newest first',
      tags: ['Operations'],
      request: {
        query: z.object({ ...pageQuery, state: state.optional().describe('Only those.') }),
      },
      responses: {
        200: z.object({ deadLetters: z.array(DeadLetter), nextCursor: z.string().nullable() }),
      },
      errors: [],
      reads,
      async handle({ query }, { models }) {
        const where = given({ state: query.state });
        const page = await readPage(models, ADMINISTRATION, deadletters, query, where);
        const { rows, nextCursor } = page;
        return { deadLetters: rows.map(present), nextCursor };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/dead-letters/:id',
      access: 'administrator',
      summary: 'Read one dead letter, with the whole item as it came',
      tags: ['Operations'],
      responses: { 200: DeadLetter },
      errors: ['resource.unknown'],
      reads,
      handle: async ({ params }, { models }) => present(await findWhole(models, params.id)),
    }),
    defineRoute({
      method: 'POST',
      path: '/admin/v1/dead-letters/:id/retry',
      access: 'administrator',
      summary: 'Try to take a dead letter in again',
      tags: ['Operations'],
      responses: { 200: DeadLetter.extend({ problem: z.string().nullable() }) },
      errors: ['resource.unknown'],
      reads,
      async handle({ params }, context) {
        const letter = await findWhole(await context.upToDate(), params.id);
        const problem = letter.resolved
          ? null
          : await deadLetters.retry(params.id, letter.raw, actingOn(context));
        return { ...present(await findWhole(await context.upToDate(), params.id)), problem };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/admin/v1/dead-letters/:id/dismiss',
      access: 'administrator',
      summary: 'Close a dead letter without taking it in',
      tags: ['Operations'],
      responses: { 200: DeadLetter },
      errors: ['resource.unknown'],
      reads,
      async handle({ params }, context) {
        await find(await context.upToDate(), params.id);
        await deadLetters.dismiss(params.id, actingOn(context));
        return present(await findWhole(await context.upToDate(), params.id));
      },
    }),
  ];
};
