import { z } from 'zod';
import { RefundCause, type RefundWord, refundWordOf } from '../../events/account.ts';
import {
  type ActivityDocument,
  ALL_ACCOUNTS,
  activity,
  type FailuresDocument,
  hourOf,
  type RefusedDocument,
} from '../../projections/activity.ts';
import { isOpen, reservations } from '../../projections/reservations.ts';
import { formatMicros } from '../../shared/decimal.ts';
import { hasScope } from '../edge/admission.ts';
import { queryNumber } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute } from '../route/route.ts';

const HOUR_MS = 3_600_000;
/** Hours that are read at a time. */
const READ_HOURS = 24;
/** More than so many hours of all accounts have: one for each bucket and unit of money, and two more. */
const DOCUMENTS_MAX = 10_000;
/** Open reservations that an overview counts. */
const OPEN_MAX = 1_000;

const causes = [...new Set(RefundCause.options.map(refundWordOf))] as [RefundWord, ...RefundWord[]];

const Hour = z.object({
  hour: z.iso.datetime().describe('Start of the hour, ISO 8601.'),
  sends: z.int().describe('Sends that were charged, free ones included.'),
  refunds: z.int().describe('Charges that were given back.'),
  failures: z.int().describe('Failures that the provider reported after it had accepted them.'),
  refused: z.int().describe('Sends that were refused before a charge.'),
});

const Money = z.object({
  unit: z.string().describe('`credits`, or the currency of a wallet plan.'),
  charged: z.string().describe('What sends took, a decimal string.'),
  refunded: z.string().describe('What was given back, a decimal string.'),
});

export const Overview = z
  .object({
    since: z.iso.datetime().describe('Start of the first hour, ISO 8601.'),
    hours: z.array(Hour).describe('Every hour since then, the oldest first.'),
    totals: Hour.omit({ hour: true }).describe('The sums over all hours.'),
    money: z.array(Money).describe('What sends took and gave back, by unit.'),
    refunds: z
      .array(
        z.object({
          cause: z.enum(causes).describe('Why the charge was given back.'),
          count: z.int().describe('Charges that were given back for it.'),
        }),
      )
      .describe('Refunds by cause, the most frequent first.'),
    failures: z
      .array(
        z.object({
          code: z.string().describe("The provider's code."),
          count: z.int().describe('Messages that failed with it.'),
        }),
      )
      .describe('Failures by code, the most frequent first; `none` and `other` are no codes.'),
    refused: z
      .array(
        z.object({
          code: z.string().describe('As in `/v1/sends/refusals`.'),
          count: z.int().describe('Sends that were refused with it.'),
        }),
      )
      .describe('Sends that were refused before a charge by code, the most frequent first.'),
    reservations: z
      .object({
        open: z.int().describe('Charges without a message or a refund; 1,000 at most.'),
        oldestAt: z.iso.datetime().nullable().describe('Time of the oldest one, or null.'),
      })
      .describe('A send has one for a second; the sweep closes what is older than 15 minutes.'),
  })
  .meta({ id: 'Overview' });

export const overviewQuery = z.object({
  hours: queryNumber(1, 168, 24).describe('Hours back, the present one included; 24 by default.'),
});

type Document = ActivityDocument | FailuresDocument | RefusedDocument;

const isMoney = (document: Document): document is ActivityDocument => document.billing !== null;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const refundsOf = ({ refunds }: ActivityDocument) => Object.values(refunds);

/** Failures, or refusals, with their codes. */
const countsOf = (documents: readonly Document[], name: 'failures' | 'refused') =>
  documents.flatMap((one) =>
    Object.entries((one as Partial<FailuresDocument & RefusedDocument>)[name] ?? {}),
  );

const figuresOf = (documents: readonly Document[]) => {
  const money = documents.filter(isMoney);
  const all = (name: 'failures' | 'refused') =>
    sum(countsOf(documents, name).map(([, count]) => count));
  return {
    sends: sum(money.map(({ sends }) => sends)),
    refunds: sum(money.flatMap(refundsOf).map(({ count }) => count)),
    failures: all('failures'),
    refused: all('refused'),
  };
};

