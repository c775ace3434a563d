import { StoreUnavailable } from '../../events/store.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Recoveries } from '../sending/recoveries.ts';
import { type Refunds, reservationOf } from './refunds.ts';
import type { StuckRefunds } from './stuck-refunds.ts';

/** A reservation with neither message nor refund is given back at this age. */
export const RESERVATION_AGE_MS = 15 * 60_000;
/**
 * Refunded together, right after it was seen that they are open: most of what was open when it was
 * read is then still open, and little is asked in vain.
 */
const PAGE = 20;
/** Pages of one run; what is left waits for the next. */
const PAGES_MAX = 5000;
/** Reservations that one run passes over because they could not be given back. */
const PASSED_OVER_MAX = 5000;

type OpenReservation = Awaited<ReturnType<Lookups['openReservations']>>[number];

/**
 * Gives back what a crash left reserved, unless a message has claimed it. A rerun, or another
 * instance at the same time, changes nothing: a charge is refunded once.
 */
export const createSweep = (deps: {
  lookups: Pick<Lookups, 'openReservations'>;
  refunds: Pick<Refunds, 'refund' | 'find'>;
  recoveries: Pick<Recoveries, 'expire' | 'settleClaims'>;
  clock: Clock;
  stuck: StuckRefunds;
}) => {
  const { lookups, refunds, recoveries, clock, stuck } = deps;
  /** Charges that the last whole run could not give back; some may be settled otherwise since. */
  let failedBefore = new Set<string>();
  let failedNow = new Set<string>();

  const endRun = () => {
    for (const chargeId of failedBefore.difference(failedNow)) stuck.settled(chargeId);
    failedBefore = failedNow;
  };

  /** False where it is open no longer, or cannot be given back now: no other account waits for it. */
  const giveBack = async (
    { accountId, chargeId }: OpenReservation,
    requestId: string,
  ): Promise<boolean> => {
    try {
      const event = await refunds.find(chargeId);
      if (!event) return false;
      const context = { requestId, accountId, cause: event.id };
      if (!(await recoveries.expire(event, context))) return false;
      return await refunds.refund(accountId, reservationOf(event), 'expired', context);
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
      await recoveries.settleClaims({ requestId }, signal);
      const before = isoTime(clock.now() - RESERVATION_AGE_MS);
      let refunded = 0;
      failedNow = new Set();
      /** Those that stay in the list although they had their turn. */
      const passedOver = new Set<string>();
      for (let page = 0; page < PAGES_MAX; page += 1) {
        if (signal?.aborted || passedOver.size > PASSED_OVER_MAX) return refunded;
        const open = await lookups.openReservations(before, PAGE + passedOver.size);
        const next = open.filter(({ chargeId }) => !passedOver.has(chargeId)).slice(0, PAGE);
        if (next.length === 0) {
          endRun();
          return refunded;
        }
        const done = await Promise.all(next.map((one) => giveBack(one, requestId)));
        for (const [index, isDone] of done.entries()) {
          if (isDone) refunded += 1;
          else passedOver.add(next[index]!.chargeId);
        }
      }
      return refunded;
    },
  };
};
