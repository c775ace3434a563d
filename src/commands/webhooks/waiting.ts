import type { Clock } from '../../shared/clock.ts';
import type { Unsettled } from '../core/unsettled.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { Delivery, WebhookLookups } from './ports.ts';

/** Deliveries that are read at one time. */
const PAGE = 50;
/** Endpoints whose deliveries are looked for at one time. */
const LOOKS_MAX = 16;
/** Ticks without a look after one that failed or found no room. */
const RESTING_TICKS = 10;

type OfEndpoint = Pick<Delivery, 'endpointId' | 'accountId'>;

interface WaitingDeps {
  lookups: Pick<WebhookLookups, 'reachHead' | 'waiting'>;
  queues: Pick<DeliveryQueues, 'offer' | 'inHand'>;
  isActive: (accountId: string, endpointId: string) => boolean;
  clock: Clock;
  onFailure: (error: unknown) => void;
}

/** An endpoint for which something waits. */
interface Lane {
  accountId: string;
  /**
   * Some deliveries wait because there was no room: later events of the endpoint go behind them into the
   * log, so that a contact's stay in order.
   */
  lags: boolean;
  /** How often a delivery was put into the log, and how many of these are not recorded yet. */
  deferred: number;
  pending: number;
  /** When to look, in ms since 1970. */
  lookAt: number;
  looks: boolean;
  restingTicks: number;
}

const NEVER = Number.POSITIVE_INFINITY;

/** Takes those that are due, until there is no room: then `next` is undefined, else the time of the next one. */
const takeDue = async (endpointId: string, { lookups, queues, clock }: WaitingDeps) => {
  const before = queues.inHand.now();
  // A delivery that was settled before is not found.
  await lookups.reachHead();
  for (let after = ''; ; ) {
    const page = await lookups.waiting({ endpointId, after, limit: PAGE });
    for (const { due: place, dueAt, ...delivery } of page) {
      after = place;
      if (dueAt > clock.now()) return dueAt;
      const { number } = delivery.begun;
      if (before.has(endpointId, number) || queues.inHand.has(endpointId, number)) continue;
      if (!queues.offer(delivery)) return undefined;
    }
    if (page.length < PAGE) return NEVER;
  }
};

const look = async (endpointId: string, lane: Lane, deps: WaitingDeps): Promise<void> => {
  const { deferred, pending } = lane;
  lane.lookAt = NEVER;
  try {
    const next = await takeDue(endpointId, deps);
    // What was put into the log before is in memory now, where later deliveries queue up behind it.
    const isOver = next !== undefined && pending === 0 && lane.deferred === deferred;
    if (isOver) lane.lags = false;
    lane.lookAt = Math.min(lane.lookAt, isOver ? next : deps.clock.now());
    if (next === undefined) lane.restingTicks = RESTING_TICKS;
  } catch (error) {
    deps.onFailure(error);
    lane.lookAt = deps.clock.now();
    lane.restingTicks = RESTING_TICKS;
  } finally {
    lane.looks = false;
  }
};

/** Whether to look now. Counts the ticks of a rest. */
const mayLook = (lane: Lane, now: number): boolean => {
  if (lane.looks) return false;
  if (lane.restingTicks === 0) return lane.lookAt <= now;
  lane.restingTicks -= 1;
  return false;
};

/**
 * Takes the deliveries that wait in the log into memory when they are due. The read models know them;
 * each look waits until these have seen the log, so that it finds nothing that is settled.
 */
export const createWaiting = (deps: WaitingDeps) => {
  const { isActive, clock } = deps;
  const lanes = new Map<string, Lane>();
  const looking = new Set<Promise<void>>();

  const laneOf = ({ endpointId, accountId }: OfEndpoint): Lane => {
    const known = lanes.get(endpointId);
    if (known) return known;
    const idle = { lags: false, deferred: 0, pending: 0, looks: false, restingTicks: 0 };
    const lane: Lane = { accountId, ...idle, lookAt: NEVER };
    lanes.set(endpointId, lane);
    return lane;
  };

  /** Something waits for the endpoint, until then. */
  const expect = (delivery: OfEndpoint, at: number): Lane => {
    const lane = laneOf(delivery);
    lane.lookAt = Math.min(lane.lookAt, at);
    return lane;
  };

  return {
    expect,
    /** Whether events of the endpoint have to go behind others in the log. */
    lags: (endpointId: string): boolean => lanes.get(endpointId)?.lags ?? false,
    /** Some delivery waited before this process started: later events go behind it. */
    begin(delivery: OfEndpoint): void {
      expect(delivery, clock.now()).lags = true;
    },
    /** A delivery goes into the log because there is no room. */
    async deferring(delivery: Delivery, defer: () => Promise<Unsettled>): Promise<Unsettled> {
      const lane = laneOf(delivery);
      lane.lags = true;
      lane.deferred += 1;
      lane.pending += 1;
      const deferral = await defer();
      const done = () => {
        lane.pending -= 1;
        expect(delivery, clock.now());
      };
      deferral.settled.then(done, done);
      return deferral;
    },
    /** Looks where something is due. Called every moment. */
    tick(): void {
      for (const [endpointId, lane] of lanes) {
        const isOver = lane.lookAt === NEVER && !lane.lags;
        const isIdle = !lane.looks && lane.pending === 0;
        if (isIdle && (isOver || !isActive(lane.accountId, endpointId))) lanes.delete(endpointId);
        else if (looking.size < LOOKS_MAX && mayLook(lane, clock.now())) {
          lane.looks = true;
          const running = look(endpointId, lane, deps).finally(() => looking.delete(running));
          looking.add(running);
        }
      }
    },
    async drain(): Promise<void> {
      await Promise.all(looking);
    },
  };
};
