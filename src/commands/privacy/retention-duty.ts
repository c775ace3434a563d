import type { Clock, Ids } from '../../shared/clock.ts';
import type { Writer } from '../core/execute.ts';
import { DESTRUCTIONS_ID, destructionsDecider } from './destructions.ts';
import type { DestroyedKeys, KeyMemory } from './keys.ts';
import { expiredThrough } from './retention.ts';

/** An account that does not keep personal data for ever. */
export interface Retained {
  accountId: string;
  months: number;
  /** The last month whose keys are destroyed; null for none. */
  through: string | null;
}

/** Owns the items of the provider that belong to no account. */
export const NO_ACCOUNT = '';

interface RetentionDeps {
  writer: Writer;
  keys: Pick<DestroyedKeys, 'destroyMonths'>;
  memory: Pick<KeyMemory, 'forgetMonths'>;
  /** All accounts with a retention. */
  retained: () => AsyncIterable<Retained>;
  clock: Clock;
  ids: Ids;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
}

/**
 * The time by which months expire. A clock that jumps ahead while the service runs destroys nothing
 * early: the passed time counts then.
 */
const createCarefulClock = ({
  clock,
  monotonicMs,
}: Pick<RetentionDeps, 'clock' | 'monotonicMs'>) => {
  const started = { at: clock.now(), monotonic: monotonicMs() };
  return () => Math.min(clock.now(), started.at + (monotonicMs() - started.monotonic));
};

/** Destroys the keys of months that accounts do not keep any more. */
export const createRetentionDuty = (deps: RetentionDeps) => {
  const { writer, keys, memory, retained, ids } = deps;
  const now = createCarefulClock(deps);

  /** False where there was nothing to tell. */
  const expire = async (accountId: string, through: string): Promise<boolean> => {
    const count = await keys.destroyMonths(accountId, through);
    // No document of an account waits to be emptied, and a new log begins without such events.
    if (accountId === NO_ACCOUNT && count === 0) return false;
    memory.forgetMonths(accountId, through);
    const command = { type: 'Expire' as const, accountId, through };
    const context = { requestId: ids.uuid(), cause: 'retention', ...(accountId && { accountId }) };
    await writer.execute(destructionsDecider, DESTRUCTIONS_ID, command, context);
    return true;
  };

  return {
    /** Resolves to the number of accounts of which months have gone. */
    async run(signal: AbortSignal): Promise<number> {
      let count = 0;
      for await (const { accountId, months, through: gone } of retained()) {
        if (signal.aborted) break;
        const through = expiredThrough(now(), months);
        if (gone !== null && gone >= through) continue;
        if (await expire(accountId, through)) count += 1;
      }
      return count;
    },
  };
};
