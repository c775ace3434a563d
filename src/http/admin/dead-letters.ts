import { z } from 'zod';
import type { DeadLetterWork } from '../../commands/inbound/dead-letter-work.ts';
import { type DeadLetterDocument, deadletters } from '../../projections/dead-letters.ts';
import { mapLimit } from '../../shared/concurrency.ts';
import { given, pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { Actor, erased } from '../v1/schemas.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

export interface DeadLetterDeps {
  deadLetters: DeadLetterWork;
}

const state = z.enum(['open', 'resolved', 'dismissed']);

/** The list shows the first characters of a long item. */
const RAW_SHOWN_MAX = 8_000;
/** Items that a list reads from the log at a time. */
const READS_AT_ONCE = 10;

const DeadLetter = z
  .object({
    id: z.string().describe('Id of the dead letter.'),
    field: z.string().describe("The provider's name for the kind of notice."),
    wabaId: z.string().nullable().describe("The provider's id of the business account."),
    phoneNumberId: z.string().nullable().describe("The provider's phone number id."),
    reason: z.string().describe('Why the service could not take the item in.'),
    raw: z
      .string()
      .nullable()
      .describe('A payload with this item alone, as JSON text; cut in lists. Null once erased.'),
    erased,
    rawLength: z.int().describe('Length of the whole `raw`, in characters.'),
    state: state.describe('`open` until a retry succeeds or an administrator dismisses it.'),
    resolved: z.boolean().describe('Whether a retry took the item in.'),
    retries: z.int().describe('Number of retries.'),
    createdAt: z.iso.datetime().describe('Time of arrival, ISO 8601.'),
    dismissedAt: z.iso.datetime().nullable().describe('Time of the dismissal, ISO 8601, or null.'),
    dismissedBy: Actor.nullable().describe('The dismissing administrator, or null.'),
  })
  .meta({ id: 'DeadLetter' });

const find = (models: ReadModels, id: string) => mustGet(models, deadletters, id, 'Dead letter');

/** Adds the item, which only the log holds. */
const withItem = async ({ deadLetters }: DeadLetterDeps, letter: DeadLetterDocument) => {
  const id = letter.deadLetterId;
  const raw = await deadLetters.raw(id);
  return pick(DeadLetter, { ...letter, id, raw, ...(raw === null && { erased: true as const }) });
};

const readWhole = async (deps: DeadLetterDeps, models: ReadModels, id: string) =>
  withItem(deps, await find(models, id));

/** Adds the beginning of each item. */
const withBeginnings = async (deps: DeadLetterDeps, letters: readonly DeadLetterDocument[]) => {
  const shown = await mapLimit(letters, READS_AT_ONCE, (letter) => withItem(deps, letter));
  return shown.map((one) => ({ ...one, raw: one.raw?.slice(0, RAW_SHOWN_MAX) ?? null }));
};

const common = {
  access: 'administrator',
  tags: ['Operations'],
  names: true,
  reads: [deadletters],
} as const;

const listRoute = (deps: DeadLetterDeps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/dead-letters',
    summary: 'List what the provider sent and could not be taken in, newest first',
    description:
      'Items that the service did not understand, and items for numbers that are not linked. The log keeps all of them.',
    request: {
      query: z.object({
        ...pageQuery,
        state: state.optional().describe('Only items in this state.'),
      }),
    },
    responses: { 200: pageOf('deadLetters', DeadLetter) },
    errors: [],
    async handle({ query }, { models }) {
      const where = given({ state: query.state });
      const { rows, nextCursor } = await readPage(
        models,
        ADMINISTRATION,
        deadletters,
        query,
        where,
      );
      return { deadLetters: await withBeginnings(deps, rows), nextCursor };
    },
  });

const readRoute = (deps: DeadLetterDeps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/dead-letters/:id',
    summary: 'Read one dead letter, with the whole item as it came',
    description: 'The list cuts `raw` after 8,000 characters; this is all of it.',
    responses: { 200: DeadLetter },
    errors: ['resource.unknown'],
    handle: async ({ params }, { models }) => readWhole(deps, models, params.id),
  });

const retryRoute = (deps: DeadLetterDeps) =>
  defineRoute({
    ...common,
    access: 'support',
    method: 'POST',
    path: '/admin/v1/dead-letters/:id/retry',
    summary: 'Try to take a dead letter in again',
    description:
      'After the link of its number, or after an upgrade. A success resolves the item. An erased item can only be dismissed.',
    answer: 'The item, and the reason of a failure.',
    responses: {
      200: DeadLetter.extend({
        problem: z.string().nullable().describe('Why the retry failed, or null.'),
      }),
    },
    errors: ['resource.unknown', 'resource.erased'],
    async handle({ params: { id } }, context) {
      const { resolved } = await find(await context.upToDate(), id);
      const problem = resolved ? null : await deps.deadLetters.retry(id, actingOn(context));
      return { ...(await readWhole(deps, await context.upToDate(), id)), problem };
    },
  });

const dismissRoute = (deps: DeadLetterDeps) =>
  defineRoute({
    ...common,
    access: 'support',
    method: 'POST',
    path: '/admin/v1/dead-letters/:id/dismiss',
    summary: 'Close a dead letter without taking it in',
    description: 'A repeated call is no error, and a resolved item stays resolved.',
    answer: 'The item after the call.',
    responses: { 200: DeadLetter },
    errors: ['resource.unknown'],
    async handle({ params: { id } }, context) {
      await find(await context.upToDate(), id);
      await deps.deadLetters.dismiss(id, actingOn(context));
      return readWhole(deps, await context.upToDate(), id);
    },
  });

export const deadLetterRoutes = (deps: DeadLetterDeps): readonly JsonRoute[] => [
  listRoute(deps),
  readRoute(deps),
  retryRoute(deps),
  dismissRoute(deps),
];
