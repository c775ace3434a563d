/** Outbound messages by time, as caps count them (contract 7.3). JSON, and bounded in size. */
export interface Usage {
  /** [number of the bucket since 1970, count], oldest first: the buckets of the newest minute. */
  recent: readonly (readonly [number, number])[];
  /** UTC day such as `2026-11-21`, and its count. */
  day: readonly [string, number];
  /** UTC month such as `2026-11`, and its count. */
  month: readonly [string, number];
}

export interface UsageCounts {
  minute: number;
  day: number;
  month: number;
}

export const noUsage: Usage = { recent: [], day: ['', 0], month: ['', 0] };

const MINUTE_MS = 60_000;

/** A later period starts from nothing; what belongs to an earlier one no longer counts. */
const addPeriod = (
  [current, counted]: readonly [string, number],
  period: string,
  count: number,
): readonly [string, number] => {
  if (period > current) return [period, Math.max(0, count)];
  return period === current ? [current, Math.max(0, counted + count)] : [current, counted];
};

/**
 * Counts by buckets of a time, so that a minute is a bounded number of counts at any rate. A bucket
 * that is partly older than a minute counts whole: a cap is never passed, and clears late by one
 * bucket at most.
 */
export const usageBy = (bucketMs: number) => {
  /** A minute that ends within a bucket touches one bucket more than it is long. */
  const kept = MINUTE_MS / bucketMs + 1;
  const bucketOf = (milliseconds: number) => Math.floor(milliseconds / bucketMs);

  const addRecent = (recent: Usage['recent'], bucket: number, count: number): Usage['recent'] => {
    const newest = recent.at(-1);
    if (newest && newest[0] === bucket && newest[1] + count > 0) {
      return recent.with(recent.length - 1, [bucket, newest[1] + count]);
    }
    const oldestKept = Math.max(newest?.[0] ?? bucket, bucket) - kept + 1;
    const before = recent.find(([one]) => one === bucket)?.[1] ?? 0;
    const others = recent.filter(([one]) => one >= oldestKept && one !== bucket);
    if (before + count <= 0 || bucket < oldestKept) return others;
    const at = others.findIndex(([one]) => one > bucket);
    return others.toSpliced(at < 0 ? others.length : at, 0, [bucket, before + count]);
  };

  return {
    /** Counts a reservation made at `at`; a `count` of -1 takes it out again. */
    add: (usage: Usage, at: string, count: 1 | -1): Usage => ({
      recent: addRecent(usage.recent, bucketOf(Date.parse(at)), count),
      day: addPeriod(usage.day, at.slice(0, 10), count),
      month: addPeriod(usage.month, at.slice(0, 7), count),
    }),
    /** Messages in the last minute, this UTC day and this UTC month, seen from `nowMs`. */
    at(usage: Usage, nowMs: number): UsageCounts {
      const now = new Date(nowMs).toISOString();
      const bucket = bucketOf(nowMs);
      let minute = 0;
      for (const [start, count] of usage.recent) {
        // One from the future stands there because the clock was set back; a minute on it is over.
        if (start > bucket - kept && start < bucket + kept) minute += count;
      }
      return {
        minute,
        day: usage.day[0] === now.slice(0, 10) ? usage.day[1] : 0,
        month: usage.month[0] === now.slice(0, 7) ? usage.month[1] : 0,
      };
    },
  };
};
