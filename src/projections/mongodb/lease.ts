import type { Collection, Filter, UpdateFilter } from 'mongodb';
import type { Coordination, ProcessLeases, Shares } from '../coordination.ts';
import { type Connection, DURABLE, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';

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
    /** Forgets all other processes. */
    keepOnly(names: ReadonlySet<string>): void {
      for (const name of seen.keys()) if (!names.has(name)) seen.delete(name);
    },
  };
};

const PREFIX = 'holder:';
/** The row of a process that ended without leaving is removed after so many of its leases' times. */
const FORGOTTEN_AFTER = 15;

/** Changes one row; false when none matched, or another process inserted it first. */
const createChange =
  <Row extends { _id: string }>({ call }: Pick<Connection, 'call'>, leases: Collection<Row>) =>
  (filter: Filter<Row>, update: UpdateFilter<Row>, upsert = false): Promise<boolean> =>
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
): Omit<Coordination, 'windows' | 'processes'> => {
  const leases: Collection<Lease> = db.collection('views.leases');
  const change = createChange({ call }, leases);
  const silence = createSilence(monotonicMs);
  /** What the last look found of each unit. */
  let known = new Map<string, string | null>();
  /** Who was there then. */
  let there: ReadonlySet<string> = new Set();

  const forget = (id: string, beat: number) =>
    call(LIMIT_MS.read, () => leases.findOneAndDelete({ _id: id, beat }));

  const look = async (ttlMs: number): Promise<Shares> => {
    const all = await call(LIMIT_MS.read, () => leases.find({}).toArray());
    const holders = new Set<string>();
    const names = new Set<string>();
    for (const { _id, beat = 0 } of all) {
      if (!_id.startsWith(PREFIX)) continue;
      const name = _id.slice(PREFIX.length);
      names.add(name);
      const silenceMs = silence.of(name, beat);
      if (silenceMs < ttlMs) holders.add(name);
      else if (silenceMs > FORGOTTEN_AFTER * ttlMs) await forget(_id, beat);
    }
    silence.keepOnly(names);
    there = holders;
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
      // It was first: there may have been another look since that of the caller.
      if (before && before !== holder && there.has(before)) return false;
      if (before !== undefined) return change({ _id: unit, holder: before }, { $set: { holder } });
      // No unit has a beat below 0: MongoDB inserts, or reports the id as taken.
      return change({ _id: unit, beat: -1 }, { $set: { holder, beat: 0 } }, true);
    },
    async release(unit, holder) {
      await change({ _id: unit, holder }, { $set: { holder: null } });
    },
    async leave(holder) {
      const gone = { $set: { holder: null } };
      await call(LIMIT_MS.read, () => leases.updateMany({ holder }, gone, DURABLE));
      await call(LIMIT_MS.read, () => leases.findOneAndDelete({ _id: PREFIX + holder }));
    },
  };
};

/** A process, by the id of its lease. */
interface ProcessRow {
  _id: string;
  /** Counts up with each renewal. */
  beat: number;
  isEnded?: true;
}

/** An ended lease is remembered for so many times its length: longer than any claim names it. */
const ENDED_KEPT = 150;

/**
 * Leases of processes, without a shared clock as well. A change that is guarded by the beat ends a
 * lease, and a renewal needs one that is not ended, so a process that was frozen learns of its end.
 */
export const createProcessLeases = (
  { db, call }: Pick<Connection, 'db' | 'call'>,
  monotonicMs: () => number = () => performance.now(),
): ProcessLeases => {
  const processes: Collection<ProcessRow> = db.collection('views.processes');
  const change = createChange({ call }, processes);
  const silence = createSilence(monotonicMs);
  /** When this process saw that a lease has ended. */
  let endedAt = new Map<string, number>();

  return {
    async begin(id) {
      await change({ _id: id, beat: -1 }, { $set: { beat: 0 } }, true);
    },
    renew: (id) => change({ _id: id, isEnded: { $exists: false } }, { $inc: { beat: 1 } }),
    async endSilent(ttlMs) {
      const rows = await call(LIMIT_MS.read, () => processes.find({}).toArray());
      const ended = new Map<string, number>();
      for (const { _id: id, beat } of rows) {
        const silenceMs = silence.of(id, beat);
        if (silenceMs > ENDED_KEPT * ttlMs) {
          await call(LIMIT_MS.read, () => processes.findOneAndDelete({ _id: id, beat }));
        } else if (endedAt.has(id)) {
          ended.set(id, endedAt.get(id)!);
        } else if (silenceMs >= ttlMs) {
          // Also where another process has: a majority must have it before this one acts on it.
          const isEnded = await change({ _id: id, beat }, { $set: { isEnded: true } });
          if (isEnded) ended.set(id, monotonicMs());
        }
      }
      endedAt = ended;
      silence.keepOnly(new Set(rows.map(({ _id }) => _id)));
      const now = monotonicMs();
      return new Map([...ended].map(([id, at]) => [id, now - at]));
    },
  };
};
