import type { ReactorShare, RunningReactor } from '../../commands/core/reactor.ts';
import { DUTIES, hasOlderReactors, isOlder } from './duties.ts';
import { createWork, type Started } from './work.ts';

/** Those of some partitions. */
export interface SharedReactors extends Started {
  add(partitions: readonly number[]): void;
}

/** The number of all partitions is in the name: units of two numbers are never one another's. */
const unitOf = (count: number, partition: number): string => `reactors-${count}.${partition}`;

interface Unit {
  count: number;
  partition: number;
}

const parse = (unit: string): Unit | undefined => {
  const [, count, partition] = /^reactors-(\d+)\.(\d+)$/.exec(unit) ?? [];
  return count === undefined ? undefined : { count: Number(count), partition: Number(partition) };
};

export const reactorUnits = (count: number): string[] =>
  Array.from({ length: count }, (_, partition) => unitOf(count, partition));

/** The process that runs the reactors of each partition, as far as one does. */
export const reactorHolders = (held: ReadonlyMap<string, string>): readonly (string | null)[] => {
  const holders: (string | null)[] = [];
  for (const [name, holder] of held) {
    const unit = parse(name);
    if (!unit) continue;
    while (holders.length < unit.count) holders.push(null);
    holders[unit.partition] = holder;
  }
  return holders;
};

/**
 * Whether a unit that no process has may be taken. None is while units of another number of partitions
 * are still worked on, nor before a newer worker has the duties: else an older one could take these,
 * and all reactors with them.
 */
export const mayTakeUnit = (unit: string, held: ReadonlyMap<string, string>): boolean => {
  const mine = parse(unit);
  if (!mine) return true;
  const others = [...held.keys()].flatMap((one) => parse(one) ?? []);
  const isOnlyNumber = others.every(({ count }) => count === mine.count);
  return isOnlyNumber && held.has(DUTIES) && !hasOlderReactors(held);
};

/** An older worker takes no partition of the reactors. */
export const canDoUnit = (holder: string, unit: string): boolean =>
  !parse(unit) || !isOlder(holder);

/** Runs the reactors for this process's units. */
export const createReactorShare = (start: (share: ReactorShare) => SharedReactors) => {
  let share: { count: number; held: ReadonlySet<number> } = { count: 1, held: new Set() };
  const work = createWork(() => start({ count: share.count, held: [...share.held] }));

  const shareIn = (units: Iterable<string>) => {
    const all = [...units].flatMap((unit) => parse(unit) ?? []);
    return { count: all[0]?.count ?? 1, held: new Set(all.map(({ partition }) => partition)) };
  };

  return {
    reactors: (): readonly RunningReactor[] => work.running()?.reactors ?? [],
    partitions: (): readonly number[] => [...share.held].sort((a, b) => a - b),
    /**
     * Ends the work on what is not among these units, once what runs has ended. The rest of the work
     * ends with it, and begins again with `hold`.
     */
    async release(units: Iterable<string>): Promise<void> {
      const { count, held } = shareIn(units);
      if (work.running() && count === share.count && share.held.isSubsetOf(held)) return;
      share = { count, held: new Set() };
      await work.end();
    },
    /** Works on these units, too. Call it when `release` has resolved. */
    hold(units: Iterable<string>): void {
      const next = shareIn(units);
      if (next.held.size === 0) return;
      const added = [...next.held.difference(share.held)];
      share = next;
      if (!work.begin() && added.length > 0) work.running()?.add(added);
    },
  };
};
