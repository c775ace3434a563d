import { AppError } from '../../shared/errors.ts';

/** Bounds how many requests of one key are worked on at a time. */
export interface InFlight {
  /** Takes a place; the answer gives it back. Throws `service.busy` when none is left. */
  enter(keyId: string): () => void;
}

/** Keys whose place is kept while they rest: a map that is emptied and filled again is copied. */
const RESTING_MAX = 1000;

export const createInFlight = (perKeyMax: number): InFlight => {
  const counts = new Map<string, number>();
  return {
    enter(keyId) {
      const count = counts.get(keyId) ?? 0;
      if (count >= perKeyMax) {
        throw new AppError('service.busy', 'Too many requests of this key are in progress', {
          headers: { 'Retry-After': '1' },
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
