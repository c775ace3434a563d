import type { Clock } from '../../shared/clock.ts';
import { Interrupted } from '../../shared/retry.ts';
import type { Attempted } from './attempt.ts';
import type { Delivery } from './ports.ts';

/** A delivery that waits for its next call holds up later ones of its contact for so long. */
const HOLD_MS_MAX = 60_000;

export interface JobDeps {
  attempt: (delivery: Delivery) => Promise<Attempted | undefined>;
  clock: Clock;
  /** A delivery waits for its next call until then, in ms since 1970. */
  onRetry: (delivery: Delivery, nextAt: number) => void;
}

/** The deliveries with a number that are in memory. */
export const createInHand = () => {
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

export type InHand = ReturnType<typeof createInHand>;

/**
 * The work of a delivery, and a promise that resolves once the log knows of it. Its next call is made
 * from memory where it is due soon, so that later deliveries of its contact wait behind it.
 */
export const deliveryJob = (
  first: Delivery,
  { attempt, clock, onRetry }: JobDeps,
  inHand: InHand,
) => {
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
