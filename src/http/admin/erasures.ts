import { z } from 'zod';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { contactIn, parseContact } from '../../events/contact.ts';
import { type ErasureDocument, erasures } from '../../projections/erasures.ts';
import { reply } from '../edge/respond.ts';
import { given, pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { Actor } from '../v1/schemas.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

/** A contact as callers name it: digits, `+` and digits, or a user id of the provider. */
export const contact = z
  .string()
  .max(200)
  .refine((text) => contactIn(text) !== undefined, {
    message: "must be a number, digits with or without `+`, or the provider's id of a customer",
  })
  .transform(parseContact);

const count = (what: string) => z.int().describe(`Number of ${what}.`);

const Found = z.object({
  events: count('events with data of the contact, in its own streams and in those of its accounts'),
  messages: count('messages'),
  conversations: count('conversations'),
  runs: count('runs of bots'),
  deadLetters: count('dead letters'),
});

const state = z.enum(['queued', 'running', 'done']);

/** An erasure as its routes show it. */
export const Erasure = z
  .object({
    id: z.string().describe('Id of the erasure.'),
    state: state.describe('`done` once no file holds anything of the contact.'),
    accountId: z.string().nullable().describe('The named account, or null for all accounts.'),
    reason: z.string().nullable().describe('The given reason, or null.'),
    requestedAt: z.iso.datetime().describe('Time of the request, ISO 8601.'),
    requestedBy: Actor.nullable().describe('The administrator who asked for it.'),
    doneAt: z.iso.datetime().nullable().describe('Time of the end, ISO 8601, or null.'),
    found: Found.nullable().describe('What was held of the contact; null until it is counted.'),
  })
  .meta({ id: 'Erasure' });

export const presentErasure = (erasure: ErasureDocument) => pick(Erasure, erasure);

export const reason = z
  .string()
  .max(500)
  .refine((text) => !/\d{7}/.test(text), {
    message: 'must not hold seven digits in a row: it is kept, so leave out the number',
  })
  .optional();

const common = {
  access: 'administrator',
  tags: ['Privacy'],
  names: true,
  reads: [erasures],
} as const;

const requestRoute = (privacy: Privacy) =>
  defineRoute({
    ...common,
    method: 'POST',
    fourEyes: 'erasure',
    path: '/admin/v1/erasures',
    summary: 'Erase everything about a contact, for good',
    description:
      'Destroys the keys of its data, under all of its ids, and empties the read models: texts, contents, parameters, names and numbers are null afterwards, everywhere and in every rebuild. Balances, ledger and chain stay as they are. A later message of the contact begins anew. Read the erasure until its state is `done`.',
    answer: 'The erasure, which has just begun.',
    request: {
      body: z.object({
        contact: contact.describe("Digits, `+` and digits, or the provider's id of a customer."),
        accountId: z
          .string()
          .min(1)
          .max(100)
          .optional()
          .describe(
            'Erases in this account alone, and no dead letter that belongs to no account; in all accounts, and those dead letters, when absent.',
          ),
        reason: reason.describe('Why. It is kept: do not name the contact.'),
      }),
    },
    responses: { 202: Erasure },
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ body: { accountId = null, reason: why = null, ...body } }, context) {
      const wanted = { contact: body.contact, accountId, reason: why };
      const id = await privacy.erase(wanted, actingOn(context));
      const erasure = await mustGet(await context.upToDate(), erasures, id, 'Erasure');
      return reply(202, presentErasure(erasure));
    },
  });

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/erasures',
  summary: 'List erasures, newest first',
  description: 'No erasure names its contact.',
  request: {
    query: z.object({
      ...pageQuery,
      state: state.optional().describe('Only erasures in this state.'),
    }),
  },
  responses: { 200: pageOf('erasures', Erasure) },
  errors: [],
  async handle({ query }, { models }) {
    const where = given({ state: query.state });
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, erasures, query, where);
    return { erasures: rows.map(presentErasure), nextCursor };
  },
});

const readRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/erasures/:id',
  summary: 'Read one erasure',
  description: 'Shows its state, and what was found.',
  responses: { 200: Erasure },
  errors: ['resource.unknown'],
  handle: async ({ params }, { models }) =>
    presentErasure(await mustGet(models, erasures, params.id, 'Erasure')),
});

export const erasureRoutes = ({ privacy }: { privacy: Privacy }): readonly JsonRoute[] => [
  requestRoute(privacy),
  listRoute,
  readRoute,
];
