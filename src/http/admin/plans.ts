import { z } from 'zod';
import type { Funds } from '../../commands/account/funds.ts';
import type { Lookups } from '../../commands/core/lookups.ts';
import { formatPercent, Percent, PositiveAmount } from '../../commands/pricing/money.ts';
import { standardPlan } from '../../commands/pricing/pricing.ts';
import { type PlanTerms, planBounds } from '../../events/pricing.ts';
import { plans } from '../../projections/plans.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

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

const presentPlan = (plan: PlanTerms) => ({
  id: plan.planId,
  version: plan.planVersion,
  name: plan.name,
  billing: plan.billing,
  currency: plan.currency,
  markupPercent: formatPercent(plan.markup),
  creditValue: plan.creditValue === null ? null : formatMicros(plan.creditValue),
  refundFailedDeliveries: plan.refundFailedDeliveries,
  disconnectRefundsPerDay: plan.disconnectRefundsPerDay,
  freeWritesMbPerDay: plan.freeWritesMbPerDay,
});

/** Null: no bound. */
const bound = z.int().min(1).max(1_000_000_000).nullable();

/** Credits have a value; a wallet's unit is the currency itself. */
const draft = {
  name: z.string().min(1).max(200),
  billing: z.enum(['credits', 'wallet']),
  currency,
  markupPercent: Percent,
  creditValue: PositiveAmount.nullish(),
  refundFailedDeliveries: z.boolean().default(true),
  disconnectRefundsPerDay: bound.default(planBounds.disconnectRefundsPerDay),
  freeWritesMbPerDay: bound.default(planBounds.freeWritesMbPerDay),
};

const planId = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[A-Za-z0-9_.-]+$/, 'must be made of letters, digits, dots, dashes and underscores');

type DraftBody = {
  name: string;
  billing: 'credits' | 'wallet';
  currency: string;
  markupPercent: number;
  creditValue?: number | null | undefined;
  refundFailedDeliveries: boolean;
  disconnectRefundsPerDay: number | null;
  freeWritesMbPerDay: number | null;
};

const termsOf = (body: DraftBody) => {
  const { markupPercent, creditValue, ...rest } = body;
  if (body.billing === 'credits' && creditValue == null) {
    throw invalidFields({ creditValue: ['is required on a credit plan'] });
  }
  const value = body.billing === 'credits' ? (creditValue ?? null) : null;
  return { ...rest, markup: markupPercent, creditValue: value };
};

export interface PriceDeps {
  funds: Funds;
  lookups: Pick<Lookups, 'rateCards'>;
}

export const planRoutes = ({ funds }: PriceDeps): readonly JsonRoute[] => {
  const reads = [plans];

  const show = async (models: ReadModels, id: string) => {
    const plan = await models.get(plans, id);
    if (!plan) throw models.notFound(new AppError('resource.unknown', 'Plan not found'));
    return presentPlan(plan);
  };

  return [
    defineRoute({
      method: 'POST',
      path: '/admin/v1/plans',
      access: 'administrator',
      summary: 'Create a plan',
      tags: ['Prices'],
      request: { body: z.object({ id: planId.optional(), ...draft }) },
      responses: { 201: Plan },
      errors: ['resource.conflict', 'resource.unknown'],
      idempotent: {},
      reads,
      async handle({ body: { id, ...body } }, context) {
        const made = await funds.publishPlan({ ...termsOf(body), planId: id }, actingOn(context));
        return reply(201, await show(await context.upToDate(), made));
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/admin/v1/plans/:id',
      access: 'administrator',
      summary: 'Change a plan: a new version, charges made keep theirs',
      tags: ['Prices'],
      request: { body: z.object(draft) },
      responses: { 200: Plan },
      errors: ['resource.conflict', 'resource.unknown'],
      reads,
      async handle({ params, body }, context) {
        await funds.revisePlan({ ...termsOf(body), planId: params.id }, actingOn(context));
        return show(await context.upToDate(), params.id);
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/plans',
      access: 'administrator',
      summary: 'List plans, newest first, the built-in one last',
      tags: ['Prices'],
      request: { query: z.object(pageQuery) },
      responses: { 200: z.object({ plans: z.array(Plan), nextCursor: z.string().nullable() }) },
      errors: [],
      reads,
      async handle({ query }, { models }) {
        const { rows, nextCursor } = await readPage(models, ADMINISTRATION, plans, query);
        const revised = await models.get(plans, standardPlan.planId);
        const builtIn = nextCursor === null && !revised ? [standardPlan] : [];
        return { plans: [...rows, ...builtIn].map(presentPlan), nextCursor };
      },
    }),
  ];
};
