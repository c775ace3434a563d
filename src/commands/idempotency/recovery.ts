import type { KnownEvent } from '../../events/index.ts';
import { firstRevision, logPages, streamPages } from '../../events/paging.ts';
import type { Claim, EventReader, Position } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { type Refunds, type ReservedCharge, reservationOf } from '../account/refunds.ts';
import { RESERVATION_AGE_MS } from '../account/sweep.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Transmitted } from '../sending/transmitted.ts';
import { inProgress } from './request.ts';

type RefundedCharge = Extract<KnownEvent, { type: 'ChargeRefunded' }>;
type SentMessage = Extract<KnownEvent, { type: 'MessageSent' }>;

/** A charge that an earlier run of a request made, with its refund and its message. */
interface EarlierCharge {
  reserved: ReservedCharge;
  refunded: RefundedCharge | undefined;
  sent: SentMessage | undefined;
}

/** A request that this process is working on. */
interface Running {
  /** The stream of its claims. */
  stream: string;
  /** Whether it continues an earlier run that was interrupted. */
  resumed: boolean;
  beginsNothingAfterMs: number;
  /** Resolves when the reversal of its charge is over, if one has begun. */
  reversed?: () => Promise<void>;
  earlier?: Promise<readonly KnownEvent[]>;
  charges?: Promise<readonly EarlierCharge[]>;
}

export interface IdempotencyRecovery {
  /** Marks the request as being worked on until the returned function is called. */
  begin(workId: string, running: Omit<Running, 'reversed' | 'earlier' | 'charges'>): () => void;
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

/** A message is recorded with its send or recovered soon after; the search stops at this age. */
const RECORDED_WITHIN_MS = 2 * RESERVATION_AGE_MS;
const RETRY_AFTER_SECONDS = 30;

/** No message was sent, or it is known to have failed: the charge does not prevent a new send. */
const isSettled = ({ refunded }: EarlierCharge): boolean => refunded?.data.cause === 'not_sent';

/** Finds in the log what earlier runs wrote, by the id of their work. */
const createSearch = (store: EventReader) => {
  const claimedAt = async (stream: string, workId: string): Promise<Position> => {
    for await (const page of streamPages(store, stream)) {
      const first = (page as readonly KnownEvent[]).find(
        (event) => event.type === 'RequestClaimed' && event.data.workId === workId,
      );
      if (first) return first.position;
    }
    throw new Error(`no claim of ${workId} in ${stream}`);
  };

  /** The account's events that this work caused, and every refund of its charges. */
  const events = async (running: Running, workId: string, accountId: string) => {
    const stream = `account-${accountId}`;
    const charges = new Set<string>();
    const found: KnownEvent[] = [];
    const claimed = await claimedAt(running.stream, workId);
    const from = await firstRevision(store, stream, ({ position }) => position > claimed);
    for await (const page of streamPages(store, stream, { from })) {
      for (const event of page as readonly KnownEvent[]) {
        const ofWork = event.meta.claim?.id === workId;
        if (ofWork && event.type === 'ChargeReserved') charges.add(event.data.chargeId);
        const ofCharge = event.type === 'ChargeRefunded' && charges.has(event.data.chargeId);
        if (ofWork || ofCharge) found.push(event);
      }
    }
    return found;
  };

  /** Fills in the messages of the charges, reading the log from the first of them on. */
  const findSent = async (charges: readonly EarlierCharge[]): Promise<void> => {
    const wanted = new Map(
      charges.filter((one) => !isSettled(one)).map((one) => [one.reserved.data.chargeId, one]),
    );
    const [first] = wanted.values();
    const last = [...wanted.values()].at(-1);
    if (!first || !last) return;
    const until = Date.parse(last.reserved.data.at) + RECORDED_WITHIN_MS;
    for await (const { events } of logPages(store, first.reserved.position)) {
      for (const event of events as readonly KnownEvent[]) {
        if (event.type !== 'MessageSent') continue;
        const charge = wanted.get(event.data.chargeId);
        if (charge) charge.sent = event;
        wanted.delete(event.data.chargeId);
      }
      const newest = events.at(-1);
      if (wanted.size === 0 || (newest && Date.parse(newest.meta.at) > until)) return;
    }
  };

  const charges = async (found: readonly KnownEvent[]): Promise<readonly EarlierCharge[]> => {
    const byId = new Map<string, EarlierCharge>();
    for (const event of found) {
      if (event.type === 'ChargeReserved') {
        byId.set(event.data.chargeId, { reserved: event, refunded: undefined, sent: undefined });
      } else if (event.type === 'ChargeRefunded') {
        const charge = byId.get(event.data.chargeId);
        if (charge) charge.refunded = event;
      }
    }
    const all = [...byId.values()];
    await findSent(all);
    return all;
  };

  return { events, charges };
};

export const createIdempotencyRecovery = (deps: {
  store: EventReader;
  refunds: Pick<Refunds, 'refund'>;
  clock: Clock;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
}): IdempotencyRecovery => {
  const { store, refunds, monotonicMs } = deps;
  const search = createSearch(store);
  const byWork = new Map<string, Running>();

  const runningOf = (workId: string): Running => {
    const running = byWork.get(workId);
    if (!running || monotonicMs() > running.beginsNothingAfterMs) throw tookTooLong();
    return running;
  };

  const eventsOf = (running: Running, workId: string, accountId: string) => {
    running.earlier ??= search.events(running, workId, accountId);
    return running.earlier;
  };

  return {
    begin(workId, running) {
      const own = { ...running };
      byWork.set(workId, own);
      return () => {
        if (byWork.get(workId) === own) byWork.delete(workId);
      };
    },

    async sent(claim, context) {
      const running = runningOf(claim.id);
      if (!running.resumed) return undefined;
      running.charges ??= eventsOf(running, claim.id, context.accountId).then(search.charges);
      const charges = (await running.charges).filter(
        ({ reserved }) => reserved.meta.claim?.part === claim.part,
      );
      const done = charges.find((charge) => charge.sent);
      if (done) return transmittedOf(done);
      const open = charges.find(({ refunded }) => !refunded);
      // The message of a single send may still appear; the outcome is unknown until the sweep decides.
      if (open && claim.part === undefined) throw inProgress(RETRY_AFTER_SECONDS);
      // A batch must not wait for one recipient: its outcome counts as unknown.
      if (open) {
        const reservation = reservationOf(open.reserved);
        await refunds.refund(context.accountId, reservation, 'unknown_outcome', context);
      }
      if (charges.every(isSettled)) return undefined;
      throw new AppError(
        'provider.unknown_outcome',
        'The service stopped during the send: whether the message went out is not known',
      );
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

/** After so long another instance may have taken the work over. */
const tookTooLong = () =>
  new AppError('service.unavailable', 'The request took too long: nothing more was begun', {
    retryAfterSeconds: 60,
  });

/** The original result of the send, without a charge that was refunded since. */
const transmittedOf = ({ reserved, refunded, sent }: EarlierCharge): Transmitted => {
  const { chargeId, price, balanceAfter } = reserved.data;
  // In another unit by now, the account was given nothing back: the charge stays taken.
  const isGivenBack = refunded !== undefined && refunded.data.amount !== 0;
  const charge = isGivenBack
    ? {
        chargeId,
        price: { ...price, sellPrice: 0, creditsRequired: 0 },
        balanceAfter: refunded.data.balanceAfter,
      }
    : { chargeId, price, balanceAfter };
  return { messageId: sent!.data.messageId, charge, intent: sent!.data.intent };
};
