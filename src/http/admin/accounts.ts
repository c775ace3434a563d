import { z } from 'zod';
import { pauseReasonOf } from '../../commands/account/pauses.ts';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { type AccountDocument, accounts, usageAt } from '../../projections/accounts.ts';
import type { Clock } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';

const cap = z.int().min(0).max(1_000_000_000).nullable();

const Account = z.object({
  id: z.string(),
  organisationId: z.string(),
  name: z.string(),
  planId: z.string(),
  billing: z.enum(['credits', 'wallet']),
  currency: z.string(),
  /** Credits, or a decimal string on a wallet plan. */
  balance: z.union([z.int(), z.string()]),
  limits: z.object({ perMinute: cap, daily: cap, monthly: cap, paused: z.boolean() }),
  /** The service's reason for the pause; null without one, and after an administrator's pause. */
  pausedReason: z.string().nullable(),
  usage: z.object({ minute: z.int(), day: z.int(), month: z.int() }),
  createdAt: z.iso.datetime(),
});

/** An account as administrators see it, with its usage at `now`. */
const present = (document: AccountDocument, now: number) => ({
  id: document.id,
  organisationId: document.organisationId,
  name: document.name,
  planId: document.planId,
  billing: document.billing,
  currency: document.currency,
  balance: document.billing === 'wallet' ? formatMicros(document.balance) : document.balance,
  limits: document.limits,
  pausedReason: document.pausedFor && pauseReasonOf(document.pausedFor),
  usage: usageAt(document, now),
  createdAt: document.createdAt,
});

export const accountRoutes = (deps: { tenancy: Tenancy; clock: Clock }): readonly JsonRoute[] => {
  const { tenancy, clock } = deps;
  const reads = [accounts];

  const show = async (models: ReadModels, id: string) => {
    const document = await models.get(accounts, id);
    if (!document) throw models.notFound(new AppError('resource.unknown', 'Account not found'));
    return present(document, clock.now());
  };

  return [
    defineRoute({
      method: 'POST',
      path: '/admin/v1/organisations/:id/accounts',
      access: 'administrator',
      summary: 'Open an account of an organisation',
      tags: ['Accounts'],
      request: {
        body: z.object({
          name: z.string().min(1).max(200),
          planId: z.string().min(1).max(100).optional(),
        }),
      },
      responses: { 201: Account },
      errors: ['resource.unknown', 'account.conflict'],
      reads,
      async handle({ params, body }, context) {
        const id = await tenancy.openAccount(params.id, body, actingOn(context));
        return reply(201, await show(await context.upToDate(), id));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/accounts',
      access: 'administrator',
      summary: 'List accounts, newest first',
      tags: ['Accounts'],
      request: {
        query: z.object({ ...pageQuery, organisationId: z.string().max(100).optional() }),
      },
      responses: {
        200: z.object({ accounts: z.array(Account), nextCursor: z.string().nullable() }),
      },
      errors: [],
      reads,
      async handle({ query }, { models }) {
        const { organisationId } = query;
        const where = organisationId === undefined ? {} : { organisationId };
        const { rows, nextCursor } = await readPage(models, ADMINISTRATION, accounts, query, where);
        const now = clock.now();
        return { accounts: rows.map((row) => present(row, now)), nextCursor };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/admin/v1/accounts/:id',
      access: 'administrator',
      summary: 'Read one account',
      tags: ['Accounts'],
      responses: { 200: Account },
      errors: ['resource.unknown'],
      reads,
      handle: ({ params }, { models }) => show(models, params.id),
    }),
    defineRoute({
      method: 'PUT',
      path: '/admin/v1/accounts/:id/plan',
      access: 'administrator',
      summary: 'Put an account on a plan',
      tags: ['Accounts'],
      request: { body: z.object({ planId: z.string().min(1).max(100) }) },
      responses: { 200: Account },
      errors: ['resource.unknown', 'account.conflict'],
      reads,
      async handle({ params, body }, context) {
        await tenancy.assignPlan(params.id, body.planId, actingOn(context));
        return show(await context.upToDate(), params.id);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/admin/v1/accounts/:id/limits',
      access: 'administrator',
      summary: 'Set sending caps; null uncaps, what is not named stays',
      tags: ['Accounts'],
      request: {
        body: z.object({ perMinute: cap, daily: cap, monthly: cap, paused: z.boolean() }).partial(),
      },
      responses: { 200: Account },
      errors: ['resource.unknown'],
      reads,
      async handle({ params, body }, context) {
        const named = Object.entries(body).filter(([, value]) => value !== undefined);
        await tenancy.setLimits(params.id, Object.fromEntries(named), actingOn(context));
        return show(await context.upToDate(), params.id);
      },
    }),
  ];
};
