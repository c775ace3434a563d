import { StoreUnavailable } from '../events/store.ts';
import { withTimeout } from '../shared/timing.ts';
import { type Background, every } from './background.ts';

/** A lease that is not renewed ends after this time. */
const TTL_MS = 4_000;
/** Pause between two attempts to renew or to take it. */
const RENEW_EVERY_MS = 1_000;

export interface LeaseDeps {
  /** Takes or renews the lease; true while this holder has it. A time of 0 gives it back. */
  take: (ttlMs: number) => Promise<boolean>;
  /** Starts the work. After a failure, `onLost` undoes what it did, and it is called again. */
  onGained: () => Promise<void>;
  /** Stops the work. */
  onLost: () => Promise<void>;
  onFailure: (error: unknown) => void;
  ttlMs?: number;
  renewEveryMs?: number;
  /** A clock that never goes back; for tests. */
  monotonicMs?: () => number;
}

export interface HeldLease extends Background {
  holding(): boolean;
  /** Resolves after the first attempt and the start of the work, with the failure if one failed. */
  first: Promise<unknown>;
}

/**
 * Runs work in one process at a time: in the holder of the lease. Another process takes over when
 * the holder does not renew it in time. A holder that cannot renew the lease stops the work before
 * the lease ends. One that was paused may believe in its lease when it wakes: checkpoints and
 * revisions refuse what it then writes, and the lease only saves the effort.
 */
export const holdLease = (deps: LeaseDeps): HeldLease => {
  const { ttlMs = TTL_MS, renewEveryMs = RENEW_EVERY_MS } = deps;
  const { monotonicMs = () => performance.now() } = deps;
  const attempted = Promise.withResolvers<unknown>();
  let holding = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let starting: Promise<unknown> = Promise.resolve();
  let failed: unknown;

  const lose = async () => {
    if (!holding) return;
    holding = false;
    await starting;
    await deps.onLost();
  };

  /** Does not wait for the start, which may take longer than a lease lasts. */
  const gain = () => {
    holding = true;
    starting = deps.onGained().catch((error: unknown) => {
      failed = error;
      return error;
    });
  };

  const renew = async (signal: AbortSignal) => {
    if (failed !== undefined) {
      const error = failed;
      failed = undefined;
      await lose();
      throw error;
    }
    const at = monotonicMs();
    const isHolder = await withTimeout(ttlMs / 2, deps.take(ttlMs), () => {
      throw new StoreUnavailable('the lease was not answered for in time');
    });
    if (!isHolder) return lose();
    renewedAt = at;
    if (!holding && !signal.aborted) gain();
  };

  const renewing = every(renewEveryMs, async (signal) => {
    try {
      await renew(signal);
    } catch (error) {
      attempted.resolve(error);
      if (signal.aborted) return;
      deps.onFailure(error);
      // Before the next attempt, another process could have the lease.
      if (monotonicMs() - renewedAt > ttlMs - 2 * renewEveryMs) await lose().catch(deps.onFailure);
    }
    attempted.resolve(undefined);
  });

  return {
    holding: () => holding,
    first: attempted.promise.then(async (error) => error ?? (await starting)),
    async stop() {
      await renewing.stop();
      const held = holding;
      await lose();
      if (held) await deps.take(0).catch(deps.onFailure);
    },
  };
};
