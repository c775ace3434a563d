import type { Clock } from '../../shared/clock.ts';
import { countOf } from '../../shared/usage.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { AccountDecider } from './account.ts';
import { freeWritesUsedUp } from './charges.ts';
import { createFreeWriteCounts, type Tally } from './free-write-counts.ts';

/** What an account writes to the log without paying, in bytes by UTC day; bounded by its plan. */
export interface FreeWrites {
  /**
   * Runs work that may write for free. Refuses with `account.free_writes` once the day's bound is
   * reached. Near the bound one work runs at a time, so that at most one write passes the bound.
   */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /** Counts what was written for free. */
  count(accountId: string, bytes: number): void;
  /** Writes down what was counted. */
  stop(): Promise<void>;
}

/** Bytes of the largest event that a free write makes: a bot of 256 KB, and what surrounds it. */
const WRITE_BYTES_MAX = 300 * 1024;

/** `flushBytes` are counted in memory before they are written down, which is an event of its own. */
export const freeWriteBounds = { bytesPerMb: 1024 * 1024, flushBytes: 256 * 1024 };

interface Deps {
  writer: Pick<Writer, 'execute' | 'load'>;
  account: AccountDecider;
  lookups: Pick<Lookups, 'account' | 'plan'>;
  clock: Clock;
  /** Bytes of a megabyte of the plan; fewer for tests. */
  bytesPerMb: number;
  flushBytes: number;
  /** The day's bound was reached. */
  onReached: (accountId: string, bytes: number) => void;
  onFailure: (accountId: string, error: unknown) => void;
}

/**
 * Bounds free writes by a count in the account's own stream: it holds for every instance and after a
 * restart, and the account's decider refuses sends by it without a read.
 */
export const createFreeWrites = (deps: Deps): FreeWrites => {
  const { writer, account, lookups, clock, bytesPerMb } = deps;

  const boundOf = async (accountId: string): Promise<number | null> => {
    const known = await lookups.account(accountId);
    const plan = known && (await lookups.plan(known.planId));
    const megabytes = plan?.freeWritesMbPerDay ?? null;
    return megabytes === null ? null : megabytes * bytesPerMb;
  };

  const onWritten = async (accountId: string, total: number, added: number): Promise<void> => {
    const max = await boundOf(accountId);
    if (max !== null && total >= max && total - added < max) deps.onReached(accountId, total);
  };
  const { tallyOf, flush, count, stop } = createFreeWriteCounts({ ...deps, onWritten });

  const enter = async (accountId: string, max: number): Promise<Tally> => {
    for (;;) {
      const { state } = await writer.load(account(accountId), accountId);
      const tally = tallyOf(accountId);
      const written = countOf(state.freeWrites, tally.day);
      if (tally.leaving === 0) tally.known = Math.max(tally.known, written);
      // The stream may already hold what still counts as leaving: it must not count twice.
      const used = Math.max(tally.known + tally.leaving, written) + tally.pending;
      if (used >= max) {
        // The account's decider refuses sends by what is written down.
        flush(accountId, tally);
        throw freeWritesUsedUp(clock.now());
      }
      const isNear = used + (tally.running + 1) * WRITE_BYTES_MAX > max;
      if (!isNear || tally.running === 0) {
        tally.running += 1;
        return tally;
      }
      await new Promise<void>((resolve) => tally.waiting.push(resolve));
    }
  };

  return {
    async run(accountId, work) {
      const max = await boundOf(accountId);
      if (max === null) return work();
      const tally = await enter(accountId, max);
      try {
        return await work();
      } finally {
        tally.running -= 1;
        for (const go of tally.waiting.splice(0)) go();
      }
    },
    count,
    stop,
  };
};
