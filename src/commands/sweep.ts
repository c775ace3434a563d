import { type Clock, isoTime } from '../clock.ts';
import type { Lookups } from './lookups.ts';
import { type Refunds, reservationOf } from './refunds.ts';

/** A reservation with neither message nor refund is given back at this age. */
export const RESERVATION_AGE_MS = 15 * 60_000;
/**
 * Refunded together, right after it was seen that they are open. A status may claim a reservation
 * at any moment, so the shorter the list the better: what was open when it was read is, but for
 * milliseconds, open when it is refunded.
 */
const PAGE = 20;
/** Pages of one run; what is left waits for the next. */
const PAGES_MAX = 5000;

/**
 * Gives back what a crash left reserved. A rerun, or another instance at the same time, changes
 * nothing: a charge is refunded once.
 */
export const createSweep = (deps: {
  lookups: Pick<Lookups, 'openReservations'>;
  refunds: Refunds;
  clock: Clock;
}) => {
  const { lookups, refunds, clock } = deps;

  const giveBack = async (chargeId: string, requestId: string): Promise<boolean> => {
    const event = await refunds.find(chargeId);
    if (!event) return false;
    const { accountId } = event.data;
    return refunds.refund(accountId, reservationOf(event), 'expired', {
      requestId,
      accountId,
      cause: event.id,
    });
  };

  return {
    /** Resolves to the number of charges it gave back. */
    async run(requestId: string, signal?: AbortSignal): Promise<number> {
      const before = isoTime(clock.now() - RESERVATION_AGE_MS);
      let refunded = 0;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        if (signal?.aborted) return refunded;
        const open = await lookups.openReservations(before, PAGE);
        const done = await Promise.all(open.map((one) => giveBack(one.chargeId, requestId)));
        const settled = done.filter(Boolean).length;
        refunded += settled;
        if (open.length < PAGE || settled === 0) return refunded;
      }
      return refunded;
    },
  };
};

export type Sweep = ReturnType<typeof createSweep>;
