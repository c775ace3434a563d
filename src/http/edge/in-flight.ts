import { AppError } from '../../shared/errors.ts';

/** Bounds the concurrent requests of one holder, such as a key or an account, and of all holders. */
export interface InFlight {
  /** Counts a request, and returns the function that ends it. Throws `service.busy` at the bound. */
  enter(holder: string): () => void;
}

/** Idle holders that stay in the map, because V8 copies a map that empties and fills again. */
const RESTING_MAX = 1000;

const busy = (message: string) => new AppError('service.busy', message, { retryAfterSeconds: 1 });

export const createInFlight = (
  perHolderMax: number,
  totalMax = Number.POSITIVE_INFINITY,
  refusal = 'Too many requests of this key are in progress',
): InFlight => {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    enter(holder) {
      const count = counts.get(holder) ?? 0;
      if (count >= perHolderMax) throw busy(refusal);
      if (total >= totalMax) throw busy('Too many requests of this kind are in progress');
      counts.set(holder, count + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = counts.get(holder)! - 1;
        if (left === 0 && counts.size > RESTING_MAX) counts.delete(holder);
        else counts.set(holder, left);
      };
    },
  };
};
