import type * as Driver from 'mongodb';
import type { Collection } from 'mongodb';
import { StoreUnavailable } from '../../events/store.ts';
import { createOnce, createSemaphore } from '../../shared/concurrency.ts';
import { createDelays } from '../../shared/retry.ts';
import { pause } from '../../shared/timing.ts';
import {
  type HeldSubject,
  KEYS_MAX,
  type KeyRecord,
  type KeyStore,
  KeysUnavailable,
  type SubjectRecord,
} from '../key-store.ts';

/** A subject with its wrapped keys by month: one document, so that each change is atomic. */
export interface Row {
  /** The hash of the subject. */
  _id: string;
  ref: string;
  accountId: string;
  /** In base64. */
  keys: Record<string, string>;
}

/** A connection to a database. */
export interface Connection {
  db: Pick<Driver.Db, 'collection' | 'command'>;
  /** Throws StoreUnavailable when the server is away, refuses, or takes longer than `limitMs`. */
  call<T>(limitMs: number, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export const LIMIT_MS = { probe: 1_500, read: 5_000, write: 20_000, manage: 60_000 } as const;
/** On most of a replica set, and in its journals: no election reverts it. */
export const DURABLE = { writeConcern: { w: 'majority', j: true, wtimeoutMS: 15_000 } } as const;
/** Reads what no election reverts. */
const SETTLED = { readConcern: 'majority', maxTimeMS: LIMIT_MS.read } as const;

export const textOf = (wrapped: Uint8Array): string => Buffer.from(wrapped).toString('base64');

export const subjectOf = ({ _id, ref, accountId }: Row): SubjectRecord => ({
  hash: _id,
  ref,
  accountId,
});

export const keyOf = ({ ref, accountId, keys }: Row, month: string): KeyRecord | undefined => {
  const wrapped = keys[month];
  if (wrapped === undefined) return undefined;
  return { ref, month, accountId, wrapped: Buffer.from(wrapped, 'base64') };
};

/** The collections, with their indexes once these are needed. */
const createRows = ({ db, call: callServer }: Connection) => {
  const rows: Driver.Collection<Row> = db.collection('keys.subjects');

  const call = async <T>(limitMs: number, work: () => Promise<T>): Promise<T> => {
    try {
      return await callServer(limitMs, work);
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      const { retryAfterSeconds } = cause;
      throw new KeysUnavailable('MongoDB does not serve the data keys', {
        retryAfterSeconds,
        cause,
      });
    }
  };
  const prepare = createOnce(() =>
    call(LIMIT_MS.manage, () =>
      rows.createIndexes([
        { key: { ref: 1 }, name: 'ref', unique: true },
        { key: { accountId: 1, _id: 1 }, name: 'account' },
      ]),
    ),
  );
  const find = (filter: Driver.Filter<Row>, options: Driver.FindOptions = {}) =>
    call(LIMIT_MS.read, () =>
      rows.find(filter, { ...SETTLED, batchSize: KEYS_MAX + 1, ...options }).toArray(),
    );
  return { rows, call, prepare, find };
};

export type Rows = ReturnType<typeof createRows>;

const demandFew = (asked: readonly unknown[]): void => {
  if (asked.length > KEYS_MAX)
    throw new Error(`${asked.length} keys in one call: ${KEYS_MAX} at most`);
};

const DUPLICATE_KEY = 11_000;

/** What a rival has written shows only once most of the replica set has it. */
const LOOK_AGAIN_DELAYS_MS = [0, 0, 5, 10, 20, 50, 100, 200, 400, 800, 1_600];

/** Calls at one time: half of the connections, which the read models use too. Others wait. */
const AT_ONCE = 10;
/** An account takes at most four times what it leaves to others. */
const SHARE = 4;
const WAIT_MS = 10_000;

/** Whether a bulk of writes failed because others were first, and for no other reason. */
const isOvertaken = (error: unknown): boolean => {
  const { writeErrors = [] } = (error ?? {}) as { writeErrors?: { code: number }[] };
  const errors = [writeErrors].flat();
  return errors.length > 0 && errors.every(({ code }) => code === DUPLICATE_KEY);
};

/** Two writers of one subject meet at its `_id`: the second one looks again. */
const createEnsure = ({ rows, call, prepare, find }: Rows): KeyStore['ensure'] => {
  /** Whether all of these are written; nothing is changed of subjects that are destroyed, or have the key. */
  const write = (
    held: readonly HeldSubject[],
    month: string,
    there: ReadonlyMap<string, Row>,
  ): Promise<boolean> =>
    call(LIMIT_MS.write, async () => {
      const operations = held.map(({ subject: { hash: _id, ref, accountId }, key }) => {
        const wrapped = textOf(key.wrapped);
        if (!there.has(_id)) {
          return { insertOne: { document: { _id, ref, accountId, keys: { [month]: wrapped } } } };
        }
        const filter = { _id, ref, [`keys.${month}`]: { $exists: false } };
        return { updateOne: { filter, update: { $set: { [`keys.${month}`]: wrapped } } } };
      });
      try {
        const done = await rows.bulkWrite(operations, { ordered: false, ...DURABLE });
        return done.insertedCount + done.matchedCount === held.length;
      } catch (error) {
        if (isOvertaken(error)) return false;
        throw error;
      }
    });

  const ensure: KeyStore['ensure'] = async (fresh, month, wrap) => {
    await prepare();
    const delays = createDelays(LOOK_AGAIN_DELAYS_MS);
    const made = new Map<string, HeldSubject>();
    let left = fresh;
    while (left.length > 0) {
      const found = await find({ _id: { $in: left.map(({ hash }) => hash) } });
      const there = new Map(found.map((row) => [row._id, row]));
      for (const row of found) {
        const key = keyOf(row, month);
        if (key) made.set(row._id, { subject: subjectOf(row), key });
      }
      left = left.filter(({ hash }) => !made.has(hash));
      const missing = left.map((one): HeldSubject => {
        const row = there.get(one.hash);
        const subject = row ? subjectOf(row) : one;
        const { ref, accountId } = subject;
        return { subject, key: { ref, month, accountId, wrapped: wrap(ref) } };
      });
      if (missing.length === 0 || (await write(missing, month, there))) {
        for (const one of missing) made.set(one.subject.hash, one);
        break;
      }
      const delayMs = delays.next();
      if (delayMs === undefined) throw new KeysUnavailable('others change the same data keys');
      if (delayMs > 0) await pause(delayMs);
    }
    return fresh.map(({ hash }) => made.get(hash)!);
  };

  const pool = createSemaphore(AT_ONCE, SHARE);
  return async (fresh, month, wrap) => {
    demandFew(fresh);
    const { accountId = '' } = fresh[0] ?? {};
    const isIn = pool.take(accountId) || (await pool.wait(accountId, WAIT_MS));
    if (!isIn) throw new KeysUnavailable('too many contacts are new at once');
    try {
      return await ensure(fresh, month, wrap);
    } finally {
      pool.release(accountId);
    }
  };
};

/** How far the destructions of the log are applied. */
interface State {
  _id: 'destructions';
  applied: number;
}

/** Subjects of one batch whose months are destroyed. */
const BATCH = 500;

const createDestroy = ({ rows, call, prepare, find }: Rows) => {
  const destroySubject = (ref: string): Promise<number> =>
    call(LIMIT_MS.write, async () => {
      const gone = await rows.findOneAndDelete({ ref }, DURABLE);
      return gone ? Object.keys(gone.keys).length : 0;
    });
  const destroyMonthsOf = async (batch: readonly Row[], through: string): Promise<number> => {
    let count = 0;
    const operations = batch.flatMap(({ _id, ref, keys }) => {
      const months = Object.keys(keys).filter((month) => month <= through);
      if (months.length === 0) return [];
      count += months.length;
      const $unset = Object.fromEntries(months.map((month) => [`keys.${month}`, 1 as const]));
      return [{ updateOne: { filter: { _id, ref }, update: { $unset } } }];
    });
    if (operations.length > 0) {
      await call(LIMIT_MS.write, () => rows.bulkWrite(operations, { ordered: false, ...DURABLE }));
    }
    return count;
  };

  return {
    async destroySubjects(refs: readonly string[]) {
      await prepare();
      let sum = 0;
      for (const ref of refs) sum += await destroySubject(ref);
      return sum;
    },
    async destroyMonths(accountId: string, through: string) {
      await prepare();
      let sum = 0;
      let after = '';
      let batch: Row[];
      do {
        const filter = { accountId, _id: { $gt: after } };
        batch = await find(filter, { sort: { _id: 1 }, limit: BATCH });
        sum += await destroyMonthsOf(batch, through);
        after = batch.at(-1)?._id ?? '';
      } while (batch.length === BATCH);
      return sum;
    },
  };
};

/**
 * Data keys in a MongoDB database. Calls throw KeysUnavailable while the server is away. Deleted keys
 * stay in the server's own journals and oplog until it overwrites these.
 */
export const keysOver = (connection: Connection): KeyStore => {
  const { db } = connection;
  const rows = createRows(connection);
  const { call, find } = rows;
  const state: Collection<State> = db.collection('keys.state');

  const findSubjects = async (field: '_id' | 'ref', values: readonly string[]) => {
    demandFew(values);
    if (values.length === 0) return [];
    const projection = { ref: 1, accountId: 1 };
    return (await find({ [field]: { $in: [...values] } }, { projection })).map(subjectOf);
  };

  return {
    ensure: createEnsure(rows),
    ...createDestroy(rows),
    async keys(names) {
      demandFew(names);
      if (names.length === 0) return [];
      const wanted = Map.groupBy(names, ({ ref }) => ref);
      const months = names.map(({ month }) => [`keys.${month}`, 1] as const);
      const projection = { ref: 1, accountId: 1, ...Object.fromEntries(months) };
      const found = await find({ ref: { $in: [...wanted.keys()] } }, { projection });
      return found.flatMap((row) =>
        wanted
          .get(row.ref)!
          .flatMap(({ month }) => keyOf({ ...row, keys: row.keys ?? {} }, month) ?? []),
      );
    },
    subjects: (hashes) => findSubjects('_id', hashes),
    subjectsOf: (refs) => findSubjects('ref', refs),
    async applied() {
      const found = await call(LIMIT_MS.read, () =>
        state.findOne({ _id: 'destructions' }, SETTLED),
      );
      return found?.applied ?? -1;
    },
    async setApplied(revision) {
      await call(LIMIT_MS.write, () =>
        state.updateOne(
          { _id: 'destructions' },
          { $max: { applied: revision } },
          { ...DURABLE, upsert: true },
        ),
      );
    },
    clean: async () => undefined,
    async health() {
      try {
        await call(LIMIT_MS.probe, () => db.command({ ping: 1 }));
        return { ok: true };
      } catch {
        return { ok: false, detail: 'MongoDB does not answer' };
      }
    },
    close: () => connection.close(),
  };
};
