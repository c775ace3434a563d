import type * as Driver from 'mongodb';
import { StoreUnavailable } from '../../events/store.ts';
import { KEYS_MAX, type KeyRecord, KeysUnavailable, type SubjectRecord } from '../key-store.ts';

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
export const SETTLED = { readConcern: 'majority', maxTimeMS: LIMIT_MS.read } as const;

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
export const createRows = ({ db, call: callServer }: Connection) => {
  const rows: Driver.Collection<Row> = db.collection('keys.subjects');
  let prepared: Promise<unknown> | undefined;

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
  const prepare = () => {
    prepared ??= call(LIMIT_MS.manage, () =>
      rows.createIndexes([
        { key: { ref: 1 }, name: 'ref', unique: true },
        { key: { accountId: 1, _id: 1 }, name: 'account' },
      ]),
    ).catch((error) => {
      prepared = undefined;
      throw error;
    });
    return prepared;
  };
  const find = (filter: Driver.Filter<Row>, options: Driver.FindOptions = {}) =>
    call(LIMIT_MS.read, () =>
      rows.find(filter, { ...SETTLED, batchSize: KEYS_MAX + 1, ...options }).toArray(),
    );
  return { rows, call, prepare, find };
};

export type Rows = ReturnType<typeof createRows>;
