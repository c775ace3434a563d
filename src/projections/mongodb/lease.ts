import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { Coordination, Shares } from '../coordination.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';
import { DURABLE } from './registry.ts';

/** A unit of work, or under `holder:` and a name, a process. */
interface Lease {
  _id: string;
  /** Of a unit; null after it was given back. */
  holder?: string | null;
  /** Of a process: counts up with each renewal. */
  beat?: number;
}

/** When a process was first seen at this beat. */
interface Seen {
  beat: number;
  since: number;
}

/** Tells for how long a process has stood at a beat, in milliseconds. */
const createSilence = (monotonicMs: () => number) => {
  const seen = new Map<string, Seen>();
  return {
    of(name: string, beat: number): number {
      const now = monotonicMs();
      const before = seen.get(name);
      if (before?.beat === beat) return now - before.since;
      seen.set(name, { beat, since: now });
      return 0;
    },
    forget: (name: string): void => void seen.delete(name),
  };
};

const PREFIX = 'holder:';
/** The row of a process that ended without leaving is removed after so many of its leases' times. */
const FORGOTTEN_AFTER = 15;

/** Changes one row; false when none matched, or another process inserted it first. */
const createChange =
  ({ call }: Pick<Connection, 'call'>, leases: Collection<Lease>) =>
  (filter: Filter<Lease>, update: UpdateFilter<Lease>, upsert = false): Promise<boolean> =>
    call(LIMIT_MS.read, async () => {
      try {
        const { matchedCount } = await leases.updateOne(filter, update, { ...DURABLE, upsert });
        return upsert || matchedCount === 1;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });

/**
 * Leases that need no shared clock: each process counts up, and one that has stood at the same count
 * for a lease's whole time, by the clock of the process that looks, has lost its units. The name of
 * the lost holder guards the change, so only one process takes a unit.
 */
export const createLeases = (
  { db, call }: Pick<Connection, 'db' | 'call'>,
  monotonicMs: () => number = () => performance.now(),
): Omit<Coordination, 'windows'> => {
  const leases: Collection<Lease> = db.collection('views.leases');
  const change = createChange({ call }, leases);
  const silence = createSilence(monotonicMs);
  /** What the last look found of each unit. */
  let known = new Map<string, string | null>();

  const forget = async (id: string, beat: number): Promise<void> => {
    silence.forget(id.slice(PREFIX.length));
    await call(LIMIT_MS.read, () => leases.findOneAndDelete({ _id: id, beat }));
  };

  const look = async (ttlMs: number): Promise<Shares> => {
    const all = await call(LIMIT_MS.read, () => leases.find({}).toArray());
    const holders = new Set<string>();
    for (const { _id, beat = 0 } of all) {
      if (!_id.startsWith(PREFIX)) continue;
      const name = _id.slice(PREFIX.length);
      const silenceMs = silence.of(name, beat);
      if (silenceMs < ttlMs) holders.add(name);
      else if (silenceMs > FORGOTTEN_AFTER * ttlMs) await forget(_id, beat);
    }
    const units = all.filter(({ _id }) => !_id.startsWith(PREFIX));
    known = new Map(units.map(({ _id, holder = null }) => [_id, holder]));
    const held = [...known].filter((one): one is [string, string] => holders.has(one[1] ?? ''));
    return { holders: [...holders].sort(), held: new Map(held) };
  };

  return {
    look,
    async renew(holder, ttlMs) {
      await change({ _id: PREFIX + holder }, { $inc: { beat: 1 } }, true);
      return look(ttlMs);
    },
    async take(unit, holder) {
      const before = known.get(unit);
      if (before !== undefined) return change({ _id: unit, holder: before }, { $set: { holder } });
      // No unit has a beat below 0: MongoDB inserts, or reports the id as taken.
      return change({ _id: unit, beat: -1 }, { $set: { holder, beat: 0 } }, true);
    },
    async giveBack(unit, holder) {
      await change({ _id: unit, holder }, { $set: { holder: null } });
    },
    async leave(holder) {
      const gone = { $set: { holder: null } };
      await call(LIMIT_MS.read, () => leases.updateMany({ holder }, gone, DURABLE));
      await call(LIMIT_MS.read, () => leases.findOneAndDelete({ _id: PREFIX + holder }));
    },
  };
};
