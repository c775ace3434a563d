import { z } from 'zod';
import { pauseReasonOf } from '../../commands/account/pauses.ts';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { type AccountDocument, accounts, usageAt } from '../../projections/accounts.ts';
import type { Clock } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { given, pageQuery, readPage } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { reply } from '../route/response.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet, pick } from './documents.ts';

interface Deps {
  tenancy: Tenancy;
  clock: Clock;
}

const cap = z.int().min(0).max(1_000_000_000).nullable();
const limits = z.object({ perMinute: cap, daily: cap, monthly: cap, paused: z.boolean() });

const Account = z.object({
  id: z.string(),
  organisationId: z.string(),
  name: z.string(),
  planId: z.string(),
  billing: z.enum(['credits', 'wallet']),
  currency: z.string(),
  /** Credits, or a decimal string on a wallet plan. */
  balance: z.union([z.int(), z.string()]),
  limits,
  /** The service's reason for the pause; null without one, and after an administrator's pause. */
  pausedReason: z.string().nullable(),
  usage: z.object({ minute: z.int(), day: z.int(), month: z.int() }),
  createdAt: z.iso.datetime(),
});

/** An account as administrators see it, with its usage at `now`. */
const present = (account: AccountDocument, now: number) =>
  pick(Account, {
    ...account,
    balance: account.billing === 'wallet' ? formatMicros(account.balance) : account.balance,
    pausedReason: account.pausedFor && pauseReasonOf(account.pausedFor),
    usage: usageAt(account, now),
  });

const show = async (models: ReadModels, id: string, clock: Clock) =>
  present(await mustGet(models, accounts, id, 'Account'), clock.now());

const common = { access: 'administrator', tags: ['Accounts'], reads: [accounts] } as const;

const openRoute = ({ tenancy, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/organisations/:id/accounts',
    summary: 'Open an account of an organisation',
    request: {
      body: z.object({
        name: z.string().min(1).max(200),
        planId: z.string().min(1).max(100).optional(),
      }),
    },
    responses: { 201: Account },
    errors: ['resource.unknown', 'account.conflict'],
    async handle({ params, body }, context) {
      const id = await tenancy.openAccount(params.id, body, actingOn(context));
      return reply(201, await show(await context.upToDate(), id, clock));
    },
  });

const listRoute = ({ clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/accounts',
    summary: 'List accounts, newest first',
    request: {
      query: z.object({ ...pageQuery, organisationId: z.string().max(100).optional() }),
    },
    responses: {
      200: z.object({ accounts: z.array(Account), nextCursor: z.string().nullable() }),
    },
    errors: [],
    async handle({ query }, { models }) {
      const where = given({ organisationId: query.organisationId });
      const { rows, nextCursor } = await readPage(models, ADMINISTRATION, accounts, query, where);
      const now = clock.now();
      return { accounts: rows.map((row) => present(row, now)), nextCursor };
    },
  });

const readRoute = ({ clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/admin/v1/accounts/:id',
    summary: 'Read one account',
    responses: { 200: Account },
    errors: ['resource.unknown'],
    handle: ({ params }, { models }) => show(models, params.id, clock),
  });

const planRoute = ({ tenancy, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'PUT',
    path: '/admin/v1/accounts/:id/plan',
    summary: 'Put an account on a plan',
    request: { body: z.object({ planId: z.string().min(1).max(100) }) },
    responses: { 200: Account },
    errors: ['resource.unknown', 'account.conflict'],
    async handle({ params, body }, context) {
      await tenancy.assignPlan(params.id, body.planId, actingOn(context));
      return show(await context.upToDate(), params.id, clock);
    },
  });

const limitsRoute = ({ tenancy, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/admin/v1/accounts/:id/limits',
    summary: 'Set sending caps; null uncaps, what is not named stays',
    request: { body: limits.partial() },
    responses: { 200: Account },
    errors: ['resource.unknown'],
    async handle({ params, body }, context) {
      const named = Object.entries(body).filter(([, value]) => value !== undefined);
      await tenancy.setLimits(params.id, Object.fromEntries(named), actingOn(context));
      return show(await context.upToDate(), params.id, clock);
    },
  });

export const accountRoutes = (deps: Deps): readonly JsonRoute[] =>
  [openRoute, listRoute, readRoute, planRoute, limitsRoute].map((route) => route(deps));
