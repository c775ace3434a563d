import type { RefundCause } from '../../events/account.ts';
import type { AppError } from '../../shared/errors.ts';
import { bytesOf } from '../account/free-bytes.ts';
import { type Refunds, reservationOf } from '../account/refunds.ts';
import type { AccountContext, Reserved } from './reserve.ts';
import type { SendsUnderWay } from './sends-under-way.ts';

/** Bytes that a reservation and its refund take in the log, beside the content of the message. */
const CHARGE_BYTES = 2_000;

/** Why a message does not go out. */
interface Failure {
  /** The error for the caller. */
  error: AppError;
  cause?: RefundCause;
  /** Whether the bytes of the reservation and its refund count as written for free. */
  countsAsFree?: boolean;
}

/** Gives charges back. */
export const createWayBack = (deps: {
  refunds: Pick<Refunds, 'refund'>;
  sends: Pick<SendsUnderWay, 'mayRecord'>;
  /** Called when a record or a refund could not be written; the sweep mends it later. */
  onLeftOpen: (what: string, chargeId: string, error: unknown) => void;
  /** Called with the bytes that were written for a message that was not sent. */
  onFree: (accountId: string, bytes: number) => void;
}) => {
  const giveBack = async (charge: Reserved, cause: RefundCause, context: AccountContext) => {
    try {
      await deps.refunds.refund(context.accountId, reservationOf(charge), cause, context);
    } catch (error) {
      deps.onLeftOpen('refund', charge.data.chargeId, error);
    }
  };

  return {
    giveBack,
    /**
     * Gives the charge of a message that does not go out back, then throws the error. A process that was
     * frozen for long leaves it to the sweep: a status may have given the charge a message meanwhile.
     */
    async giveUp(charge: Reserved, context: AccountContext, failure: Failure): Promise<never> {
      const { error, cause = 'not_sent', countsAsFree = false } = failure;
      const { outline, said } = charge.data;
      const bytes = bytesOf({ ...outline, ...said }) + CHARGE_BYTES;
      if (countsAsFree) deps.onFree(context.accountId, bytes);
      if (deps.sends.mayRecord(charge.data)) await giveBack(charge, cause, context);
      throw error;
    },
  };
};
