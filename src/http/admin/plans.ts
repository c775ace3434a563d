import { z } from 'zod';
import type { Funds } from '../../commands/account/funds.ts';
import type { Lookups } from '../../commands/core/lookups.ts';
import { formatPercent, Percent, PositiveAmount } from '../../commands/pricing/money.ts';
import { standardPlan } from '../../commands/pricing/pricing.ts';
import { Rates, rateOf } from '../../commands/pricing/rate-card.ts';
import { type Category, categories, categoryNames } from '../../events/category.ts';
import { type PlanTerms, planBounds, type RateCard } from '../../events/pricing.ts';
import { plans, ratecards } from '../../projections/plans.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { invalidFields } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { displayName } from '../route/names.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pastQuery } from '../route/past.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD')
  .describe('ISO 4217 code.');
const billing = z
  .enum(['credits', 'wallet'])
  .describe('Unit of the balance: whole credits, or money.');
const MARKUP = "Added to the provider's price: `20` adds a fifth.";
const REFUNDS = 'Refunds messages that fail after acceptance.';
const DISCONNECTS =
  'Refunds after disconnects in a UTC day that pause the account; null: no bound.';
const FREE_WRITES =
  'Megabytes of unpaid events (bots, templates, refused sends) in a UTC day; null: no bound.';
const SERVICE =
  'Prices free-form replies (SERVICE) like templates, by the SERVICE column of the rate card; free otherwise.';

const Plan = z
  .object({
    id: z.string().describe('Id of the plan.'),
    version: z.int().describe('Grows with each change.'),
    name: z.string().describe('Name of the plan.'),
    billing,
    currency: z.string().describe('ISO 4217 code.'),
    markupPercent: z.string().describe(MARKUP),
    creditValue: z.string().nullable().describe('Value of a credit, a decimal string.'),
    refundFailedDeliveries: z.boolean().describe(REFUNDS),
    disconnectRefundsPerDay: z.int().nullable().describe(DISCONNECTS),
    freeWritesMbPerDay: z.int().nullable().describe(FREE_WRITES),
    chargeService: z.boolean().describe(SERVICE),
  })
  .meta({ id: 'Plan' });

const present = (plan: PlanTerms) =>
  pick(Plan, {
    ...plan,
    id: plan.planId,
    version: plan.planVersion,
    markupPercent: formatPercent(plan.markup),
    creditValue: plan.creditValue === null ? null : formatMicros(plan.creditValue),
  });

const show = async (models: ReadModels, id: string) =>
  present(await mustGet(models, plans, id, 'Plan'));

/** Null: no bound. */
const bound = z.int().min(1).max(1_000_000_000).nullable();

/** Credits have a value; a wallet's unit is the currency itself. */
const Draft = z.object({
  name: displayName('Name of the plan.'),
  billing,
  currency,
  markupPercent: Percent.describe(MARKUP),
  creditValue: PositiveAmount.nullish().describe('Value of a credit, a decimal string.'),
  refundFailedDeliveries: z.boolean().default(true).describe(REFUNDS),
  disconnectRefundsPerDay: bound.default(planBounds.disconnectRefundsPerDay).describe(DISCONNECTS),
  freeWritesMbPerDay: bound.default(planBounds.freeWritesMbPerDay).describe(FREE_WRITES),
  chargeService: z.boolean().default(false).describe(SERVICE),
});

const planId = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_.-]+$/, 'must be made of letters, digits, dots, dashes and underscores')
  .describe('Id of the plan; a new one by default.');

const termsOf = ({
  markupPercent: markup,
  creditValue = null,
  ...rest
}: z.output<typeof Draft>) => {
  if (rest.billing === 'wallet') return { ...rest, markup, creditValue: null };
  if (creditValue !== null) return { ...rest, markup, creditValue };
  throw invalidFields({ creditValue: ['is required on a credit plan'] });
};

interface PriceDeps {
  funds: Funds;
  lookups: Pick<Lookups, 'rateCards'>;
}

const common = { access: 'administrator', tags: ['Prices'], reads: [plans] } as const;

const createRoute = ({ funds }: PriceDeps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/plans',
    summary: 'Create a plan',
    description: 'A plan defines how sends are billed. Assign it to accounts next.',
    request: { body: z.object({ id: planId.optional(), ...Draft.shape }) },
    responses: { 201: Plan },
    errors: ['resource.conflict', 'resource.unknown'],
    idempotent: { contacts: null },
    async handle({ body: { id, ...body } }, context) {
      const made = await funds.publishPlan({ ...termsOf(body), planId: id }, actingOn(context));
      return reply(201, await show(await context.upToDate(), made));
    },
  });

const reviseRoute = ({ funds }: PriceDeps) =>
  defineRoute({
    ...common,
    method: 'PUT',
    path: '/admin/v1/plans/:id',
    summary: 'Change a plan: a new version, charges made keep theirs',
    description: 'Creates a new version for later sends; earlier charges keep theirs.',
    request: { body: Draft },
    responses: { 200: Plan },
    errors: ['resource.conflict', 'resource.unknown'],
    async handle({ params, body }, context) {
      await funds.revisePlan({ ...termsOf(body), planId: params.id }, actingOn(context));
      return show(await context.upToDate(), params.id);
    },
  });

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/plans',
  summary: 'List plans, newest first, the built-in one last',
  description: 'The newest version of each plan, with the built-in one.',
  request: { query: z.object(pageQuery) },
  responses: { 200: pageOf('plans', Plan) },
  errors: [],
  async handle({ query }, { models }) {
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, plans, query);
    const revised = await models.get(plans, standardPlan.planId);
    const builtIn = nextCursor === null && !revised ? [standardPlan] : [];
    return { plans: [...rows, ...builtIn].map(present), nextCursor };
  },
});

const readRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/admin/v1/plans/:id',
  summary: 'Read one plan',
  description: 'Its newest version.',
  request: { query: z.object(pastQuery) },
  responses: { 200: Plan },
  errors: ['resource.unknown', 'resource.conflict'],
  async handle({ params: { id } }, { models }) {
    const isBuiltIn = id === standardPlan.planId && !(await models.get(plans, id));
    return isBuiltIn ? present(standardPlan) : show(models, id);
  },
});

export const planRoutes = (deps: PriceDeps): readonly JsonRoute[] => [
  createRoute(deps),
  reviseRoute(deps),
  listRoute,
  readRoute,
];

const shownRate = z.object(
  Object.fromEntries(
    categoryNames.map((name) => [
      name,
      z.string().describe(`Price of ${categories[name].priceOf}, a decimal string.`),
    ]),
  ) as Record<Category, z.ZodString>,
);

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

const presentCard = (card: RateCard) => ({
  id: card.rateCardId,
  currency: card.currency,
  effectiveFrom: card.effectiveFrom,
  rates: Object.fromEntries(
    Object.entries(card.rates).map(([market, rate]) => [
      market,
      Object.fromEntries(
        categoryNames.map((name) => [name, formatMicros(rateOf(rate, name))]),
      ) as Record<Category, string>,
    ]),
  ),
});

const ofCards = { access: 'administrator', tags: ['Prices'], reads: [ratecards] } as const;

export const rateCardRoutes = ({ funds, lookups }: PriceDeps): readonly JsonRoute[] => [
  defineRoute({
    ...ofCards,
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
      return reply(201, presentCard(card));
    },
  }),
  defineRoute({
    ...ofCards,
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
      return { rateCards: [...rows, ...(isLast ? [builtIn] : [])].map(presentCard), nextCursor };
    },
  }),
];
