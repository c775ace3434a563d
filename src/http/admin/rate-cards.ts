import { z } from 'zod';
import { Rates } from '../../commands/pricing/rate-card.ts';
import type { RateCard } from '../../events/pricing.ts';
import { ratecards } from '../../projections/rate-cards.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { currency, type PriceDeps } from './plans.ts';

const shownRate = z.object({
  MARKETING: z.string(),
  UTILITY: z.string(),
  AUTHENTICATION: z.string(),
});

const Card = z.object({
  id: z.string(),
  currency: z.string(),
  effectiveFrom: z.iso.datetime(),
  rates: z.record(z.string(), shownRate),
});

const presentCard = (card: RateCard) => ({
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
      },
    ]),
  ),
});

export const rateCardRoutes = ({ funds, lookups }: PriceDeps): readonly JsonRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/admin/v1/rate-cards',
    access: 'administrator',
    summary: 'Publish what the provider takes from a date on',
    tags: ['Prices'],
    reads: [ratecards],
    request: {
      body: z.object({
        currency,
        effectiveFrom: z.iso.datetime({ offset: true }),
        rates: Rates,
      }),
    },
    responses: { 201: Card },
    errors: ['resource.conflict', 'resource.unknown'],
    idempotent: {},
    async handle({ body }, context) {
      const effectiveFrom = new Date(body.effectiveFrom).toISOString();
      const id = await funds.publishRateCard({ ...body, effectiveFrom }, actingOn(context));
      const models = await context.upToDate();
      const card = await models.get(ratecards, id);
      if (!card) throw models.notFound(new AppError('resource.unknown', 'Rate card not found'));
      return reply(201, presentCard(card));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/admin/v1/rate-cards',
    access: 'administrator',
    summary: 'List rate cards, newest first, the built-in one last',
    tags: ['Prices'],
    reads: [ratecards],
    request: { query: z.object(pageQuery) },
    responses: { 200: z.object({ rateCards: z.array(Card), nextCursor: z.string().nullable() }) },
    errors: [],
    async handle({ query }, { models }) {
      const { rows, nextCursor } = await readPage(models, ADMINISTRATION, ratecards, query);
      const [builtIn] = await lookups.rateCards();
      const shown: RateCard[] = [...rows];
      if (nextCursor === null && builtIn) shown.push(builtIn);
      return { rateCards: shown.map(presentCard), nextCursor };
    },
  }),
];
