import { z } from 'zod';
import { startAt } from '../../audit/account-start.ts';
import { ExportBooks, readExportBooks } from '../../audit/export-books.ts';
import { historyPage } from '../../audit/history.ts';
import { isMoneyEvent } from '../../audit/movement.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { messages } from '../../projections/messages.ts';
import { invalidFields } from '../../shared/errors.ts';
import { moment, queryNumber } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { messageIdsOf } from '../v1/charged-messages.ts';
import type { AuditDeps } from './audit.ts';
import { unknownAccount } from './whole-log.ts';

const StoredEvent = z
  .object({
    stream: z.string().describe("Name of the event's stream."),
    revision: z.int().describe('Place in the stream, from 0.'),
    position: z.string().describe('Position in the log: opaque, compared as text.'),
    id: z.string().describe('Id of the event.'),
    type: z.string().describe('Name of the event, such as `ChargeReserved`.'),
    version: z.int().describe("Version of the event's shape."),
    meta: z.record(z.string(), z.unknown()).describe('Time, request, cause and actor.'),
    data: z.record(z.string(), z.unknown()).describe('Fields of the event.'),
    link: z
      .object({
        previousHash: z.string().describe('Hash of the link before it, in hex.'),
        hash: z.string().describe('SHA-256 of `previousHash` and of the JSON of `data`, in hex.'),
      })
      .optional()
      .describe('Of a link of the hash chain; older ones have it in `data`.'),
  })
  .meta({ id: 'Event' });

const Start = z
  .object({
    revision: z.int().describe('Revision of the first event.'),
    billing: z.enum(['credits', 'wallet']).describe('What the account counted in before.'),
    currency: z.string().describe('ISO 4217 code of the prices, and of a wallet.'),
    balance: z.int().describe('Credits, or millionths of the currency.'),
    sequence: z.int().describe('Number of the last link before.'),
    hash: z.string().describe('Hash of the last link before.'),
  })
  .meta({ id: 'AccountStart' });

/** What is sealed stays so: an operator who may read the log need not read what customers wrote. */
const shown = (event: Recorded) => {
  const { version, data } = event.asStored ?? event;
  const meta = { ...event.meta };
  return pick(StoredEvent, { ...event, version, meta, data: data as Record<string, unknown> });
};

/** The charges that the rows of a page name. */
const chargesIn = (events: readonly Recorded[]) =>
  events.flatMap((event) =>
    isMoneyEvent(event) && 'chargeId' in event.data ? [{ chargeId: event.data.chargeId }] : [],
  );

const PLANS_MAX = 100;

/** Such as `standard:1`. */
const Plans = z
  .string()
  .max(10_000)
  .regex(/^([^,:]+:[1-9]\d{0,8}(,[^,:]+:[1-9]\d{0,8})*)?$/, 'must be such as standard:1,gold:2')
  .transform((text) =>
    text
      .split(',')
      .filter((one) => one !== '')
      .map((one) => {
        const [planId = '', planVersion] = one.split(':');
        return { planId, planVersion: Number(planVersion) };
      }),
  )
  .refine((plans) => plans.length <= PLANS_MAX, `must be ${PLANS_MAX} plans at most`)
  .meta({ type: 'string' });

const CARDS_MAX = 1_000;

/** Ids of rate cards. */
const Cards = z
  .string()
  .max(50_000)
  .transform((text) => text.split(',').filter((one) => one !== ''))
  .refine((cards) => cards.length <= CARDS_MAX, `must be ${CARDS_MAX} rate cards at most`)
  .meta({ type: 'string' });

export const booksRoute = ({ log }: Pick<AuditDeps, 'log'>): JsonRoute =>
  defineRoute({
    method: 'GET',
    path: '/admin/v1/accounts/:id/books',
    access: 'administrator',
    summary: 'Read what the statements of an account tell beside its events',
    description: 'An export ends with it, so that statements can be made of the export alone.',
    tags: ['Audit'],
    request: {
      query: z.object({
        plans: Plans.default([]).describe('Versions of credit plans, such as `standard:1,gold:2`.'),
        cards: Cards.default([]).describe('Ids of rate cards, with commas between them.'),
      }),
    },
    responses: { 200: ExportBooks },
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ params, query }) {
      const found = await readExportBooks(log, params.id, {
        plans: query.plans,
        rateCardIds: query.cards,
      });
      if (!found) throw unknownAccount();
      return found;
    },
  });

