import type { AccountPaused, RefundCause } from '../../events/account.ts';
import type { FactOf } from '../../events/define.ts';
import type { KnownEvent } from '../../events/index.ts';
import { planBounds } from '../../events/pricing.ts';
import { type EventStore, StoreUnavailable } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { retry } from '../../shared/retry.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { locateCharge } from '../core/identifiers.ts';
import type { Lookups } from '../core/lookups.ts';
import type { AccountDecider } from './account.ts';
import { RefundUndecidable } from './refund-charge.ts';
import type { Reservation } from './state.ts';

type Paused = FactOf<typeof AccountPaused>['data'];
export type ReservedCharge = Extract<KnownEvent, { type: 'ChargeReserved' }>;

export interface Refunds {
  /** Gives a reservation back, once however often it is asked. Resolves true if this call did it. */
  refund(
    accountId: string,
    reservation: Reservation,
    cause: RefundCause,
    context: CommandContext,
  ): Promise<boolean>;
  /**
   * Counts the message of a charge in the caps, where the charge was refunded as if nothing had
   * gone out. Counts once, however often it is called.
   */
  countSent(charge: ReservedCharge, context: CommandContext): Promise<void>;
  /** The reservation that a charge id stands for; undefined when there is none. */
  find(chargeId: string): Promise<ReservedCharge | undefined>;
}

/** Pauses before a refund that the log could not take is tried again: about 10 s in all. */
export const RETRY_AFTER_MS = [100, 300, 1000, 3000, 5000];

export const reservationOf = ({
  data,
  revision,
}: Pick<ReservedCharge, 'data' | 'revision'>): Reservation => {
  const { chargeId, amount, reason, price, at } = data;
  return { chargeId, amount, reason, price, reservedAt: at, unrefundedAt: revision };
};

export const createRefunds = (deps: {
  writer: Writer;
  account: AccountDecider;
  store: EventStore;
  lookups: Pick<Lookups, 'refundOf' | 'account' | 'plan'>;
  clock: Clock;
  /** The charge of a message that went out was given back, because its caller had hung up. */
  onReversed: (accountId: string, chargeId: string) => void;
  /** That happened so often that the account was paused. */
  onPaused: (paused: Paused) => void;
  /** Shorter ones, for tests. */
  retryAfterMs?: readonly number[];
}): Refunds => {
  const { writer, account, store, lookups, clock } = deps;

  /** A refund does not wait for read models that are away. */
  const reversalsMaxOf = async (accountId: string): Promise<number | null> => {
    try {
      const known = await lookups.account(accountId);
      const plan = known && (await lookups.plan(known.planId));
      return (plan ?? planBounds).disconnectRefundsPerDay;
    } catch (error) {
      if (error instanceof StoreUnavailable) return planBounds.disconnectRefundsPerDay;
      throw error;
    }
  };

  const attempt = async (
    accountId: string,
    reservation: Reservation,
    cause: RefundCause,
    context: CommandContext,
  ) => {
    const isReversal = cause === 'disconnected';
    const reversalsMax = isReversal ? await reversalsMaxOf(accountId) : null;
    const command = {
      ...{ type: 'Refund' as const, at: clock.now() },
      ...{ cause, reservation, reversalsMax },
    };
    const { facts } = await writer.execute(account(accountId), accountId, command, context);
    if (isReversal && facts.length > 0) deps.onReversed(accountId, reservation.chargeId);
    for (const fact of facts) if (fact.type === 'AccountPaused') deps.onPaused(fact.data);
    return facts.length > 0;
  };

  const decided: Refunds['refund'] = async (accountId, reservation, cause, context) => {
    try {
      return await attempt(accountId, reservation, cause, context);
    } catch (error) {
      if (!(error instanceof RefundUndecidable)) throw error;
      const known = await lookups.refundOf(accountId, reservation.chargeId);
      if (known.refunded) return false;
      const later = { ...reservation, unrefundedAt: known.asOfRevision };
      return attempt(accountId, later, cause, context);
    }
  };

  return {
    refund(accountId, reservation, cause, context) {
      return retry(() => decided(accountId, reservation, cause, context), {
        delays: deps.retryAfterMs ?? RETRY_AFTER_MS,
        while: (error) => error instanceof StoreUnavailable,
      });
    },
    async countSent({ data, revision }, context) {
      const { accountId, chargeId, at: reservedAt } = data;
      const count = async (uncounted: boolean, asOfRevision: number) => {
        const charge = { at: clock.now(), chargeId, reservedAt };
        const command = {
          ...{ type: 'CountRefundedSend' as const, ...charge },
          ...{ uncounted, asOfRevision },
        };
        await writer.execute(account(accountId), accountId, command, context);
      };
      try {
        await count(false, revision);
      } catch (error) {
        if (!(error instanceof RefundUndecidable)) throw error;
        const known = await lookups.refundOf(accountId, chargeId);
        await count(known.refunded && !known.counted, known.asOfRevision);
      }
    },
    async find(chargeId) {
      const place = locateCharge(chargeId);
      if (!place) return undefined;
      const stream = `account-${place.accountId}`;
      const [event] = (await store.read(stream, {
        from: place.revision,
        limit: 1,
      })) as KnownEvent[];
      const found = event?.type === 'ChargeReserved' && event.data.chargeId === chargeId;
      return found ? event : undefined;
    },
  };
};
