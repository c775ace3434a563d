import type { Collection, Filter, UpdateFilter } from 'mongodb';
import { type Connection, LIMIT_MS } from './connection.ts';
import { isDuplicate } from './failure.ts';
import { DURABLE } from './registry.ts';

interface Lease {
  _id: string;
  /** Null after it was given back. */
  holder: string | null;
  /** Counts up with each renewal and each change of holder. */
  beat: number;
}

/** When a rival's lease was first seen at this beat. */
interface Seen {
  beat: number;
  since: number;
}

/**
 * Leases that need no shared clock: the holder counts up, and a process that has seen the same count
 * for the lease's whole time, by its own clock, may take the lease. The count guards the change, so
 * only one process succeeds.
 */
export const createLeases = (
  { db, call }: Pick<Connection, 'db' | 'call'>,
  monotonicMs: () => number = () => performance.now(),
) => {
  const leases: Collection<Lease> = db.collection('views.leases');
  const seen = new Map<string, Seen>();

  const change = (filter: Filter<Lease>, update: UpdateFilter<Lease>): Promise<boolean> =>
    call(LIMIT_MS.read, async () => {
      const { matchedCount } = await leases.updateOne(filter, update, DURABLE);
      return matchedCount === 1;
    });

  /** No lease has beat 0: MongoDB inserts, or reports the id as taken. */
  const create = (name: string, holder: string): Promise<boolean> =>
    call(LIMIT_MS.read, async () => {
      const filter = { _id: name, beat: 0 };
      try {
        await leases.updateOne(filter, { $set: { holder, beat: 1 } }, { ...DURABLE, upsert: true });
        return true;
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
    });

  const isOver = (name: string, { beat, holder }: Lease, ttlMs: number): boolean => {
    if (holder === null) return true;
    const known = seen.get(name);
    if (known?.beat !== beat) {
      seen.set(name, { beat, since: monotonicMs() });
      return false;
    }
    return monotonicMs() - known.since >= ttlMs;
  };

  return {
    async take(name: string, holder: string, ttlMs: number): Promise<boolean> {
      if (ttlMs <= 0) {
        await change({ _id: name, holder }, { $set: { holder: null }, $inc: { beat: 1 } });
        return false;
      }
      if (await change({ _id: name, holder }, { $inc: { beat: 1 } })) return true;
      const lease = await call(LIMIT_MS.read, () => leases.findOne({ _id: name }));
      if (!lease) return create(name, holder);
      if (!isOver(name, lease, ttlMs)) return false;
      const { beat } = lease;
      return change({ _id: name, beat }, { $set: { holder }, $inc: { beat: 1 } });
    },
  };
};
