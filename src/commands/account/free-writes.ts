import type { NewEvent } from '../../events/store.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { countOf } from '../../shared/usage.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { AccountDecider } from './account.ts';
import { freeWritesUsedUp } from './charges.ts';
import { dayOf } from './evolve.ts';

/** What an account writes to the log without paying, in bytes by UTC day; bounded by its plan. */
export interface FreeWrites {
  /**
   * Runs work that may write for free. Refuses with `account.free_writes` once the day's bound is
   * reached; near it, work that runs at the same time is waited for, so that the bound is passed by
   * one write at most.
   */
  run<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /** Counts what was written for free. */
  count(accountId: string, bytes: number): void;
  /** Takes in every event that this process writes, and counts those that are free by their type. */
  note(event: NewEvent): void;
  /** Writes down what was counted. */
  stop(): Promise<void>;
}

/** The largest event that a free write makes: a bot of 256 KB, and what surrounds it. */
const WRITE_BYTES_MAX = 300 * 1024;
/** What surrounds an event's data in the log. */
const EVENT_BYTES = 400;
/** Accounts whose counts are kept in memory at a time; past it the oldest is written down. */
const ACCOUNTS_MAX = 10_000;

/**
 * Bytes that are counted in memory before they are written down, which is an event of its own. A
 * process that dies loses no more than that of each account.
 */
const FLUSH_BYTES = 256 * 1024;

export const freeWriteBounds = { bytesPerMb: 1024 * 1024, flushBytes: FLUSH_BYTES };

/** A claim of an idempotency key, which was written before its request came to nothing. */
const CLAIM_BYTES = 800;

/** Whether a stored answer is of a request under which nothing was paid. */
const isOfNothing = ({ status, body }: { status: number; body: unknown }): boolean =>
  status >= 400 || (body as { sent?: unknown } | null)?.sent === 0;

/** What an event is counted as: 0 for one that is paid for, or is not the account's doing. */
const freeBytesOf = ({ type, data }: NewEvent): number => {
  switch (type) {
    case 'BotChanged':
    case 'TemplateSubmitted':
    case 'TemplateAdopted':
    case 'PhoneWebhookSet':
      return bytesOf(data);
    case 'RequestFreed':
    case 'RequestInterrupted':
      return bytesOf(data) + CLAIM_BYTES;
    case 'RequestAnswered':
      return isOfNothing(data as never) ? bytesOf(data) + CLAIM_BYTES : 0;
    default:
      return 0;
  }
};

/** What an event takes in the log. */
export const bytesOf = (data: unknown): number =>
  EVENT_BYTES + Buffer.byteLength(JSON.stringify(data));

interface Tally {
  day: string;
  /** The most that the account's stream was seen to hold; it only grows within a day. */
  known: number;
  /** Counted here and not written down yet. */
  pending: number;
  /** On its way into the log. */
  leaving: number;
  /** Free work that runs now, and those who wait for some of it to end. */
  running: number;
  waiting: (() => void)[];
}

/**
 * Counts in memory, by account, and writes the count into the account's own stream: there it holds
 * for every instance and after a restart, and its decider refuses sends by it without a look
 * elsewhere. What a send that goes out costs is not changed by it.
 */
export const createFreeWrites = (deps: {
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
}): FreeWrites => {
  const { writer, account, lookups, clock, bytesPerMb, flushBytes } = deps;
  const tallies = new Map<string, Tally>();
  const leaving = new Set<Promise<void>>();

  const today = () => dayOf(isoTime(clock.now()));

  const tell = async (accountId: string, total: number, added: number): Promise<void> => {
    const max = await boundOf(accountId);
    if (max !== null && total >= max && total - added < max) deps.onReached(accountId, total);
  };

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
      // Whoever waits for the count does not wait for the plan.
      tell(accountId, total, bytes).catch((error) => deps.onFailure(accountId, error));
    } catch (error) {
      if (tally.day === day) tally.pending += bytes;
      deps.onFailure(accountId, error);
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

  const tallyOf = (accountId: string): Tally => {
    const day = today();
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

  const boundOf = async (accountId: string): Promise<number | null> => {
    const known = await lookups.account(accountId);
    const plan = known && (await lookups.plan(known.planId));
    const megabytes = plan?.freeWritesMbPerDay ?? null;
    return megabytes === null ? null : megabytes * bytesPerMb;
  };

  const enter = async (accountId: string, max: number): Promise<Tally> => {
    for (;;) {
      const { state } = await writer.load(account(accountId), accountId);
      const tally = tallyOf(accountId);
      const written = countOf(state.freeWrites, tally.day);
      if (tally.leaving === 0) tally.known = Math.max(tally.known, written);
      // The stream may hold already what is still counted as leaving: it must not count twice.
      const used = Math.max(tally.known + tally.leaving, written) + tally.pending;
      if (used >= max) {
        // Sends are refused by what is written down.
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

  const count = (accountId: string, bytes: number): void => {
    const tally = tallyOf(accountId);
    tally.pending += bytes;
    if (tally.pending >= flushBytes) flush(accountId, tally);
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
    note(event) {
      const { accountId, by } = event.meta;
      // What an administrator does is not the account's doing.
      if (accountId === undefined || by) return;
      const bytes = freeBytesOf(event);
      if (bytes > 0) count(accountId, bytes);
    },
    async stop() {
      for (const [accountId, tally] of tallies) flush(accountId, tally);
      await Promise.all(leaving);
    },
  };
};
