import type { SharedWindow, SharedWindows } from '../../src/projections/coordination.ts';

/** Shared windows in memory. `turn` stands for the way there; it may hold or throw. */
export const createWindows = (
  now: () => number,
  turn: () => Promise<void> = async () => undefined,
) => {
  const rows = new Map<string, { number: number; taken: number; beganAt: number }>();
  let calls = 0;
  const seen = (bucket: string): SharedWindow | undefined => {
    const row = rows.get(bucket);
    return row && { number: row.number, taken: row.taken, ageMs: now() - row.beganAt };
  };
  const step = async <T>(work: () => T): Promise<T> => {
    calls += 1;
    await turn();
    const result = work();
    await turn();
    return result;
  };
  const windows: SharedWindows = {
    look: (bucket) => step(() => seen(bucket)),
    take: (bucket, number, count, limit) =>
      step(() => {
        const row = rows.get(bucket);
        if (row?.number !== number || row.taken > limit - count) return undefined;
        row.taken += count;
        return seen(bucket);
      }),
    begin: (bucket, after, count) =>
      step(() => {
        if ((rows.get(bucket)?.number ?? 0) !== after) return undefined;
        rows.set(bucket, { number: after + 1, taken: count, beganAt: now() });
        return seen(bucket);
      }),
    release: (bucket, number, count) =>
      step(() => {
        const row = rows.get(bucket);
        if (row?.number === number) row.taken -= count;
      }),
  };
  return { windows, calls: () => calls, taken: (bucket: string) => rows.get(bucket)?.taken };
};
