import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock.ts';
import type { RefundCause } from '../events/account.ts';
import type { KnownEvent } from '../events/index.ts';
import { type EventStore, StoreUnavailable } from '../events/store.ts';
import type { AccountDecider } from './account.ts';
import { RefundUndecidable } from './accountcharges.ts';
import type { Reservation } from './accountstate.ts';
import type { CommandContext } from './decider.ts';
import type { Writer } from './execute.ts';
import { locateCharge } from './identifiers.ts';
import type { Lookups } from './lookups.ts';

export type ReservedCharge = Extract<KnownEvent, { type: 'ChargeReserved' }>;

export interface Refunds {
  /** Gives a reservation back, once however often it is asked. Resolves true if this call did it. */
  refund(
    accountId: string,
    reservation: Reservation,
    cause: RefundCause,
    context: CommandContext,
  ): Promise<boolean>;
  /** The reservation that a charge id stands for; undefined when there is none. */
  find(chargeId: string): Promise<ReservedCharge | undefined>;
}

/** Pauses before a refund that the log could not take is tried again: about 10 s in all. */
const RETRY_AFTER_MS = [100, 300, 1000, 3000, 5000];

export const reservationOf = (event: ReservedCharge): Reservation => {
  const { chargeId, amount, reason, price, at } = event.data;
  return { chargeId, amount, reason, price, reservedAt: at, unrefundedAt: event.revision };
};

export const createRefunds = (deps: {
  writer: Writer;
  account: AccountDecider;
  store: EventStore;
  lookups: Pick<Lookups, 'refundOf'>;
  clock: Clock;
}): Refunds => {
  const { writer, account, store, lookups, clock } = deps;

  const attempt = async (
    accountId: string,
    reservation: Reservation,
    cause: RefundCause,
    context: CommandContext,
  ) => {
    const command = { type: 'Refund' as const, at: clock.now(), cause, reservation };
    const done = await writer.execute(account(accountId), accountId, command, context);
    return done.facts.length > 0;
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
    async refund(accountId, reservation, cause, context) {
      for (const delayMs of RETRY_AFTER_MS) {
        try {
          return await decided(accountId, reservation, cause, context);
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error;
          await pause(delayMs);
        }
      }
      return decided(accountId, reservation, cause, context);
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
