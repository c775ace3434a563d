import { AppError } from '../../shared/errors.ts';

/** Bounds the concurrent requests of one key. */
export interface InFlight {
  /** Counts a request, and returns the function that ends it. Throws `service.busy` at the bound. */
  enter(keyId: string): () => void;
}

/** Idle keys that stay in the map, because V8 copies a map that empties and fills again. */
const RESTING_MAX = 1000;

export const createInFlight = (perKeyMax: number): InFlight => {
  const counts = new Map<string, number>();
  return {
    enter(keyId) {
      const count = counts.get(keyId) ?? 0;
      if (count >= perKeyMax) {
        throw new AppError('service.busy', 'Too many requests of this key are in progress', {
          retryAfterSeconds: 1,
        });
      }
      counts.set(keyId, count + 1);
      return () => {
        const left = counts.get(keyId)! - 1;
        if (left === 0 && counts.size > RESTING_MAX) counts.delete(keyId);
        else counts.set(keyId, left);
      };
    },
  };
};
