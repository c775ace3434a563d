import { isoTime } from '../../shared/clock.ts';
import { pauseOrStop } from '../../shared/retry.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import type { Unsettled } from '../core/unsettled.ts';
import { createInHand, deliveryJob, type JobDeps } from './delivery-job.ts';
import { endpointDecider } from './endpoint.ts';
import { contextOf, type Delivery } from './ports.ts';

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
  const execute = () => writer.execute(endpointDecider, endpointId, command, contextOf(delivery));
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
