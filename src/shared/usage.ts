import { isoTime } from './clock.ts';

/** Outbound messages by time, as caps count them (contract 7.3). JSON, and bounded in size. */
export interface Usage {
  /**
   * [number of the bucket since 1970, count], oldest first: those within a minute of the last send,
   * before it or, because the clock was set back, after it.
   */
  recent: readonly (readonly [number, number])[];
  /** UTC days such as `2026-11-21` and their counts, the one of the last send last. */
  days: readonly Period[];
  /** UTC months such as `2026-11`, likewise. */
  months: readonly Period[];
}

export type Period = readonly [string, number];

/** Caps on outbound messages; null is uncapped (contract 7.3). */
export interface Limits {
  perMinute: number | null;
  daily: number | null;
  monthly: number | null;
  paused: boolean;
}

export interface UsageCounts {
  minute: number;
  day: number;
  month: number;
}

export const noUsage: Usage = { recent: [], days: [], months: [] };

/** The window of the cap of a minute. */
export const MINUTE_MS = 60_000;

/**
 * A clock that is set back over midnight, or lags behind another instance's, returns to a period that
 * was over. Without the count of that period, its cap could be passed.
 */
const PERIODS_KEPT = 3;

/** Adds to the count of a UTC day or month, and drops periods that are long over. */
export const addPeriod = (
  kept: readonly Period[],
  period: string,
  count: number,
): readonly Period[] => {
  const last = kept.at(-1);
  if (last?.[0] === period) return kept.with(-1, [period, Math.max(0, last[1] + count)]);
  const index = kept.findIndex(([one]) => one === period);
  const counted = Math.max(0, (kept[index]?.[1] ?? 0) + count);
  // A dropped period has no count to subtract from.
  if (count < 0) return index < 0 ? kept : kept.with(index, [period, counted]);
  const others = kept.filter(([one]) => one !== period);
  return [...others, [period, counted] as const].slice(-PERIODS_KEPT);
};

export const countOf = (kept: readonly Period[], period: string): number => {
  for (const [one, count] of kept) if (one === period) return count;
  return 0;
};

/**
 * Counts in buckets of `bucketMs`, so that a minute has a bounded number of counts at any rate. A
 * bucket that is partly older than a minute counts whole: a cap is never passed, and clears at most
 * one bucket late.
 */
export const usageBy = (bucketMs: number) => {
  /** A minute that ends within a bucket overlaps one bucket more. */
  const kept = MINUTE_MS / bucketMs + 1;
  const bucketOf = (milliseconds: number) => Math.floor(milliseconds / bucketMs);

  const addRecent = (
    recent: Usage['recent'],
    bucket: number,
    count: number,
    current = bucket,
  ): Usage['recent'] => {
    const newest = recent.at(-1);
    if (newest && newest[0] === bucket && newest[1] + count > 0) {
      return recent.with(recent.length - 1, [bucket, newest[1] + count]);
    }
    if (newest && newest[0] < bucket && count > 0) {
      let over = 0;
      while (over < recent.length && recent[over]![0] <= current - kept) over += 1;
      return [...recent.slice(over), [bucket, count]];
    }
    const before = recent.find(([one]) => one === bucket)?.[1] ?? 0;
    if (count < 0) {
      const left = recent.map((one) =>
        one[0] === bucket ? ([bucket, before + count] as const) : one,
      );
      return left.filter(([, counted]) => counted > 0);
    }
    const others = recent.filter(
      ([one]) => one !== bucket && one > current - kept && one < current + kept,
    );
    const at = others.findIndex(([one]) => one > bucket);
    return others.toSpliced(at < 0 ? others.length : at, 0, [bucket, before + count]);
  };

  return {
    /** Counts a reservation made at `at`; a `count` of -1 takes it out again. */
    add: (usage: Usage, at: string, count: 1 | -1): Usage => ({
      recent: addRecent(usage.recent, bucketOf(Date.parse(at)), count),
      days: addPeriod(usage.days, at.slice(0, 10), count),
      months: addPeriod(usage.months, at.slice(0, 7), count),
    }),
    /**
     * Counts a reservation of `at` that was taken out before, seen from `now`: in its minute, its
     * UTC day and its UTC month, but in none that is over.
     */
    addBack(usage: Usage, at: string, now: string): Usage {
      const bucket = bucketOf(Date.parse(at));
      const current = bucketOf(Date.parse(now));
      const isRecent = bucket > current - kept && bucket < current + kept;
      const [day, month] = [at.slice(0, 10), at.slice(0, 7)];
      return {
        recent: isRecent ? addRecent(usage.recent, bucket, 1, current) : usage.recent,
        days: day < now.slice(0, 10) ? usage.days : addPeriod(usage.days, day, 1),
        months: month < now.slice(0, 7) ? usage.months : addPeriod(usage.months, month, 1),
      };
    },
    /** Messages in the last minute, this UTC day and this UTC month, seen from `nowMs`. */
    at(usage: Usage, nowMs: number): UsageCounts {
      const now = isoTime(nowMs);
      const bucket = bucketOf(nowMs);
      let minute = 0;
      for (const [start, count] of usage.recent) {
        // After the clock was set back, a bucket may be in the future.
        if (start > bucket - kept && start < bucket + kept) minute += count;
      }
      return {
        minute,
        day: countOf(usage.days, now.slice(0, 10)),
        month: countOf(usage.months, now.slice(0, 7)),
      };
    },
  };
};
