import { createGrowingCache } from '../../shared/growing-cache.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Candidate } from './matching.ts';

const ACCOUNTS_MAX = 1000;

/** Keeps the bots of accounts in memory until a bot of the account changes. */
export const createCandidates = (lookups: Pick<Lookups, 'bots'>) => {
  const known = createGrowingCache<string, Promise<readonly Candidate[]>>(ACCOUNTS_MAX);

  const botsOf = (accountId: string): Promise<readonly Candidate[]> => {
    const before = known.get(accountId);
    if (before) return before;
    const reading = lookups.bots(accountId);
    known.set(accountId, reading);
    reading.catch(() => {
      if (known.get(accountId) === reading) known.delete(accountId);
    });
    return reading;
  };

  return {
    /** The bots that existed when the message was written. */
    at: async (accountId: string, writtenAt: string): Promise<readonly Candidate[]> =>
      (await botsOf(accountId)).filter(({ createdAt }) => createdAt <= writtenAt),
    invalidate: (accountId: string): void => void known.delete(accountId),
  };
};
