import { StoreUnavailable } from '../events/store.ts';
import { pause, withTimeout } from '../shared/timing.ts';
import type { Background } from './background.ts';

/** How long a lease holds without being renewed, and how often it is renewed or asked for. */
const TTL_MS = 4_000;
const RENEW_EVERY_MS = 1_000;

export interface LeaseDeps {
  /** Takes or renews the lease; true while it is this holder's. A time of 0 gives it back. */
  take: (ttlMs: number) => Promise<boolean>;
  /** Starts the work. When it fails `onLost` undoes what it did, and it is tried again. */
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
  /** Resolves once the first attempt is over, work started: to its failure, if it failed. */
  first: Promise<unknown>;
}

/**
 * Does work in one process at a time: whoever holds the lease does it, and another takes over when
 * it is not renewed in time. One that cannot renew it stops before anybody else can have it. One
 * that was paused may still believe in its lease when it wakes: what it writes then is refused by
 * checkpoints and revisions, the lease only spares the effort.
 */
export const holdLease = (deps: LeaseDeps): HeldLease => {
  const { ttlMs = TTL_MS, renewEveryMs = RENEW_EVERY_MS } = deps;
  const monotonicMs = deps.monotonicMs ?? (() => performance.now());
  const stopping = new AbortController();
  const { signal } = stopping;
  let holding = false;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let starting: Promise<unknown> = Promise.resolve();

  const lose = async () => {
    if (!holding) return;
    holding = false;
    await starting;
    await deps.onLost();
  };

  let failed: unknown;
  /** Goes on beside the renewals: to start may take longer than a lease holds. */
  const gain = () => {
    holding = true;
    starting = deps.onGained().catch((error: unknown) => {
      failed = error;
      return error;
    });
  };

  const take = (): Promise<boolean> =>
    withTimeout(ttlMs / 2, deps.take(ttlMs), () => {
      throw new StoreUnavailable('the lease was not answered for in time');
    });

  const renew = async () => {
    if (failed !== undefined) {
      const error = failed;
      failed = undefined;
      await lose();
      throw error;
    }
    const at = monotonicMs();
    if (!(await take())) return lose();
    renewedAt = at;
    if (!holding && !signal.aborted) gain();
  };

  const attempt = async (): Promise<unknown> => {
    try {
      await renew();
      return undefined;
    } catch (error) {
      if (signal.aborted) return error;
      deps.onFailure(error);
      // By the next look somebody else could have it.
      if (monotonicMs() - renewedAt > ttlMs - 2 * renewEveryMs) await lose().catch(deps.onFailure);
      return error;
    }
  };

  const begun = attempt();
  const run = async () => {
    await begun;
    while (!signal.aborted) {
      await pause(renewEveryMs, signal);
      if (!signal.aborted) await attempt();
    }
  };
  const running = run();

  return {
    holding: () => holding,
    first: begun.then(async (error) => error ?? (await starting)),
    async stop() {
      stopping.abort();
      await running;
      const held = holding;
      await lose();
      if (held) await deps.take(0).catch(deps.onFailure);
    },
  };
};
