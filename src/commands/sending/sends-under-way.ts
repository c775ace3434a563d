import type { Clock } from '../../shared/clock.ts';
import type { Term } from '../core/lease.ts';

/** Time from a reservation to the call of the provider. */
const PREPARES_WITHIN_MS = 120_000;
/** Time for all attempts to record an accepted message. */
const RECORDS_WITHIN_MS = 60_000;
/** Covers clocks that differ between instances, and an append that is on its way. */
const MARGIN_MS = 30_000;

/** A charge as its reservation tells of it. */
interface Charge {
  accountId: string;
  chargeId: string;
  /** When it was reserved, ISO 8601. */
  at: string;
}

/**
 * Which sends may still write a record of their message. A recovered record, and the refund of an
 * open reservation, must wait until the send of that charge is over: then nothing but the recovery
 * can give the charge a message.
 *
 * A process that alone writes the log knows its sends exactly. Several processes keep to a time
 * limit: each send measures itself against it, and the others wait for it and a margin. The limit
 * stays below the 15 minutes of the sweep for every provider time-out that the settings allow.
 */
export const createSendsUnderWay = (deps: {
  clock: Clock;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
  /** Whether no other process can write to the log. */
  soleWriter: boolean;
  /** For one call of the provider, all its waiting and retries included. */
  providerTimeoutMs: number;
}) => {
  const { clock, monotonicMs, soleWriter, providerTimeoutMs } = deps;
  const recordsUntilMs = PREPARES_WITHIN_MS + providerTimeoutMs + RECORDS_WITHIN_MS;
  /** Reservations that are being written, by account. */
  const reserving = new Map<string, Set<Promise<unknown>>>();
  /** When each send of this process began, and the term of its request, by its charge. */
  const begun = new Map<string, { atMs: number; term: Term | undefined }>();
  const reversals = new Set<Promise<void>>();
  const stopping = new AbortController();

  const isWithin = ({ chargeId, at }: Charge, limitMs: number): boolean => {
    if (soleWriter) return true;
    // A process can be frozen, and a wall clock be set: the longer time counts.
    const elapsedMs = monotonicMs() - (begun.get(chargeId)?.atMs ?? monotonicMs());
    return Math.max(elapsedMs, clock.now() - Date.parse(at)) <= limitMs;
  };

  return {
    /**
     * Waits for the reservation, and counts its send as under way until `end`. The process that goes on with
     * its request after the term looks for reservations then. So a look at the term after the
     * reservation is enough for one message, however long this process was frozen before.
     */
    async begin<T extends { data: { chargeId: string } }>(
      accountId: string,
      reservation: Promise<T>,
      term?: Term,
    ) {
      const atMs = soleWriter ? 0 : monotonicMs();
      const making = reservation.then((made) => {
        begun.set(made.data.chargeId, { atMs, term });
        return made;
      });
      const others = reserving.get(accountId) ?? new Set();
      reserving.set(accountId, others.add(making));
      try {
        return await making;
      } finally {
        others.delete(making);
        if (others.size === 0) reserving.delete(accountId);
      }
    },
    end(chargeId: string): void {
      begun.delete(chargeId);
    },
    /** A charge is being given back because its caller hung up. Nothing else would do it later. */
    reversing(reversal: Promise<void>): void {
      reversals.add(reversal);
      const end = () => reversals.delete(reversal);
      reversal.then(end, end);
    },
    /** Fires when the service stops. */
    stopping: stopping.signal,
    /** The service stops: resolves when the reversals that have begun are over, some seconds at most. */
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.allSettled(reversals);
    },

    /** Whether there is time to call the provider. */
    mayCall: (charge: Charge): boolean =>
      (begun.get(charge.chargeId)?.term?.mayBegin() ?? true) &&
      isWithin(charge, PREPARES_WITHIN_MS),
    /** Whether the record may still be written. */
    mayRecord: (charge: Charge): boolean =>
      (begun.get(charge.chargeId)?.term?.mayRecord() ?? true) && isWithin(charge, recordsUntilMs),

    /** Whether the send of a charge in the log may be under way in any process. */
    async mayBeUnderWay({ accountId, chargeId, at }: Charge): Promise<boolean> {
      // A reservation is in the log a moment before its send knows the charge.
      await Promise.allSettled(reserving.get(accountId) ?? []);
      if (begun.has(chargeId)) return true;
      return !soleWriter && clock.now() - Date.parse(at) < recordsUntilMs + MARGIN_MS;
    },
  };
};

export type SendsUnderWay = ReturnType<typeof createSendsUnderWay>;
