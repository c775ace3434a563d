/** Outbound messages by time, as the accounts' documents keep them. Bounded in size. */
export interface Usage {
  /** [second since 1970, count], oldest first: the seconds of the newest minute. */
  recent: readonly (readonly [number, number])[];
  /** UTC day such as `2026-11-21`, and its count. */
  day: readonly [string, number];
  /** UTC month such as `2026-11`, and its count. */
  month: readonly [string, number];
}

export const noUsage: Usage = { recent: [], day: ['', 0], month: ['', 0] };

/** A minute that ends within a second touches one second more than it is long. */
const SECONDS_KEPT = 61;

/** Counts a reservation made at `at`; a `count` of -1 takes it out again. */
export const addUsage = (usage: Usage, at: string, count: 1 | -1): Usage => ({
  recent: addRecent(usage.recent, Math.floor(Date.parse(at) / 1000), count),
  day: addPeriod(usage.day, at.slice(0, 10), count),
  month: addPeriod(usage.month, at.slice(0, 7), count),
});

const addRecent = (recent: Usage['recent'], second: number, count: number): Usage['recent'] => {
  const newest = recent.at(-1);
  if (newest && newest[0] === second && newest[1] + count > 0) {
    return recent.with(recent.length - 1, [second, newest[1] + count]);
  }
  const oldestKept = Math.max(newest?.[0] ?? second, second) - SECONDS_KEPT + 1;
  const before = recent.find(([kept]) => kept === second)?.[1] ?? 0;
  const others = recent.filter(([kept]) => kept >= oldestKept && kept !== second);
  if (before + count <= 0 || second < oldestKept) return others;
  const at = others.findIndex(([kept]) => kept > second);
  return others.toSpliced(at < 0 ? others.length : at, 0, [second, before + count]);
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
 * Messages in the last minute, this UTC day and this UTC month (contract 7.3), seen from `nowMs`.
 * A second that is partly older than a minute counts whole.
 */
export const usageAt = (
  { usage }: { usage: Usage },
  nowMs: number,
): { minute: number; day: number; month: number } => {
  const now = new Date(nowMs).toISOString();
  const second = Math.floor(nowMs / 1000);
  let minute = 0;
  for (const [start, count] of usage.recent) {
    // One from the future stands there because the clock was set back; a minute on it is over.
    if (start > second - SECONDS_KEPT && start < second + SECONDS_KEPT) minute += count;
  }
  return {
    minute,
    day: usage.day[0] === now.slice(0, 10) ? usage.day[1] : 0,
    month: usage.month[0] === now.slice(0, 7) ? usage.month[1] : 0,
  };
};
