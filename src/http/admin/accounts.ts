import { z } from 'zod';
import { pauseReasonOf } from '../../commands/account/evolve.ts';
import { accountBounds } from '../../commands/account/state.ts';
import { PositiveAmount } from '../../commands/pricing/money.ts';
import type { Privacy } from '../../commands/privacy/privacy.ts';
import { hoursOfDay, timeZone } from '../../commands/sending/timing.ts';
import type { Tenancy } from '../../commands/tenancy/tenancy.ts';
import { DirectSend } from '../../events/account.ts';
import { type AccountDocument, accounts, usageAt } from '../../projections/accounts.ts';
import type { Clock } from '../../shared/clock.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { reply } from '../edge/respond.ts';
import { displayName } from '../route/names.ts';
import { given, pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pastQuery } from '../route/past.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { Limits, Usage } from '../v1/billing-schemas.ts';
import { ADMINISTRATION, actingOn } from './context.ts';
import { mustGet } from './documents.ts';

const { balanceMax } = accountBounds;

/** Credits as a whole number, or money as a decimal string. */
export const BalanceLow = z
  .union([
    z
      .int()
      .min(1)
      .max(balanceMax)
      .transform((amount) => ({ billing: 'credits' as const, amount })),
    PositiveAmount.transform((amount) => ({ billing: 'wallet' as const, amount })),
  ])
  .nullable()
  .describe(
    'The webhook event `account.balance_low` tells when the balance falls below it: whole credits, or a decimal string on a wallet plan; null for none.',
  );

export const AccountLimits = Limits.extend({
  strict: z.boolean().describe('Whether sends are strict where their body does not say it.'),
  directSend: DirectSend.describe(
    'Whether an event of category UTILITY or AUTHENTICATION that has no approved template goes out without one (Direct Send): `fallback`, or `off`, the default.',
  ),
  timeZone: timeZone.describe(
    'IANA name: of recipients whose own time zone is not known, for hours of sends; `UTC` by default.',
  ),
  quietHours: z
    .strictObject({
      MARKETING: hoursOfDay.optional().describe('Of marketing.'),
      UTILITY: hoursOfDay.optional().describe('Of utility messages.'),
    })
    .nullable()
    .describe(
      'Hours of the day, on the clock of the recipient, in which sends of a category are held until they end; null for none. Authentication and free-form replies are never held.',
    ),
  balanceLow: z
    .union([z.int(), z.string()])
    .nullable()
    .describe('The balance below which `account.balance_low` tells; null for none.'),
}).meta({ id: 'AccountLimits' });

export const Account = z
  .object({
    id: z.string().describe('Id of the account.'),
    organisationId: z.string().describe('Id of the organisation that owns the account.'),
    name: z.string().describe('Name of the account.'),
    planId: z.string().describe('Id of the billing plan; `standard` is built in.'),
    billing: z
      .enum(['credits', 'wallet'])
      .describe('Unit of the balance: whole credits, or money.'),
    currency: z.string().describe('ISO 4217 code.'),
    balance: z
      .union([z.int(), z.string()])
      .describe('Whole credits, or a decimal string of money.'),
    limits: AccountLimits.describe('The caps of the account.'),
    pausedReason: z.string().nullable().describe('Why the service paused the account; else null.'),
    contentRetentionMonths: z
      .int()
      .nullable()
      .describe('Months after whose end personal data are kept; null for ever.'),
    usage: Usage.describe('Outbound messages that count against the caps.'),
    createdAt: z.iso.datetime().describe('Time of creation, ISO 8601.'),
  })
  .meta({ id: 'Account' });

const shownAmount = <Amount extends number | null>(
  billing: AccountDocument['billing'],
  amount: Amount,
) => (billing === 'wallet' && amount !== null ? formatMicros(amount) : amount);

/** An account as administrators see it, with its usage at `now`. */
export const present = (account: AccountDocument, now: number) =>
  pick(Account, {
    ...account,
    balance: shownAmount(account.billing, account.balance),
    limits: {
      ...account.limits,
      strict: account.strict,
      directSend: account.directSend,
      timeZone: account.timeZone,
      quietHours: account.quietHours,
      balanceLow: shownAmount(account.billing, account.balanceLow),
    },
    pausedReason: account.pausedFor && pauseReasonOf(account.pausedFor),
    usage: usageAt(account, now),
  });

