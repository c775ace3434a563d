import { type MoneyFact, wasTaken } from '../events/account.ts';
import type { Billing } from '../events/price.ts';
import type { Position, Recorded } from '../events/store.ts';
import { addPeriod, type Period } from '../shared/usage.ts';
import { defineProjection } from './define.ts';
import { addUsage, addUsageBack, noUsage, type Usage } from './usage.ts';

export { usageAt } from './usage.ts';

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
  limits: {
    perMinute: number | null;
    daily: number | null;
    monthly: number | null;
    paused: boolean;
  };
  usage: Usage;
  /** UTC days with the bytes that were written to the log for free. */
  freeWrites: readonly Period[];
  /** Why the service paused the account; null when it did not. */
  pausedFor: { reason: 'disconnect_refunds'; day: string; count: number } | null;
  /** Revision of the account's stream that this document includes. */
  revision: number;
  createdAt: string;
  order: Position;
}

const accountId = (event: { data: { accountId: string } }) => event.data.accountId;

const moved = {
  key: accountId,
  fold: (account: AccountDocument | undefined, { data, revision }: Recorded<MoneyFact>) =>
    account && { ...account, balance: data.balanceAfter, revision },
};

export const accounts = defineProjection<AccountDocument>({
  name: 'accounts',
  version: 5,
  indexes: [['organisationId', '-order'], ['-order']],
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
        usage: noUsage,
        freeWrites: [],
        pausedFor: null,
        revision,
        createdAt: meta.at,
        order: position,
      }),
    },
    PlanAssigned: {
      key: accountId,
      fold: (account, { data: { planId, billing, currency }, revision }) =>
        account && { ...account, planId, billing, currency, revision },
    },
    LimitsSet: {
      key: accountId,
      fold: (account, { data: { perMinute, daily, monthly, paused }, revision }) =>
        account && {
          ...account,
          limits: { perMinute, daily, monthly, paused },
          pausedFor: paused ? account.pausedFor : null,
          revision,
        },
    },
    AccountPaused: {
      key: accountId,
      fold: (account, { data: { reason, day, count }, revision }) =>
        account && {
          ...account,
          limits: { ...account.limits, paused: true },
          pausedFor: { reason, day, count },
          revision,
        },
    },
    FreeWritesCounted: {
      key: accountId,
      fold: (account, { data: { day, bytes }, revision }) =>
        account && { ...account, freeWrites: addPeriod(account.freeWrites, day, bytes), revision },
    },
    CreditsGranted: moved,
    CreditsRevoked: moved,
    WalletMoved: moved,
    ChargeReserved: {
      key: accountId,
      fold: (account, { data, revision }) =>
        account && {
          ...account,
          balance: data.balanceAfter,
          usage: addUsage(account.usage, data.at, 1),
          revision,
        },
    },
    ChargeRefunded: {
      key: accountId,
      fold: (account, { data, revision }) =>
        account && {
          ...account,
          balance: data.balanceAfter,
          usage: wasTaken(data.cause)
            ? account.usage
            : addUsage(account.usage, data.reservedAt, -1),
          revision,
        },
    },
    RefundedSendCounted: {
      key: accountId,
      fold: (account, { data: { reservedAt, at }, revision }) =>
        account && { ...account, usage: addUsageBack(account.usage, reservedAt, at), revision },
    },
  },
});
