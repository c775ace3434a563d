import type { Collection } from 'mongodb';
import { KEYS_MAX, type KeyStore } from '../key-store.ts';
import { createEnsure } from './ensure.ts';
import {
  type Connection,
  createRows,
  DURABLE,
  keyOf,
  LIMIT_MS,
  type Row,
  type Rows,
  SETTLED,
  subjectOf,
} from './rows.ts';

/** How far the destructions of the log are applied. */
interface State {
  _id: 'destructions';
  applied: number;
}

/** Subjects of one batch whose months are destroyed. */
const BATCH = 500;

const demandFew = (asked: readonly unknown[]): void => {
  if (asked.length > KEYS_MAX)
    throw new Error(`${asked.length} keys in one call: ${KEYS_MAX} at most`);
};

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
