import { LRUCache } from 'lru-cache';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { countOf } from '../../shared/usage.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { AccountDecider } from './account.ts';
import { dayOf } from './evolve.ts';
import { freeWritesUsedUp } from './movements.ts';

/** Bytes in the log that surround an event's data. */
const EVENT_BYTES = 400;

/** Bytes that an event with this data takes in the log. */
export const bytesOf = (data: unknown): number =>
  EVENT_BYTES + Buffer.byteLength(JSON.stringify(data));

/** Accounts that are known in memory; beyond it the oldest one's count is written down. */
const ACCOUNTS_MAX = 10_000;

/** The free writes of one account on one UTC day, in bytes. */
interface Tally {
  day: string;
  /** The most that the account's stream was seen to hold; it only grows within a day. */
  known: number;
  /** Counted in memory and not written down yet. */
  pending: number;
  /** On its way into the log. */
  leaving: number;
  /** Free work that runs now, and the callers that wait for some of it to end. */
  running: number;
  waiting: (() => void)[];
}

interface CountDeps {
  writer: Pick<Writer, 'execute'>;
  account: AccountDecider;
  clock: Clock;
  flushBytes: number;
  /** `added` bytes were written down; the day's total is `total`. */
  onWritten: (accountId: string, total: number, added: number) => Promise<void>;
  onFailure: (accountId: string, error: unknown) => void;
}

/**
 * Counts in memory, by account, and writes the counts into the accounts' own streams. A process that
 * dies loses at most `flushBytes` of each account.
 */
const createFreeWriteCounts = (deps: CountDeps) => {
  const { writer, account, clock, flushBytes, onWritten, onFailure } = deps;
  const tallies = new Map<string, Tally>();
  const leaving = new Set<Promise<void>>();

  const writeDown = async (accountId: string, tally: Tally): Promise<void> => {
    const { day, pending: bytes } = tally;
    tally.pending = 0;
    tally.leaving += bytes;
    try {
      const command = { type: 'CountFreeWrites' as const, day, bytes };
      const on = { requestId: 'free-writes', cause: 'free-writes', accountId };
      const { state } = await writer.execute(account(accountId), accountId, command, on);
      const total = countOf(state.freeWrites, day);
      if (tally.day === day) tally.known = Math.max(tally.known, total);
      onWritten(accountId, total, bytes).catch((error) => onFailure(accountId, error));
    } catch (error) {
      if (tally.day === day) tally.pending += bytes;
      onFailure(accountId, error);
    } finally {
      tally.leaving -= bytes;
    }
  };

  const flush = (accountId: string, tally: Tally): void => {
    if (tally.pending === 0) return;
    const going = writeDown(accountId, tally);
    leaving.add(going);
    void going.finally(() => leaving.delete(going));
  };

  const makeRoom = () => {
    for (const [accountId, tally] of tallies) {
      if (tallies.size < ACCOUNTS_MAX) return;
      if (tally.running > 0 || tally.leaving > 0) continue;
      flush(accountId, tally);
      tallies.delete(accountId);
    }
  };

  /** The account's tally of today. */
  const tallyOf = (accountId: string): Tally => {
    const day = dayOf(isoTime(clock.now()));
    const known = tallies.get(accountId);
    if (known && known.day !== day) {
      flush(accountId, known);
      known.day = day;
      known.known = 0;
    }
    if (known) return known;
    makeRoom();
    const tally = { day, known: 0, pending: 0, leaving: 0, running: 0, waiting: [] };
    tallies.set(accountId, tally);
    return tally;
  };

  return {
    tallyOf,
    flush,
    count(accountId: string, bytes: number): void {
      const tally = tallyOf(accountId);
      tally.pending += bytes;
      if (tally.pending >= flushBytes) flush(accountId, tally);
    },
    async stop(): Promise<void> {
      for (const [accountId, tally] of tallies) flush(accountId, tally);
      await Promise.all(leaving);
    },
  };
};

/** What an account writes to the log without paying, in bytes by UTC day; bounded by its plan. */
export interface FreeWrites {
  /**
   * Runs work that may write for free. Refuses with `account.free_writes` once the day's bound is
   * reached. Near the bound one work runs at a time, so that at most one write passes the bound.
   */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /** Accounts that have lately reached their bound; whether they still have, `left` says. */
  usedUp: Pick<ReadonlySet<string>, 'has'>;
  /** Bytes that the account may still write for free today. */
  left(accountId: string): Promise<number>;
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

  const usedUp = new LRUCache<string, true>({ max: ACCOUNTS_MAX });
  const onWritten = async (accountId: string, total: number, added: number): Promise<void> => {
    const max = await boundOf(accountId);
    if (max === null || total < max) return;
    usedUp.set(accountId, true);
    if (total - added < max) deps.onReached(accountId, total);
  };
  const { tallyOf, flush, count, stop } = createFreeWriteCounts({ ...deps, onWritten });

  const usedBy = async (accountId: string): Promise<{ tally: Tally; used: number }> => {
    const { state } = await writer.load(account(accountId), accountId);
    const tally = tallyOf(accountId);
    const written = countOf(state.freeWrites, tally.day);
    if (tally.leaving === 0) tally.known = Math.max(tally.known, written);
    // The stream may already hold what still counts as leaving: it must not count twice.
    return { tally, used: Math.max(tally.known + tally.leaving, written) + tally.pending };
  };

  const enter = async (accountId: string, max: number): Promise<Tally> => {
    for (;;) {
      const { tally, used } = await usedBy(accountId);
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
    usedUp,
    async left(accountId) {
      const max = await boundOf(accountId);
      const left = max === null ? Number.POSITIVE_INFINITY : max - (await usedBy(accountId)).used;
      if (left > 0) usedUp.delete(accountId);
      return left;
    },
    count,
    stop,
  };
};
