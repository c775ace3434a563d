import { z } from 'zod';
import { lastSeal } from '../../audit/seals/read-seals.ts';
import type { EventReader } from '../../events/store.ts';
import { activity } from '../../projections/activity.ts';
import { deadletters } from '../../projections/dead-letters.ts';
import { reservations } from '../../projections/reservations.ts';
import { defineRoute } from '../route/route.ts';
import { Overview, overviewOf, overviewQuery } from '../v1/overview.ts';

/** Open dead letters that an overview counts. */
const LETTERS_MAX = 1_000;

const ServiceOverview = Overview.extend({
  deadLetters: z
    .object({ open: z.int().describe('Items that wait for somebody; 1,000 at most.') })
    .describe('What the provider sent and could not be taken in.'),
  log: z
    .object({ position: z.string().describe('Of the last event: opaque, compared as text.') })
    .describe('The log of all events.'),
  seal: z
    .object({
      number: z.int().describe('Its number, from 1.'),
      at: z.iso.datetime().describe('Time of the seal, ISO 8601.'),
    })
    .nullable()
    .describe('The last seal of the ledger, or null.'),
}).meta({ id: 'ServiceOverview' });

/** How the service does, over all accounts. */
export const serviceOverviewRoute = ({ store }: { store: Pick<EventReader, 'read' | 'head'> }) =>
  defineRoute({
    method: 'GET',
    path: '/admin/v1/overview',
    access: 'administrator',
    summary: 'Show sends, failures, refunds and spend of the last hours, of all accounts',
    description: 'Counted by hours of UTC, the present one included.',
    tags: ['Operations'],
    request: {
      query: overviewQuery,
    },
    responses: { 200: ServiceOverview },
    errors: [],
    reads: [activity, reservations, deadletters],
    async handle({ query: { hours } }, { models, now }) {
      const [figures, letters, position, { last }] = await Promise.all([
        overviewOf(models, undefined, { hours, now }),
        models.find(deadletters, {
          where: { state: 'open' },
          order: { field: 'order', direction: 'descending' },
          limit: LETTERS_MAX,
        }),
        store.head(),
        lastSeal(store),
      ]);
      return {
        ...figures,
        deadLetters: { open: letters.length },
        log: { position },
        seal: last ? { number: last.number, at: last.at } : null,
      };
    },
  });
