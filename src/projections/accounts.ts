import { type DirectSend, type MoneyFact, type QuietHours, wasTaken } from '../events/account.ts';
import type { Billing } from '../events/price.ts';
import type { Position, Recorded } from '../events/store.ts';
import {
  addPeriod,
  type Limits,
  noUsage,
  type Period,
  type Usage,
  type UsageCounts,
  usageBy,
} from '../shared/usage.ts';
import { defineProjection, type Handler } from './define.ts';

/** Whole seconds: a document is written often, and is to be small. */
const seconds = usageBy(1000);

export const { add: addUsage, addBack: addUsageBack } = seconds;

/** What an account's document shows of its usage at a moment. */
export const usageAt = ({ usage }: { usage: Usage }, nowMs: number): UsageCounts =>
  seconds.at(usage, nowMs);

/** An account with its balance, limits and usage. `usageAt` gives its usage at a moment. */
export interface AccountDocument {
  id: string;
  organisationId: string;
  name: string;
  planId: string;
  billing: Billing;
  currency: string;
  /** Credits, or millionths of the currency on a wallet plan. */
  balance: number;
  limits: Limits;
  /** Whether sends are strict where their body does not say it. */
  strict: boolean;
  directSend: DirectSend;
  /** Of recipients whose zone is not known: an IANA name. */
  timeZone: string;
  quietHours: QuietHours | null;
  /** The balance below which the owner is told, in the account's unit; null for none. */
  balanceLow: number | null;
  usage: Usage;
  /** UTC days with the bytes that were written to the log for free. */
  freeWrites: readonly Period[];
  /** Why the service paused the account; null when it did not. */
  pausedFor: { reason: 'disconnect_refunds'; day: string; count: number } | null;
  /** Personal data of months that ended so many months ago are erased; null keeps all. */
  contentRetentionMonths: number | null;
  /** The account's place among those with a retention; null without one. */
  retainedSince: Position | null;
  /** Revision of the account's stream that this document includes. */
  revision: number;
  createdAt: string;
  order: Position;
}

const accountId = (event: { data: { accountId: string } }) => event.data.accountId;

/** Changes an opened account, and its revision. */
const changed = <E extends Recorded & { data: { accountId: string } }>(
  change: (data: E['data'], account: AccountDocument) => Partial<AccountDocument>,
): Handler<AccountDocument, E> => ({
  key: accountId,
  fold: (account, { data, revision }) =>
    account && { ...account, ...change(data, account), revision },
});

const moved = changed<Recorded<MoneyFact>>(({ balanceAfter: balance }) => ({ balance }));

export const accounts = defineProjection<AccountDocument>({
  name: 'accounts',
  version: 12,
  indexes: [['organisationId', '-order'], ['-order'], ['retainedSince?']],
  words: ['organisationId'],
  on: {
    AccountOpened: {
      key: accountId,
      fold: (_, { data, meta, revision, position }) => ({
        id: data.accountId,
        organisationId: data.organisationId,
        name: data.name,
        planId: data.planId,
        billing: data.billing,
        currency: data.currency,
        balance: 0,
        limits: { perMinute: null, daily: null, monthly: null, paused: false },
        strict: false,
        directSend: 'off',
        timeZone: 'UTC',
        quietHours: null,
        balanceLow: null,
        usage: noUsage,
        freeWrites: [],
        pausedFor: null,
        contentRetentionMonths: null,
        retainedSince: null,
        revision,
        createdAt: meta.at,
        order: position,
      }),
    },
    PlanAssigned: changed(({ planId, billing, currency }, account) => ({
      planId,
      billing,
      currency,
      balanceLow:
        billing === account.billing && currency === account.currency ? account.balanceLow : null,
    })),
    BalanceThresholdSet: changed(({ threshold: balanceLow }) => ({ balanceLow })),
    StrictSendingSet: changed(({ strict }) => ({ strict })),
    SendingHoursSet: changed(({ timeZone, quietHours }) => ({ timeZone, quietHours })),
    DirectSendSet: changed(({ directSend }) => ({ directSend })),
    BalanceFell: changed(() => ({})),
    SendsRefused: changed(() => ({})),
    // In a stream of its own, whose revisions are not the account's.
    RetentionSet: {
      key: accountId,
      fold: (account, { data: { contentRetentionMonths }, position }) =>
        account && {
          ...account,
          contentRetentionMonths,
          retainedSince: contentRetentionMonths === null ? null : position,
        },
    },
    LimitsSet: changed(({ perMinute, daily, monthly, paused }, { pausedFor }) => ({
      limits: { perMinute, daily, monthly, paused },
      pausedFor: paused ? pausedFor : null,
    })),
    AccountPaused: changed(({ reason, day, count }, { limits }) => ({
      limits: { ...limits, paused: true },
      pausedFor: { reason, day, count },
    })),
    FreeWritesCounted: changed(({ day, bytes }, { freeWrites }) => ({
      freeWrites: addPeriod(freeWrites, day, bytes),
    })),
    CreditsGranted: moved,
    CreditsRevoked: moved,
    WalletMoved: moved,
    ChargeReserved: changed(({ balanceAfter: balance, at }, { usage }) => ({
      balance,
      usage: addUsage(usage, at, 1),
    })),
    ChargeRefunded: changed(({ balanceAfter: balance, cause, reservedAt }, { usage }) => ({
      balance,
      usage: wasTaken(cause) ? usage : addUsage(usage, reservedAt, -1),
    })),
    RefundedSendCounted: changed(({ reservedAt, at }, { usage }) => ({
      usage: addUsageBack(usage, reservedAt, at),
    })),
  },
});
