import { StoreUnavailable } from '../../events/store.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Recovery } from '../sending/recovery.ts';
import type { Refunds } from './refunds.ts';
import type { StuckRefunds } from './stuck-refunds.ts';

/** Age at which a reservation with neither message nor refund is refunded. */
export const RESERVATION_AGE_MS = 15 * 60_000;
/** Reservations that are read, then refunded together: few, so that most of them are still open. */
const PAGE = 20;
/** Pages of one run; the next run takes the rest. */
const PAGES_MAX = 5000;
/** Reservations that one run may skip because they could not be refunded. */
const PASSED_OVER_MAX = 5000;

type OpenReservation = Awaited<ReturnType<Lookups['openReservations']>>[number];

/**
 * Refunds the reservations that a crash left open, unless a message has claimed them. Repeated or
 * concurrent runs change nothing: a charge is refunded once.
 */
export const createSweep = (deps: {
  lookups: Pick<Lookups, 'openReservations'>;
  refunds: Pick<Refunds, 'find'>;
  recovery: Pick<Recovery, 'refundOpen' | 'settleChargeClaims'>;
  clock: Clock;
  stuck: StuckRefunds;
}) => {
  const { lookups, refunds, recovery, clock, stuck } = deps;
  /** Charges that the last complete run could not refund; some may have been settled since. */
  let failedBefore = new Set<string>();
  let failedNow = new Set<string>();

  const endRun = () => {
    for (const chargeId of failedBefore.difference(failedNow)) stuck.settled(chargeId);
    failedBefore = failedNow;
  };

  /** False when the charge is settled already or cannot be refunded now. */
  const refundOpen = async (
    { accountId, chargeId }: OpenReservation,
    requestId: string,
  ): Promise<boolean> => {
    try {
      const event = await refunds.find(chargeId);
      if (!event) return false;
      const context = { requestId, accountId, cause: event.id };
      return await recovery.refundOpen(event, context);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      failedNow.add(chargeId);
      stuck.failed(accountId, chargeId, error);
      return false;
    }
  };

  return {
    /** Resolves to the number of charges it gave back. */
    async run(requestId: string, signal?: AbortSignal): Promise<number> {
      await recovery.settleChargeClaims({ requestId, countsAsFree: false }, signal);
      const before = isoTime(clock.now() - RESERVATION_AGE_MS);
      let refunded = 0;
      failedNow = new Set();
      /** Charges that stay open although this run has tried them. */
      const passedOver = new Set<string>();
      for (let page = 0; page < PAGES_MAX; page += 1) {
        if (signal?.aborted || passedOver.size > PASSED_OVER_MAX) return refunded;
        const open = await lookups.openReservations(before, PAGE + passedOver.size);
        const next = open.filter(({ chargeId }) => !passedOver.has(chargeId)).slice(0, PAGE);
        if (next.length === 0) {
          endRun();
          return refunded;
        }
        const done = await Promise.all(next.map((one) => refundOpen(one, requestId)));
        for (const [index, isDone] of done.entries()) {
          if (isDone) refunded += 1;
          else passedOver.add(next[index]!.chargeId);
        }
      }
      return refunded;
    },
  };
};
