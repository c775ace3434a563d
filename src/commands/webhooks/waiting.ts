import type { Clock } from '../../shared/clock.ts';
import type { Unsettled } from '../core/reactor-checkpoints.ts';
import { createTimers, NEVER, takeDue } from '../core/timers.ts';
import type { DeliveryQueues } from './delivery-queues.ts';
import type { Delivery, WaitingDelivery, WebhookLookups } from './ports.ts';

type OfEndpoint = Pick<Delivery, 'endpointId' | 'accountId'>;

interface WaitingDeps {
  lookups: Pick<WebhookLookups, 'reachHead' | 'waiting'>;
  queues: Pick<DeliveryQueues, 'offer' | 'inHand'>;
  isActive: (accountId: string, endpointId: string) => boolean;
  clock: Clock;
  onFailure: (error: unknown) => void;
}

/** An endpoint for which something waits. */
interface Waits {
  accountId: string;
  /**
   * Some deliveries wait because there was no room: later events of the endpoint go behind them into the
   * log, so that a contact's stay in order.
   */
  lags: boolean;
  /** How often a delivery was put into the log, and how many of these are not recorded yet. */
  deferred: number;
  pending: number;
}

/**
 * Takes the deliveries that wait in the log into memory when they are due. The read models know them;
 * each look waits until these have seen the log, so that it finds nothing that is settled.
 */
export const createWaiting = (deps: WaitingDeps) => {
  const { lookups, queues, isActive, clock, onFailure } = deps;
  const known = new Map<string, Waits>();

  const take = async (endpointId: string): Promise<number | undefined> => {
    const waits = known.get(endpointId);
    if (!waits) return NEVER;
    const { deferred, pending, accountId } = waits;
    if (!isActive(accountId, endpointId)) {
      // Where it is enabled again, it starts from the beginning.
      if (pending === 0) known.delete(endpointId);
      return NEVER;
    }
    const next = await takeDue<WaitingDelivery>(endpointId, {
      rows: lookups,
      until: clock.now(),
      inHand() {
        const before = queues.inHand.now();
        return ({ begun: { number } }) =>
          before.has(endpointId, number) || queues.inHand.has(endpointId, number);
      },
      offer: ({ due: _, dueAt: __, ...delivery }) => queues.offer(delivery) !== undefined,
    });
    if (next === undefined) return undefined;
    // What was put into the log before is in memory now, where later deliveries queue up behind it.
    if (pending > 0 || waits.deferred !== deferred) return clock.now();
    waits.lags = false;
    return next;
  };
  const timers = createTimers({ take, clock, onFailure });

  const waitsOf = ({ endpointId, accountId }: OfEndpoint): Waits => {
    const found = known.get(endpointId);
    if (found) return found;
    const waits = { accountId, lags: false, deferred: 0, pending: 0 };
    known.set(endpointId, waits);
    return waits;
  };

  /** Something waits for the endpoint, until then. */
  const expect = (delivery: OfEndpoint, at: number): Waits => {
    timers.expect(delivery.endpointId, at);
    return waitsOf(delivery);
  };

  return {
    expect,
    /** Whether events of the endpoint have to go behind others in the log. */
    lags: (endpointId: string): boolean => known.get(endpointId)?.lags ?? false,
    /** Some delivery waited before this process started: later events go behind it. */
    begin(delivery: OfEndpoint): void {
      expect(delivery, clock.now()).lags = true;
    },
    /** A delivery goes into the log because there is no room. */
    async deferring(delivery: Delivery, defer: () => Promise<Unsettled>): Promise<Unsettled> {
      const waits = waitsOf(delivery);
      waits.lags = true;
      waits.deferred += 1;
      waits.pending += 1;
      const deferral = await defer();
      const done = () => {
        waits.pending -= 1;
        expect(delivery, clock.now());
      };
      deferral.settled.then(done, done);
      return deferral;
    },
    tick: timers.tick,
    drain: timers.drain,
  };
};
