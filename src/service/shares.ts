import { StoreUnavailable } from '../events/store.ts';
import type { Coordination, Shares } from '../projections/coordination.ts';
import { createExclusive } from '../shared/exclusive.ts';
import { withTimeout } from '../shared/timing.ts';
import { type Background, every } from './background.ts';

/** A process that does not renew its leases loses them after this time. */
export const TTL_MS = 4_000;
/** Pause between two renewals. */
const RENEW_EVERY_MS = 1_000;

type Held = ReadonlySet<string>;

export interface SharesDeps {
  coordination: Pick<Coordination, 'renew' | 'take' | 'giveBack' | 'leave'>;
  /** The name of this process, unique among those that share the work. */
  holder: string;
  /** The units of work, in kinds; the processes share each kind evenly. */
  units: () => Promise<readonly (readonly string[])[]>;
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
  /** Resolves after the first attempt, with the failure if it failed. */
  first: Promise<unknown>;
}

/** What a process gives back and takes, so that all come to an even share of these units. */
export const fairShare = (
  units: readonly string[],
  { holders, held }: Shares,
  holder: string,
): { over: readonly string[]; free: readonly string[]; room: number } => {
  const rank = holders.indexOf(holder);
  const count = Math.max(1, holders.length);
  const mine = units.filter((unit) => held.get(unit) === holder);
  const quota = Math.floor(units.length / count) + (rank < units.length % count ? 1 : 0);
  return {
    // One unit more than others have is no reason to stop work.
    over: mine.slice(Math.ceil(units.length / count)),
    free: units.filter((unit) => !held.has(unit)),
    room: Math.max(0, quota - mine.length),
  };
};

const isSame = (one: Held, other: Held): boolean =>
  one.size === other.size && [...one].every((unit) => other.has(unit));

/** Does a share of the work, and remembers which. */
const createShare = ({ coordination, holder, units, work }: SharesDeps) => {
  let held: Held = new Set();

  const become = async (next: Held): Promise<void> => {
    if (isSame(held, next)) return;
    held = next;
    await work(next);
  };

  return {
    held: () => held,
    async settle(shares: Shares): Promise<void> {
      const kinds = await units();
      const mine = new Set<string>();
      const shared = kinds.map((kind) => fairShare(kind, shares, holder));
      const over = shared.flatMap((one) => one.over);
      for (const [unit, by] of shares.held) {
        if (by === holder && kinds.flat().includes(unit) && !over.includes(unit)) mine.add(unit);
      }
      await become(mine);
      for (const unit of over) await coordination.giveBack(unit, holder);
      const taken = new Set(mine);
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
  const oneByOne = createExclusive();
  let settling: Promise<void> | undefined;
  let renewedAt = Number.NEGATIVE_INFINITY;

  const drop = () => oneByOne(share.drop).catch(onFailure);

  /** Nothing waits for it: work may take longer to begin or to end than a lease lasts. */
  const settle = async (shares: Shares): Promise<void> => {
    try {
      await oneByOne(() => share.settle(shares));
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
      renewedAt = at;
      if (!signal.aborted) settling ??= settle(shares);
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
    first: attempted.promise,
    async stop() {
      await renewing.stop();
      await settling;
      await drop();
      await coordination.leave(holder).catch(onFailure);
    },
  };
};
