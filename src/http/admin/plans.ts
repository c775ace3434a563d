import { z } from 'zod';
import type { Funds } from '../../commands/account/funds.ts';
import type { Lookups } from '../../commands/core/lookups.ts';
import { formatPercent, Percent, PositiveAmount } from '../../commands/pricing/money.ts';
import { standardPlan } from '../../commands/pricing/pricing.ts';
import { type PlanTerms, planBounds } from '../../events/pricing.ts';
import { plans } from '../../projections/plans.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { invalidFields } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet, pick } from './documents.ts';

export const currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code such as USD');

const Plan = z.object({
  id: z.string(),
  version: z.int(),
  name: z.string(),
  billing: z.enum(['credits', 'wallet']),
  currency: z.string(),
  markupPercent: z.string(),
  creditValue: z.string().nullable(),
  refundFailedDeliveries: z.boolean(),
  disconnectRefundsPerDay: z.int().nullable(),
  freeWritesMbPerDay: z.int().nullable(),
});

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
  name: z.string().min(1).max(200),
  billing: z.enum(['credits', 'wallet']),
  currency,
  markupPercent: Percent,
  creditValue: PositiveAmount.nullish(),
  refundFailedDeliveries: z.boolean().default(true),
  disconnectRefundsPerDay: bound.default(planBounds.disconnectRefundsPerDay),
  freeWritesMbPerDay: bound.default(planBounds.freeWritesMbPerDay),
});

const planId = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_.-]+$/, 'must be made of letters, digits, dots, dashes and underscores');

const termsOf = ({
  markupPercent: markup,
  creditValue = null,
  ...rest
}: z.output<typeof Draft>) => {
  if (rest.billing === 'wallet') return { ...rest, markup, creditValue: null };
  if (creditValue !== null) return { ...rest, markup, creditValue };
  throw invalidFields({ creditValue: ['is required on a credit plan'] });
};

export interface PriceDeps {
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
    request: { body: z.object({ id: planId.optional(), ...Draft.shape }) },
    responses: { 201: Plan },
    errors: ['resource.conflict', 'resource.unknown'],
    idempotent: {},
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
  request: { query: z.object(pageQuery) },
  responses: { 200: z.object({ plans: z.array(Plan), nextCursor: z.string().nullable() }) },
  errors: [],
  async handle({ query }, { models }) {
    const { rows, nextCursor } = await readPage(models, ADMINISTRATION, plans, query);
    const revised = await models.get(plans, standardPlan.planId);
    const builtIn = nextCursor === null && !revised ? [standardPlan] : [];
    return { plans: [...rows, ...builtIn].map(present), nextCursor };
  },
});

export const planRoutes = (deps: PriceDeps): readonly JsonRoute[] => [
  createRoute(deps),
  reviseRoute(deps),
  listRoute,
];
