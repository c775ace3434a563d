import { z } from 'zod';
import { differenceKinds } from '../../audit/billing.ts';
import type { Reconciliation as Report } from '../../audit/billing-report.ts';
import type { Period } from '../../audit/statement.ts';
import type { EventReader } from '../../events/store.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { mustBeKnown, mustBePeriod, oneAtATime, periodQuery } from './whole-log.ts';

const count = (what: string) => z.int().describe(what);
const text = (what: string) => z.string().describe(what);

const Difference = z
  .object({
    kind: z.enum(differenceKinds).describe('What does not agree, to branch on.'),
    byPlan: z.boolean().describe("True where the account's plan wants it so."),
    accountId: text('Id of the account.'),
    chargeId: z.string().nullable().describe('Null for a message not sent from here.'),
    messageId: z
      .string()
      .nullable()
      .describe("The provider's id; null without one, and once it is erased."),
    at: text('Time of the charge, or of the first status without one, ISO 8601.'),
    category: z.string().nullable().describe('Category of the charge.'),
    countryCode: z.string().nullable().describe('Country of the charge.'),
    amount: z
      .number()
      .describe('What the account paid, in `unit`: credits, or millionths of a currency.'),
    unit: z.string().nullable().describe('`credits` or a currency.'),
    refundCause: z.string().nullable().describe('Why it was given back, or null.'),
    status: z.string().nullable().describe('The highest status, or null.'),
    billedAs: z
      .object({
        type: z.string().nullable().describe('Such as `regular` or `free_entry_point`.'),
        category: z.string().nullable().describe('Such as `AUTHENTICATION_INTERNATIONAL`.'),
      })
      .describe("The provider's words."),
    difference: z
      .string()
      .nullable()
      .describe(
        'What the provider bills less what was recorded as its cost, a decimal string in `currency`; null where it has not said, or no rate card has its rate.',
      ),
    currency: z.string().nullable().describe('ISO 4217 code; null without a charge.'),
    erased: z.boolean().nullable().describe('Whether the id of the message was erased.'),
  })
  .meta({ id: 'BillingDifference' });

const cost = z.number().nullable();
const sides = { billed: count('Billed messages.'), free: count('Messages without a price.') };
const place = {
  category: text('Category.'),
  countryCode: text('Country, ISO 3166; `ZZ` for none.'),
};

const Reconciliation = z
  .object({
    ok: z.boolean().describe('True when nothing is left over.'),
    period: z
      .object({ from: text('Start, ISO 8601.'), to: text('End, not included.') })
      .describe('The period in UTC.'),
    accountId: z.string().nullable().describe('Null for all accounts.'),
    charges: count('Charges of the period, free ones included.'),
    found: z
      .record(
        z.enum(differenceKinds),
        z.object({ count: count('All of them.'), byPlan: count('Those that plans want.') }),
      )
      .describe('Differences by kind.'),
    differenceCount: count('Number of all differences.'),
    byPlanCount: count('Number of those that plans want.'),
    difference: z
      .record(z.string(), z.string())
      .describe('The money of all differences by currency, decimal strings.'),
    unpriced: count('Number of differences whose money is not known.'),
    differences: z.array(Difference).describe('The first 10,000.'),
    counts: z
      .array(
        z.object({
          ...place,
          charges: count('Charges.'),
          charged: count('Kept charges that cost the account something.'),
          givenBack: count('Refunded charges.'),
          free: count('Kept charges that cost the account nothing.'),
          delivered: count('Delivered messages.'),
          differences: count('Differences.'),
        }),
      )
      .describe('Charges by category and country.'),
    undelivered: count('Charged and priced, and not delivered so far.'),
    volumes: z
      .array(
        z.object({
          phoneNumberId: text('Number that sent.'),
          ...place,
          ...sides,
          cost: cost.describe('What was recorded as cost; null with more than one currency.'),
        }),
      )
      .describe('Messages that were delivered in the period, as statuses tell.'),
    compared: z
      .object({
        source: text('`provider`.'),
        rows: z
          .array(
            z.object({
              ...place,
              ours: z
                .object({ ...sides, cost: cost.describe('What was recorded as cost, or null.') })
                .describe('As statuses tell.'),
              theirs: z
                .object({ ...sides, cost: cost.describe('About, or null.') })
                .describe("As the provider's analytics tell."),
              difference: z
                .string()
                .nullable()
                .describe('Their cost less ours, a decimal string; null where one is not known.'),
              isSame: z.boolean().describe('Whether both volumes agree.'),
            }),
          )
          .describe('Delivered messages by category and country.'),
        missing: z
          .array(z.object({ what: text('What is missing.'), reason: text('Why.') }))
          .describe('What could not be asked.'),
      })
      .nullable()
      .describe('The comparison with the provider; null without `provider=true`.'),
    unreadable: count('Events of the log that cannot be read.'),
  })
  .meta({ id: 'Reconciliation' });

const query = z.object({
  ...periodQuery,
  accountId: z.string().min(1).max(100).optional().describe('Only this account.'),
  provider: z
    .enum(['true', 'false'])
    .default('false')
    .describe("`true` asks for the provider's analytics too, which reach a year back."),
  ids: z
    .enum(['true', 'false'])
    .default('true')
    .describe('`false` leaves out the ids of messages, as of an export.'),
});

export interface ReconciliationDeps {
  reconcile: (options: {
    period: Period;
    accountId?: string | undefined;
    signal?: AbortSignal | undefined;
    withProvider: boolean;
    withIds: boolean;
  }) => Promise<Report>;
  log: Pick<EventReader, 'read'>;
}

/** What was charged against what the provider bills. */
export const reconciliationRoute = ({ reconcile, log }: ReconciliationDeps): JsonRoute => {
  const reconcileAlone = oneAtATime(reconcile, 'Another reconciliation is running');
  return defineRoute({
    method: 'GET',
    path: '/admin/v1/reconciliation',
    access: 'administrator',
    tags: ['Audit'],
    summary: 'Compare what was charged with what the provider bills',
    description:
      'Counted from the log: each charge of the period with the statuses of its message up to now. With `provider=true` the volumes of the business accounts are compared, too.',
    answer: 'The result. Differences are a result too: look at `ok`, not at the status.',
    request: { query },
    responses: { 200: Reconciliation },
    errors: ['resource.unknown'],
    async handle({ query: { accountId, provider, ids, ...asked } }, { signal }) {
      const period = mustBePeriod(asked);
      if (accountId !== undefined) await mustBeKnown(log, accountId);
      const withProvider = provider === 'true';
      const { accounts: _, ...report } = await reconcileAlone({
        period,
        accountId,
        signal: signal(),
        withProvider,
        withIds: ids === 'true',
      });
      return report;
    },
  });
};
