import type { KnownEvent } from '../../events/index.ts';
import type { Claim, EventReader } from '../../events/store.ts';
import { AppError } from '../../shared/errors.ts';
import { type Refunds, reservationOf } from '../account/refunds.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { recoveryDecider } from '../sending/recovery.ts';
import type { Transmitted } from '../sending/transmitted.ts';
import {
  type EarlierCharge,
  isSettled,
  readEarlierCharges,
  readEarlierEvents,
  transmittedOf,
} from './earlier-runs.ts';
import { erased, inProgress } from './request.ts';

/** A request that this process has claimed. */
interface ClaimedRequest {
  /** The stream of its claims. */
  stream: string;
  /** Whether it continues an earlier run that was interrupted. */
  resumed: boolean;
  beginsNothingAfterMs: number;
}

interface Running extends ClaimedRequest {
  /** Resolves when the reversal of its charge is over, if one has begun. */
  reversed?: () => Promise<void>;
  earlier?: Promise<readonly KnownEvent[]>;
  charges?: Promise<readonly EarlierCharge[]>;
}

export interface IdempotencyRecovery {
  /** Marks the request as being worked on until the returned function is called. */
  begin(workId: string, request: ClaimedRequest): () => void;
  /**
   * The message that an earlier run of this request, or of this part of it, sent. Undefined when it
   * sent none: the message may be sent now. Throws while the outcome is unknown.
   */
  sent(
    claim: Claim,
    context: CommandContext & { accountId: string },
  ): Promise<Transmitted | undefined>;
  /** Says that a hang-up during this run reverses a charge. */
  reversible(claim: Claim, reversed: () => Promise<void>): void;
  /** Resolves when the log holds the refund of a hang-up during this run. */
  reversed(workId: string): Promise<void>;
  /** Id of the ledger row that an earlier run wrote; undefined when it wrote none. */
  moved(claim: Claim, accountId: string): Promise<string | undefined>;
  /** Whether an earlier run wrote to this short stream. */
  wrote(claim: Claim, stream: string): Promise<boolean>;
}

const RETRY_AFTER_SECONDS = 30;

interface Deps {
  store: EventReader;
  writer: Pick<Writer, 'load'>;
  refunds: Pick<Refunds, 'refund' | 'countSent'>;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
}

/** The message of these charges. Undefined when a new send may begin; throws while it may not. */
const sentBefore = async (
  { refunds, writer }: Pick<Deps, 'refunds' | 'writer'>,
  charges: readonly EarlierCharge[],
  claim: Claim,
  context: CommandContext & { accountId: string },
): Promise<Transmitted | undefined> => {
  const isErased = ({ reserved, sent }: EarlierCharge) =>
    reserved.isErased || (sent && (sent.isErased || sent.data.messageId === null));
  if (charges.some(isErased)) throw erased();
  const done = charges.find((charge) => charge.sent);
  if (done) return transmittedOf(done);
  const open = charges.find(({ refunded }) => !refunded);
  // The message of a single send may still appear; the outcome is unknown until the sweep decides.
  if (open && claim.part === undefined) throw inProgress(RETRY_AFTER_SECONDS);
  // A batch must not wait for one recipient: its outcome counts as unknown.
  if (open) {
    const reservation = reservationOf(open.reserved);
    await refunds.refund(context.accountId, reservation, 'unknown_outcome', context);
    // A status that gave the charge a message before the refund has counted it as not refunded.
    const { state } = await writer.load(recoveryDecider, reservation.chargeId);
    if (state.matched) await refunds.countSent(open.reserved, context);
  }
  if (charges.every(isSettled)) return undefined;
  throw new AppError(
    'provider.unknown_outcome',
    'The service stopped during the send: whether the message went out is not known',
  );
};

export const createIdempotencyRecovery = (deps: Deps): IdempotencyRecovery => {
  const { store, monotonicMs } = deps;
  const byWork = new Map<string, Running>();

  const runningOf = (workId: string): Running => {
    const running = byWork.get(workId);
    if (!running || monotonicMs() > running.beginsNothingAfterMs) throw tookTooLong();
    return running;
  };

  const eventsOf = (running: Running, id: string, accountId: string) => {
    running.earlier ??= readEarlierEvents(store, { id, claims: running.stream, accountId });
    return running.earlier;
  };

  const chargesOf = async (running: Running, claim: Claim, accountId: string) => {
    running.charges ??= eventsOf(running, claim.id, accountId).then((events) =>
      readEarlierCharges(store, events),
    );
    const charges = await running.charges;
    return charges.filter(({ reserved }) => reserved.meta.claim?.part === claim.part);
  };

  return {
    begin(workId, request) {
      const running = { ...request };
      byWork.set(workId, running);
      return () => {
        if (byWork.get(workId) === running) byWork.delete(workId);
      };
    },

    async sent(claim, context) {
      const running = runningOf(claim.id);
      if (!running.resumed) return undefined;
      const charges = await chargesOf(running, claim, context.accountId);
      return sentBefore(deps, charges, claim, context);
    },

    reversible(claim, reversed) {
      const running = byWork.get(claim.id);
      if (running) running.reversed = reversed;
    },

    async reversed(workId) {
      await byWork.get(workId)?.reversed?.();
    },

    async moved(claim, accountId) {
      const running = runningOf(claim.id);
      if (!running.resumed) return undefined;
      const [event] = await eventsOf(running, claim.id, accountId);
      return event && 'entryId' in event.data ? event.data.entryId : undefined;
    },

    async wrote(claim, stream) {
      if (!runningOf(claim.id).resumed) return false;
      const events = await store.read(stream);
      return events.some(({ meta }) => meta.claim?.id === claim.id);
    },
  };
};

/** After this time another instance may continue the request. */
const tookTooLong = () =>
  new AppError('service.unavailable', 'The request took too long: nothing more was begun', {
    retryAfterSeconds: 60,
  });