export const historyRoute = ({
  log,
}: {
  log: Pick<EventReader, 'read' | 'readAll' | 'head'>;
}): JsonRoute =>
  defineRoute({
    method: 'GET',
    path: '/admin/v1/accounts/:id/history',
    access: 'administrator',
    summary: 'Read the events of an account and of its messages as the log holds them',
    description:
      'What an export with messages is made of: in the order of the log, what is personal sealed. A page looks at some events of the whole log, and may be empty while `nextAfter` is set: go on with that.',
    tags: ['Audit'],
    request: {
      query: z.object({
        after: z
          .string()
          .regex(/^[0-9a-f-]{1,100}$/, 'must be a position of the log')
          .optional()
          .describe('`nextAfter` of the page before; the opening of the account when absent.'),
        limit: queryNumber(1, 1000, 500).describe(
          'Events of the log that a page looks at, 1 to 1,000; 500 when absent.',
        ),
      }),
    },
    responses: {
      200: z.object({
        events: z.array(StoredEvent).describe('In the order of the log.'),
        nextAfter: z.string().nullable().describe('`after` of the next page, or null.'),
      }),
    },
    errors: ['resource.unknown'],
    async handle({ params, query }) {
      const page = await historyPage(log, params.id, query);
      if (page === undefined) throw unknownAccount();
      if (page === null) throw invalidFields({ after: ['must be `nextAfter` of the page before'] });
      return { events: page.events.map(shown), nextAfter: page.next };
    },
  });

export const eventsRoute = ({ log }: Pick<AuditDeps, 'log'>): JsonRoute =>
  defineRoute({
    method: 'GET',
    path: '/admin/v1/accounts/:id/events',
    access: 'administrator',
    summary: 'Read the events of an account as the log holds them, oldest first',
    description:
      'What replays, exports and their checks are made of. Go on at `nextFrom`. With `since`, the page begins up to 30 minutes before that time, as clocks may differ.',
    tags: ['Audit'],
    request: {
      query: z.object({
        from: queryNumber(0, Number.MAX_SAFE_INTEGER, 0).describe(
          'First revision to read; 0 when absent.',
        ),
        since: moment.optional().describe('Instead of `from`: events from this time on, ISO 8601.'),
        messages: z
          .enum(['true', 'false'])
          .default('false')
          .describe('`true` adds the messages that the charges of the page paid.'),
        limit: queryNumber(1, 1000, 500).describe('Events on a page, 1 to 1,000; 500 when absent.'),
      }),
    },
    responses: {
      200: z.object({
        events: z.array(StoredEvent).describe("The page's events, oldest first."),
        start: Start.optional().describe('With `since`: the account before the first event.'),
        messageIds: z
          .record(z.string(), z.string().nullable())
          .optional()
          .describe('With `messages`: ids of messages by charge; null for an erased one.'),
        nextFrom: z.int().nullable().describe('`from` of the next page, or null.'),
      }),
    },
    errors: ['resource.unknown'],
    reads: [messages],
    async handle({ params, query }, { models }) {
      const { limit, since } = query;
      const start = since === undefined ? undefined : await startAt(log, params.id, since);
      if (since !== undefined && !start) throw unknownAccount();
      const from = start?.revision ?? query.from;
      const events = await log.read(`account-${params.id}`, { from, limit });
      if (events.length === 0 && from === 0) throw unknownAccount();
      const last = events.at(-1);
      const nextFrom = last && events.length === limit ? last.revision + 1 : null;
      return {
        events: events.map(shown),
        ...(start && { start }),
        ...(query.messages === 'true' && {
          messageIds: Object.fromEntries(await messageIdsOf(models, params.id, chargesIn(events))),
        }),
        nextFrom,
      };
    },
  });
