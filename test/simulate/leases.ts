import type { Coordination } from '../../src/projections/coordination.ts';
import type { Way } from './log.ts';

/** Leases in memory, over several processes. Each handle is that of one process. */
export const createLeases = (elapsedMs: () => number) => {
  const until = new Map<string, number>();
  const units = new Map<string, string>();

  const look = () => {
    const holders = [...until].flatMap(([name, end]) => (end > elapsedMs() ? [name] : [])).sort();
    const held = [...units].filter(([, holder]) => holders.includes(holder));
    return { holders, held: new Map(held) };
  };

  return ({ to, back }: Way): Coordination => {
    let seen = new Map<string, string>();
    const step = async <T>(what: string, work: () => T): Promise<T> => {
      await to(what);
      const done = work();
      await back(what);
      return done;
    };
    const lookAgain = () => {
      seen = new Map(units);
      return look();
    };
    return {
      look: () => step('look at the leases', lookAgain),
      renew: (holder, ttlMs) =>
        step('renew the leases', () => {
          until.set(holder, elapsedMs() + ttlMs);
          return lookAgain();
        }),
      take: (unit, holder) =>
        step(`take ${unit}`, () => {
          if (units.get(unit) !== seen.get(unit)) return false;
          units.set(unit, holder);
          return true;
        }),
      release: (unit, holder) =>
        step(`give back ${unit}`, () => {
          if (units.get(unit) === holder) units.delete(unit);
        }),
      leave: (holder) =>
        step('leave', () => {
          until.delete(holder);
          for (const [unit, by] of units) if (by === holder) units.delete(unit);
        }),
    };
  };
};
