import { z } from 'zod';
import { Rates, rateOf } from '../../commands/pricing/rate-card.ts';
import type { RateCard } from '../../events/pricing.ts';
import { ratecards } from '../../projections/rate-cards.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';
import { currency, type PriceDeps } from './plans.ts';

const shownRate = z.object({
  MARKETING: z.string().describe('Price of a message, a decimal string.'),
  UTILITY: z.string().describe('Price of a message, a decimal string.'),
  AUTHENTICATION: z.string().describe('Price of a message, a decimal string.'),
  SERVICE: z.string().describe('Price of a free-form message, a decimal string.'),
});

const Card = z
  .object({
    id: z.string().describe('Id of the rate card.'),
    currency: z.string().describe('ISO 4217 code.'),
    effectiveFrom: z.iso.datetime().describe('Prices sends from this time on, ISO 8601.'),
    rates: z
      .record(z.string(), shownRate)
      .describe('Prices by market and category; `Other` is required.'),
  })
  .meta({ id: 'RateCard' });

const present = (card: RateCard) => ({
  id: card.rateCardId,
  currency: card.currency,
  effectiveFrom: card.effectiveFrom,
  rates: Object.fromEntries(
    Object.entries(card.rates).map(([market, rate]) => [
      market,
      {
        MARKETING: formatMicros(rate.MARKETING),
        UTILITY: formatMicros(rate.UTILITY),
        AUTHENTICATION: formatMicros(rate.AUTHENTICATION),
        SERVICE: formatMicros(rateOf(rate, 'SERVICE')),
      },
    ]),
  ),
});

const common = { access: 'administrator', tags: ['Prices'], reads: [ratecards] } as const;

export const rateCardRoutes = ({ funds, lookups }: PriceDeps): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/rate-cards',
    summary: 'Publish what the provider takes from a date on',
    description:
      "The provider's prices from a date on. The card in force at the time of a send counts; earlier sends keep their price.",
    request: {
      body: z.object({
        currency,
        effectiveFrom: z.iso
          .datetime({ offset: true })
          .describe('Prices sends from this time on, ISO 8601.'),
        rates: Rates.describe('Prices by market and category; `Other` is required.'),
      }),
    },
    responses: { 201: Card },
    errors: ['resource.conflict', 'resource.unknown'],
    idempotent: { contacts: null },
    async handle({ body }, context) {
      const effectiveFrom = new Date(body.effectiveFrom).toISOString();
      const id = await funds.publishRateCard({ ...body, effectiveFrom }, actingOn(context));
      const card = await mustGet(await context.upToDate(), ratecards, id, 'Rate card');
      return reply(201, present(card));
    },
  }),
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/rate-cards',
    summary: 'List rate cards, newest first, the built-in one last',
    description: 'Published cards and the built-in one.',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf('rateCards', Card) },
    errors: [],
    async handle({ query }, { models }) {
      const { rows, nextCursor } = await readPage(models, ADMINISTRATION, ratecards, query);
      const [builtIn] = await lookups.rateCards();
      const isLast = nextCursor === null && builtIn !== undefined;
      return { rateCards: [...rows, ...(isLast ? [builtIn] : [])].map(present), nextCursor };
    },
  }),
];
