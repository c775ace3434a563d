import {
  type AccountFact,
  type AccountPaused,
  type MoneyFact,
  wasTaken,
} from '../../events/account.ts';
import type { FactOf } from '../../events/define.ts';
import { addPeriod, usageBy } from '../../shared/usage.ts';
import { addCharge, noCharges } from './recent-charges.ts';
import { type AccountBounds, type AccountState, isSameUnit, type KnownRefund } from './state.ts';

type Paused = FactOf<typeof AccountPaused>['data'];

/** Why the service has paused an account, in words for its owner and for administrators. */
export const pauseReasonOf = ({ count, day }: Pick<Paused, 'count' | 'day'>): string =>
  `the callers of ${count} sends on ${day} (UTC) hung up before the answer, so that their charges were given back although the messages went out`;

/** Buckets of 250 ms: a per-minute cap clears at most that late. */
export const windows = usageBy(250);

type DataOf<T extends AccountFact['type']> = Extract<AccountFact, { type: T }>['data'];

export const evolveAccount = (
  { refundsKept }: Pick<AccountBounds, 'refundsKept'>,
  state: AccountState,
  fact: AccountFact,
): AccountState => {
  const next = { ...state, revision: state.revision + 1 };
  switch (fact.type) {
    case 'AccountOpened': {
      const { organisationId, name, planId, billing, currency } = fact.data;
      return { ...next, opened: true, organisationId, name, planId, billing, currency };
    }
    case 'PlanAssigned': {
      const { planId, billing, currency } = fact.data;
      const kept = isSameUnit(state, fact.data);
      const charges = kept ? state.charges : noCharges;
      const balanceLow = kept ? state.balanceLow : null;
      return { ...next, planId, billing, currency, charges, balanceLow };
    }
    case 'LimitsSet': {
      const { perMinute, daily, monthly, paused } = fact.data;
      const limits = { perMinute, daily, monthly, paused };
      if (paused) return { ...next, limits };
      // An administrator who resumes an account has looked into it: the count begins at zero.
      return {
        ...next,
        limits,
        pausedFor: null,
        reversals: state.pausedFor ? [] : state.reversals,
      };
    }
    case 'AccountPaused': {
      const { reason, day, count } = fact.data;
      const limits = { ...state.limits, paused: true };
      return { ...next, limits, pausedFor: { reason, day, count } };
    }
    case 'BalanceThresholdSet':
      return { ...next, balanceLow: fact.data.threshold };
    case 'StrictSendingSet':
      return { ...next, strict: fact.data.strict };
    case 'DirectSendSet':
      return { ...next, directSend: fact.data.directSend };
    case 'SendingHoursSet': {
      const { timeZone, quietHours } = fact.data;
      return { ...next, timeZone, quietHours };
    }
    case 'BalanceFell':
    case 'SendsRefused':
      return next;
    case 'FreeWritesCounted': {
      const { day, bytes } = fact.data;
      return { ...next, freeWrites: addPeriod(state.freeWrites, day, bytes) };
    }
    case 'CreditsGranted':
    case 'CreditsRevoked':
    case 'WalletMoved':
      return { ...next, ...linked(fact) };
    case 'ChargeReserved':
      return { ...next, ...linked(fact), ...reserved(next, fact.data) };
    case 'ChargeRefunded':
      return { ...next, ...linked(fact), ...refunded(state, fact.data, refundsKept) };
    case 'RefundedSendCounted': {
      const { chargeId, reservedAt, at } = fact.data;
      return {
        ...next,
        usage: windows.addBack(state.usage, reservedAt, at),
        ...remember(state, { chargeId, counted: true }, refundsKept),
      };
    }
  }
};

const reserved = (next: AccountState, { at, amount }: DataOf<'ChargeReserved'>) => ({
  usage: windows.add(next.usage, at, 1),
  charges: addCharge(next.charges, at, -amount),
  chargedRevision: amount === 0 ? next.chargedRevision : next.revision,
});

const refunded = (state: AccountState, data: DataOf<'ChargeRefunded'>, kept: number) => {
  const { reservedAt, amount, chargeId, cause, at } = data;
  const counted = wasTaken(cause);
  const isReversal = cause === 'disconnected';
  return {
    usage: counted ? state.usage : windows.add(state.usage, reservedAt, -1),
    reversals: isReversal ? addPeriod(state.reversals, dayOf(at), 1) : state.reversals,
    charges: addCharge(state.charges, reservedAt, -amount),
    ...remember(state, { chargeId, counted }, kept),
  };
};

/** The UTC day of a time in ISO 8601. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The UTC month of a time in ISO 8601. */
export const monthOf = (at: string): string => at.slice(0, 7);

const linked = ({ data }: MoneyFact) => ({
  balance: data.balanceAfter,
  sequence: data.sequence,
});

const remember = (state: AccountState, known: Omit<KnownRefund, 'revision'>, kept: number) => {
  const others = state.refunds.filter(({ chargeId }) => chargeId !== known.chargeId);
  const refunds = [...others, { ...known, revision: state.revision + 1 }];
  if (refunds.length <= kept) return { refunds };
  return { refunds: refunds.slice(1), refundsForgottenRevision: refunds[0]!.revision };
};
