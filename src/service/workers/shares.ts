import { StoreUnavailable } from '../../events/store.ts';
import type { Coordination, Shares } from '../../projections/coordination.ts';
import { createMutex } from '../../shared/concurrency.ts';
import { withTimeout } from '../../shared/timing.ts';
import { type Background, every } from './background.ts';

/** A process that does not renew its leases loses them after this time. */
export const TTL_MS = 3_000;
/**
 * Pause between two renewals, each with a look at the others. A part of TTL_MS, so that the look which falls due
 * as a lease ends sees its end: one that died is seen 2.5 to 3.5 s later.
 */
const RENEW_EVERY_MS = 500;

type Held = ReadonlySet<string>;

export interface SharesDeps {
  coordination: Pick<Coordination, 'renew' | 'take' | 'release' | 'leave'>;
  /** The name of this process, unique among those that share the work. */
  holder: string;
  /** The units of work, in kinds: the processes share each kind evenly. */
  units: readonly (readonly string[])[];
  /** Does these units from now on, and no others once it has resolved. After a failure, none. */
  work: (units: Held) => Promise<void>;
  onFailure: (error: unknown) => void;
  ttlMs?: number;
  renewEveryMs?: number;
  /** A clock that never goes back; for tests. */
  monotonicMs?: () => number;
}

export interface HeldShares extends Background {
  held(): Held;
  /**
   * False once the leases may have ended: another process may do the same work. True again when they
   * are renewed, and the work has ended that another process took over meanwhile.
   */
  isCurrent(): boolean;
  /** Resolves after the first attempt, with the failure if it failed. */
  first: Promise<unknown>;
}

/** What a process keeps, gives back and takes, so that all come to an even share of these units. */
export const fairShare = (
  units: readonly string[],
  { holders, held }: Shares,
  holder: string,
): { kept: readonly string[]; over: readonly string[]; free: readonly string[]; room: number } => {
  const rank = holders.indexOf(holder);
  const count = Math.max(1, holders.length);
  const mine = units.filter((unit) => held.get(unit) === holder);
  const least = Math.floor(units.length / count);
  const extra = rank < units.length % count ? 1 : 0;
  const free = units.filter((unit) => !held.has(unit));
  const counts = new Map<string | undefined, number>();
  for (const unit of units) counts.set(held.get(unit), (counts.get(held.get(unit)) ?? 0) + 1);
  let lacking = 0;
  for (const one of holders) lacking += Math.max(0, least - (counts.get(one) ?? 0));
  // One unit more than others have is no reason to stop work, unless one of them has too few.
  const most = free.length < lacking ? least + extra : Math.ceil(units.length / count);
  // Nor is it taken from those who have too few.
  const share = free.length > lacking ? least + extra : least;
  return {
    kept: mine.slice(0, most),
    over: mine.slice(most),
    free,
    room: Math.max(0, share - mine.length),
  };
};

const isSame = (one: Held, other: Held): boolean =>
  one.size === other.size && [...one].every((unit) => other.has(unit));

/** Does a share of the work, and remembers which. */
const createShare = (deps: SharesDeps) => {
  const { coordination, holder, units, work } = deps;
  let held: Held = new Set();

  const become = async (next: Held): Promise<void> => {
    if (isSame(held, next)) return;
    held = next;
    await work(next);
  };

  return {
    held: () => held,
    /** Calls `onKept` when the process does only what is its own. */
    async settle(shares: Shares, onKept: () => void): Promise<void> {
      const shared = units.map((kind) => fairShare(kind, shares, holder));
      const kept = new Set(shared.flatMap((one) => one.kept));
      await become(kept);
      onKept();
      // Also what is no unit any more.
      for (const [unit, by] of shares.held) {
        if (by === holder && !kept.has(unit)) await coordination.release(unit, holder);
      }
      const taken = new Set(kept);
      for (const { free, room } of shared) {
        let left = room;
        for (const unit of free) {
          if (left === 0) break;
          if (!(await coordination.take(unit, holder))) continue;
          taken.add(unit);
          left -= 1;
        }
      }
      await become(taken);
    },
    async drop(): Promise<void> {
      await become(new Set());
    },
  };
};

/**
 * Does this process's share of the work. Others take it over when the process does not renew its
 * leases in time; one that cannot renew them stops the work before they end. One that was paused may
 * believe in its leases when it wakes: checkpoints and revisions refuse what it then writes, and the
 * leases only save the effort.
 */
export const holdShares = (deps: SharesDeps): HeldShares => {
  const { coordination, holder, onFailure } = deps;
  const { ttlMs = TTL_MS, renewEveryMs = RENEW_EVERY_MS } = deps;
  const { monotonicMs = () => performance.now() } = deps;
  const attempted = Promise.withResolvers<unknown>();
  const share = createShare(deps);
  const oneByOne = createMutex();
  let settling: Promise<void> | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;
  /** How often the leases had perhaps ended when they were renewed; and as of the work that goes on. */
  let lapses = 0;
  let settledLapses = 0;
  let isStopping = false;

  const drop = () => oneByOne(share.drop).catch(onFailure);

  /** Nothing waits for it: work may take longer to begin or to end than a lease lasts. */
  const settle = async (shares: Shares): Promise<void> => {
    try {
      const seen = lapses;
      const onKept = () => {
        settledLapses = seen;
      };
      await oneByOne(() => share.settle(shares, onKept));
      attempted.resolve(undefined);
    } catch (error) {
      attempted.resolve(error);
      onFailure(error);
      await drop();
    }
    settling = undefined;
  };

  const renewing = every(renewEveryMs, async (signal) => {
    try {
      const at = monotonicMs();
      const renewed = coordination.renew(holder, ttlMs);
      const shares = await withTimeout(ttlMs / 2, renewed, () => {
        throw new StoreUnavailable('the leases were not renewed in time');
      });
      if (at - renewedAt >= ttlMs) lapses += 1;
      renewedAt = at;
      if (!isStopping) settling ??= settle(shares);
    } catch (error) {
      attempted.resolve(error);
      if (signal.aborted) return;
      onFailure(error);
      // Before the next attempt, another process could have the leases.
      if (monotonicMs() - renewedAt > ttlMs - 2 * renewEveryMs) await drop();
    }
  });

  return {
    held: share.held,
    isCurrent: () => lapses === settledLapses && monotonicMs() - renewedAt < ttlMs,
    first: attempted.promise,
    async stop() {
      isStopping = true;
      await settling;
      // No other process takes the work over before it has ended.
      await drop();
      await renewing.stop();
      await coordination.leave(holder).catch(onFailure);
    },
  };
};
