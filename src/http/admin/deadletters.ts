import { z } from 'zod';
import type { CommandContext } from '../../commands/decider.ts';
import { AppError } from '../../errors.ts';
import { type DeadLetterDocument, deadletters } from '../../projections/deadletters.ts';
import type { Lists } from '../../projections/lists.ts';
import type { Reader } from '../../projections/reader.ts';
import type { CaughtUp } from '../freshness.ts';
import { pageQuery, readPage } from '../paging.ts';
import { defineRoute, type Route } from '../route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

const DeadLetter = z.object({
  id: z.string(),
  field: z.string(),
  wabaId: z.string().nullable(),
  phoneNumberId: z.string().nullable(),
  reason: z.string(),
  /** A payload that holds this item alone, as JSON text. */
  raw: z.string(),
  resolved: z.boolean(),
  retries: z.int(),
  createdAt: z.iso.datetime(),
});

const present = (letter: DeadLetterDocument) => ({
  id: letter.deadLetterId,
  field: letter.field,
  wabaId: letter.wabaId,
  phoneNumberId: letter.phoneNumberId,
  reason: letter.reason,
  raw: letter.raw,
  resolved: letter.resolved,
  retries: letter.retries,
  createdAt: letter.createdAt,
});

export interface DeadLetterDeps {
  reader: Reader;
  lists: Lists;
  caughtUp: CaughtUp;
  deadLetters: {
    /** Tries to take it in again; resolves to why it still cannot be, or null. */
    retry(deadLetterId: string, raw: string, context: CommandContext): Promise<string | null>;
  };
}

export const deadLetterRoutes = (deps: DeadLetterDeps): readonly Route[] => {
  const { reader, lists, caughtUp, deadLetters } = deps;

  const find = async (id: string) => {
    const missing = await caughtUp(deadletters);
    const letter = await reader.get(deadletters, id);
    if (!letter) throw missing(new AppError('resource.unknown', 'Dead letter not found'));
    return letter;
  };

  return [
    defineRoute({
      method: 'GET',
      path: '/admin/v1/dead-letters',
      access: 'administrator',
      summary: 'List what the provider sent and could not be taken in, newest first',
      tags: ['Operations'],
      request: { query: z.object(pageQuery) },
      responses: {
        200: z.object({ deadLetters: z.array(DeadLetter), nextCursor: z.string().nullable() }),
      },
      errors: [],
      async handle({ query }) {
        await caughtUp(deadletters);
        const { rows, nextCursor } = await readPage(lists, ADMINISTRATION, deadletters, query);
        return { deadLetters: rows.map(present), nextCursor };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/admin/v1/dead-letters/:id/retry',
      access: 'administrator',
      summary: 'Try to take a dead letter in again',
      tags: ['Operations'],
      responses: { 200: DeadLetter.extend({ problem: z.string().nullable() }) },
      errors: ['resource.unknown'],
      async handle({ params }, context) {
        const letter = await find(params.id);
        const problem = letter.resolved
          ? null
          : await deadLetters.retry(params.id, letter.raw, actingOn(context));
        return { ...present(await find(params.id)), problem };
      },
    }),
  ];
};
