import { AppError } from '../../shared/errors.ts';

/** Bounds the concurrent requests of one key, and of all keys. */
export interface InFlight {
  /** Counts a request, and returns the function that ends it. Throws `service.busy` at the bound. */
  enter(keyId: string): () => void;
}

/** Idle keys that stay in the map, because V8 copies a map that empties and fills again. */
const RESTING_MAX = 1000;

const busy = (message: string) => new AppError('service.busy', message, { retryAfterSeconds: 1 });

export const createInFlight = (
  perKeyMax: number,
  totalMax = Number.POSITIVE_INFINITY,
): InFlight => {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    enter(keyId) {
      const count = counts.get(keyId) ?? 0;
      if (count >= perKeyMax) {
        throw busy('Too many requests of this key are in progress');
      }
      if (total >= totalMax) throw busy('Too many requests of this kind are in progress');
      counts.set(keyId, count + 1);
      total += 1;
      return () => {
        total -= 1;
        const left = counts.get(keyId)! - 1;
        if (left === 0 && counts.size > RESTING_MAX) counts.delete(keyId);
        else counts.set(keyId, left);
      };
    },
  };
};
