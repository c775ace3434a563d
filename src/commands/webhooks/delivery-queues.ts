import { inAccount } from '../../events/streams.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { Interrupted, pauseOrStop } from '../../shared/retry.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Unsettled } from '../core/reactor-checkpoints.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import type { Attempted } from './attempt.ts';
import { endpointDecider } from './endpoint.ts';
import { contextOf, type Delivery } from './ports.ts';

/** A delivery that waits for its next call holds up later ones of its contact for so long. */
const HOLD_MS_MAX = 60_000;

interface JobDeps {
  attempt: (delivery: Delivery) => Promise<Attempted | undefined>;
  clock: Clock;
  /** A delivery waits for its next call until then, in ms since 1970. */
  onRetry: (delivery: Delivery, nextAt: number) => void;
}

/** The deliveries with a number that are in memory. */
const createInHand = () => {
  const names = new Set<string>();
  const nameOf = (endpointId: string, number: number): string => `${endpointId}.${number}`;
  return {
    add: ({ endpointId, begun }: Delivery) => {
      if (begun) names.add(nameOf(endpointId, begun.number));
    },
    remove: ({ endpointId, begun }: Delivery) => {
      if (begun) names.delete(nameOf(endpointId, begun.number));
    },
    has: (endpointId: string, number: number): boolean => names.has(nameOf(endpointId, number)),
    /** Those of this moment. */
    now() {
      const copy = new Set(names);
      return {
        has: (endpointId: string, number: number): boolean => copy.has(nameOf(endpointId, number)),
      };
    },
  };
};

type InHand = ReturnType<typeof createInHand>;

/**
 * The work of a delivery, and a promise that resolves once the log knows of it. Its next call is made
 * from memory where it is due soon, so that later deliveries of its contact wait behind it.
 */
const deliveryJob = (first: Delivery, { attempt, clock, onRetry }: JobDeps, inHand: InHand) => {
  let delivery = first;
  let heldUntil: number | undefined;
  const recorded = Promise.withResolvers<void>();
  const end = () => {
    inHand.remove(delivery);
    recorded.resolve();
  };
  /** Where the attempt fails by a fault, the delivery is not in memory any more. */
  const attempted = async () => {
    try {
      return await attempt(delivery);
    } catch (error) {
      if (!(error instanceof Interrupted)) end();
      throw error;
    }
  };
  const work = async (): Promise<number | undefined> => {
    const made = await attempted();
    if (!made || made.nextAt === null) {
      end();
      return undefined;
    }
    const { begun, nextAt } = made;
    delivery = { ...delivery, begun };
    heldUntil ??= clock.now() + HOLD_MS_MAX;
    if (nextAt > heldUntil) {
      end();
      onRetry(delivery, nextAt);
      return undefined;
    }
    inHand.add(delivery);
    recorded.resolve();
    return nextAt;
  };
  return { work, recorded: recorded.promise };
};

/** Calls of one endpoint at a time: of live events, and of a replay beside them. */
const CALLS_MAX = 8;
const REPLAY_CALLS_MAX = 8;
/** Deliveries of one endpoint in memory, and of all of them; further ones wait in the log. */
const WAITING_PER_ENDPOINT = 200;
const WAITING_MAX = 4000;
const REPLAY_WAITING_MAX = 1000;
/** Records of deliveries for which there was no room. */
const DEFERRALS_PER_ENDPOINT = 500;
/** Pause before another attempt to offer a delivery for which there was no room. */
const FULL_PAUSE_MS = 50;

interface QueueDeps extends JobDeps {
  writer: Pick<Writer, 'execute'>;
  onFault: (error: unknown) => void;
}

/** Records that a delivery waits in the log. */
const defer = async (
  delivery: Delivery,
  { writer, clock }: QueueDeps,
  signal: AbortSignal,
): Promise<void> => {
  const { endpointId, accountId, source } = delivery;
  const command = {
    type: 'Defer' as const,
    endpointId,
    accountId,
    source,
    cause: 'no_room' as const,
    at: isoTime(clock.now()),
  };
  const execute = () =>
    writer.execute(endpointDecider, inAccount(accountId, endpointId), command, contextOf(delivery));
  await retryWhileUnavailable(execute, signal);
};

/**
 * The deliveries in memory. Each endpoint has places of its own, and the deliveries of one contact go
 * one after the other. None holds anything but the name of its event.
 */
export const createDeliveryQueues = (deps: QueueDeps, signal: AbortSignal) => {
  const { clock, onFault } = deps;
  const queueOf = (runningPerGroup: number, jobsPerGroup: number, jobs: number) =>
    createKeyedQueue({ runningPerGroup, jobsPerGroup, jobs, onFault });
  const live = queueOf(CALLS_MAX, WAITING_PER_ENDPOINT, WAITING_MAX);
  const replayed = queueOf(REPLAY_CALLS_MAX, WAITING_PER_ENDPOINT, REPLAY_WAITING_MAX);
  const deferrals = queueOf(DEFERRALS_PER_ENDPOINT, DEFERRALS_PER_ENDPOINT, WAITING_MAX);
  const inHand = createInHand();

  const offerTo = (queue: typeof live, delivery: Delivery): Unsettled | undefined => {
    const { work, recorded } = deliveryJob(delivery, deps, inHand);
    const job = { group: delivery.endpointId, key: delivery.source.orderKey, work };
    const queued = queue.offer(job);
    if (!queued) return undefined;
    inHand.add(delivery);
    // A job that failed by a fault is over too.
    return { settled: Promise.race([recorded, queued.settled]) };
  };

  const inTurn = async (offer: () => Unsettled | undefined): Promise<Unsettled> => {
    for (;;) {
      const offered = offer();
      if (offered) return offered;
      await pauseOrStop(FULL_PAUSE_MS, signal);
    }
  };

  return {
    inHand,
    /** Undefined where there is no room. */
    offer: (delivery: Delivery): Unsettled | undefined => offerTo(live, delivery),
    /** Waits for room among replayed deliveries. Throws Interrupted at the stop. */
    offerReplayed: (delivery: Delivery): Promise<Unsettled> =>
      inTurn(() => offerTo(replayed, delivery)),
    /** Puts the delivery into the log, to wait there. */
    defer(delivery: Delivery): Promise<Unsettled> {
      const { endpointId: group, source } = delivery;
      const work = () => defer(delivery, deps, signal);
      return inTurn(() => deferrals.offer({ group, key: source.orderKey, work }));
    },
    wake(): void {
      live.wake(clock.now());
      replayed.wake(clock.now());
    },
    async drain(): Promise<void> {
      await Promise.all([live.drain(), replayed.drain(), deferrals.drain()]);
    },
  };
};

export type DeliveryQueues = ReturnType<typeof createDeliveryQueues>;