interface Deps {
  tenancy: Tenancy;
  privacy: Privacy;
  clock: Clock;
}

const planId = z
  .string()
  .min(1)
  .max(100)
  .describe('Id of the billing plan; `standard` is built in.');

const show = async (models: ReadModels, id: string, clock: Clock, asOf?: string) =>
  present(
    await mustGet(models, accounts, id, 'Account'),
    asOf === undefined ? clock.now() : Date.parse(asOf),
  );

const common = { access: 'administrator', tags: ['Accounts'], reads: [accounts] } as const;

const openRoute = ({ tenancy, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/admin/v1/organisations/:id/accounts',
    summary: 'Open an account of an organisation',
    description:
      'An account has its own balance, plan, caps, numbers, templates, bots and keys. The default plan is the built-in `standard`.',
    request: {
      body: z.object({
        name: displayName('Name of the account.'),
        planId: planId.optional(),
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
    description: 'Newest first.',
    request: {
      query: z.object({
        ...pageQuery,
        organisationId: z.string().max(100).optional().describe('Accounts of this organisation.'),
      }),
    },
    responses: { 200: pageOf('accounts', Account) },
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
    description: 'Shows balance, plan, caps and usage.',
    request: { query: z.object(pastQuery) },
    responses: { 200: Account },
    errors: ['resource.unknown', 'resource.conflict'],
    handle: ({ params, query }, { models }) => show(models, params.id, clock, query.asOf),
  });

const planRoute = ({ tenancy, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'PUT',
    fourEyes: 'plan',
    path: '/admin/v1/accounts/:id/plan',
    summary: 'Put an account on a plan',
    description:
      'Applies from the next send on. Answers 409 when the plans count in different units and a balance is left: bring it to zero first.',
    request: { body: z.object({ planId }) },
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
    description:
      'Absent fields stay as they are; null removes a cap. `paused` stops all sends at once. `strict` refuses sends with wrong variables or an impossible number, unless their body says `strict: false`. `directSend` lets events go out that have no approved template yet. `quietHours` holds marketing and utility sends. The service checks paused, perMinute, daily and monthly, in this order.',
    request: { body: AccountLimits.partial().extend({ balanceLow: BalanceLow.optional() }) },
    responses: { 200: Account },
    errors: ['resource.unknown', 'request.invalid'],
    async handle({ params, body }, context) {
      const { balanceLow, strict, directSend, timeZone, quietHours, ...caps } = body;
      const named = Object.entries(caps).filter(([, value]) => value !== undefined);
      const sends = { strict, directSend, timeZone, quietHours };
      const change = { balanceLow, ...sends, limits: Object.fromEntries(named) };
      await tenancy.setLimits(params.id, change, actingOn(context));
      return show(await context.upToDate(), params.id, clock);
    },
  });

const retentionRoute = ({ privacy, clock }: Deps) =>
  defineRoute({
    ...common,
    method: 'PATCH',
    path: '/admin/v1/accounts/:id/retention',
    summary: 'Set for how long an account keeps personal data; null for ever',
    description:
      'The keys of a month are destroyed when it ended that many months ago, for good: a longer time set later brings nothing back. Amounts, prices, templates, events and times stay.',
    request: {
      body: z.object({
        contentRetentionMonths: z
          .int()
          .min(1)
          .max(120)
          .nullable()
          .describe('1 to 120 months, or null for ever.'),
      }),
    },
    responses: { 200: Account },
    errors: ['resource.unknown'],
    async handle({ params, body }, context) {
      await privacy.setRetention(params.id, body.contentRetentionMonths, actingOn(context));
      return show(await context.upToDate(), params.id, clock);
    },
  });

export const accountRoutes = (deps: Deps): readonly JsonRoute[] =>
  [openRoute, listRoute, readRoute, planRoute, limitsRoute, retentionRoute].map((route) =>
    route(deps),
  );
