/** Outbound messages counted against an account's caps (decisions 5). JSON, and bounded in size. */
export interface Usage {
  /** [start of a quarter second in ms, count], oldest first, of the last 60 seconds. */
  recent: readonly (readonly [number, number])[];
  /** UTC day and month, such as `2026-11-21` and `2026-11`, and the count of each. */
  day: readonly [string, number];
  month: readonly [string, number];
}

export interface UsageCounts {
  minute: number;
  day: number;
  month: number;
}

export const noUsage: Usage = { recent: [], day: ['', 0], month: ['', 0] };

const MINUTE_MS = 60_000;
/** Sends are counted by quarter seconds, so that a minute is at most 241 numbers at any rate. */
const BUCKET_MS = 250;

const bucketOf = (at: number) => at - (at % BUCKET_MS);

/** Adds `count` (negative: takes back) at the time of the reservation, seen from `now`. */
export const addUsage = (usage: Usage, at: string, count: number): Usage => {
  const time = Date.parse(at);
  const bucket = bucketOf(time);
  const day = at.slice(0, 10);
  const month = at.slice(0, 7);
  return {
    recent: addRecent(usage.recent, bucket, count),
    day: addPeriod(usage.day, day, count),
    month: addPeriod(usage.month, month, count),
  };
};

const addRecent = (recent: Usage['recent'], bucket: number, count: number): Usage['recent'] => {
  const last = recent.at(-1);
  const newest = last ? Math.max(last[0], bucket) : bucket;
  const kept = recent.filter(([start]) => start > newest - MINUTE_MS - BUCKET_MS);
  const index = kept.findIndex(([start]) => start === bucket);
  if (index >= 0) return kept.with(index, [bucket, Math.max(0, kept[index]![1] + count)]);
  if (count <= 0) return kept;
  return last && bucket < last[0]
    ? [...kept, [bucket, count] as const].sort((a, b) => a[0] - b[0])
    : [...kept, [bucket, count]];
};

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
 * What counts at `now`. A quarter second that is partly older than a minute still counts whole: a
 * cap is never passed, it may clear up to a quarter second late.
 */
export const usageAt = (usage: Usage, now: number): UsageCounts => {
  const iso = new Date(now).toISOString();
  let minute = 0;
  for (const [start, count] of usage.recent) {
    // One from the future stands there because the clock was set back; a minute on it is over.
    if (start + BUCKET_MS > now - MINUTE_MS && start < now + MINUTE_MS) minute += count;
  }
  return {
    minute,
    day: usage.day[0] === iso.slice(0, 10) ? usage.day[1] : 0,
    month: usage.month[0] === iso.slice(0, 7) ? usage.month[1] : 0,
  };
};
