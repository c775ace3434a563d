import { type Clock, isoTime } from '../../shared/clock.ts';
import { countOf } from '../../shared/usage.ts';
import type { Writer } from '../core/execute.ts';
import type { AccountDecider } from './account.ts';
import { dayOf } from './evolve.ts';

/** Accounts whose counts are kept in memory; beyond it the oldest count is written down. */
const ACCOUNTS_MAX = 10_000;

/** The free writes of one account on one UTC day, in bytes. */
export interface Tally {
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

interface Deps {
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
export const createFreeWriteCounts = (deps: Deps) => {
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