const moneyOf = (documents: readonly ActivityDocument[]) => {
  const units = Map.groupBy(documents, ({ billing, currency }) =>
    billing === 'credits' ? 'credits' : currency,
  );
  return [...units].map(([unit, own]) => {
    const text = (amount: number) => (unit === 'credits' ? String(amount) : formatMicros(amount));
    return {
      unit,
      charged: text(sum(own.map(({ charged }) => charged))),
      refunded: text(sum(own.flatMap(refundsOf).map(({ amount }) => amount))),
    };
  });
};

/** Counts by name, the greatest first. */
const ranked = <Name extends string>(entries: readonly (readonly [Name, number])[]) => {
  const counts = new Map<Name, number>();
  for (const [name, count] of entries) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].sort(([, one], [, other]) => other - one);
};

const timeOf = (hour: string) => `${hour}:00:00.000Z`;

/** The figures of one account, or of all. */
export const overviewOf = async (
  models: ReadModels,
  accountId: string | undefined,
  { hours: count, now }: { hours: number; now: number },
): Promise<z.input<typeof Overview>> => {
  const starts = Array.from({ length: count }, (_, at) =>
    hourOf(new Date(now - (count - 1 - at) * HOUR_MS).toISOString()),
  );
  const readFrom = (at: number) =>
    models.find(activity, {
      where: {
        accountId: accountId ?? ALL_ACCOUNTS,
        hour: { gte: starts[at]!, lte: starts[Math.min(at + READ_HOURS, count) - 1]! },
      },
      order: { field: 'hour', direction: 'descending' },
      limit: DOCUMENTS_MAX,
    });
  const reads = starts.flatMap((_, at) => (at % READ_HOURS === 0 ? [readFrom(at)] : []));
  const [read, open] = await Promise.all([
    Promise.all(reads),
    models.find(reservations, {
      where: { ...isOpen, ...(accountId !== undefined && { accountId }) },
      order: { field: 'reservedAt', direction: 'ascending' },
      limit: OPEN_MAX,
    }),
  ]);
  const documents = read.flat();
  const byHour = Map.groupBy(documents, ({ hour }) => hour);
  const money = documents.filter(isMoney);
  const refunds = money.flatMap(({ refunds: own }) =>
    Object.entries(own).map(([cause, { count: times }]) => [cause as RefundWord, times] as const),
  );
  const codes = (name: 'failures' | 'refused') =>
    ranked(countsOf(documents, name)).map(([code, times]) => ({ code, count: times }));
  return {
    since: timeOf(starts[0]!),
    hours: starts.map((hour) => ({ hour: timeOf(hour), ...figuresOf(byHour.get(hour) ?? []) })),
    totals: figuresOf(documents),
    money: moneyOf(money),
    refunds: ranked(refunds).map(([cause, times]) => ({ cause, count: times })),
    failures: codes('failures'),
    refused: codes('refused'),
    reservations: { open: open.length, oldestAt: open[0]?.reservedAt ?? null },
  };
};

/** How the account does: sends, failures, refunds and spend by hour. */
export const overviewRoute = defineRoute({
  method: 'GET',
  path: '/v1/overview',
  access: 'key',
  scope: 'messages:read',
  summary: 'Show sends, failures, refunds and spend of the last hours',
  description:
    'Counted by hours of UTC, the present one included. `money` is empty for a key without the scope `credits:read`.',
  tags: ['Messages'],
  request: { query: overviewQuery },
  responses: { 200: Overview },
  errors: [],
  reads: [activity, reservations],
  async handle({ query: { hours } }, { key, models, now }) {
    const figures = await overviewOf(models, key.accountId, { hours, now });
    return hasScope(key, 'credits:read') ? figures : { ...figures, money: [] };
  },
});
