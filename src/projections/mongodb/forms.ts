import { LRUCache } from 'lru-cache';
import type { Collection } from 'mongodb';
import { type Form, parseForm } from '../packing.ts';
import type { Kept } from '../views.ts';
import { type Connection, LIMIT_MS } from './connection.ts';
import { isDuplicate, unavailable } from './failure.ts';
import { formIn, type NamedForm, type Packed, type Row, unpack } from './form.ts';
import { DURABLE } from './registry.ts';

const FORMS_MAX = 10_000;
const COLLECTIONS_MAX = 1_000;

/** The forms of packed documents: rows of the same collection, so that they live as long as it. */
export const createForms = ({ call }: Pick<Connection, 'call'>) => {
  const read = new LRUCache<string, Form>({ max: FORMS_MAX });
  /** The forms that a MongoDB collection is known to hold. */
  const stored = new LRUCache<string, Set<string>>({ max: COLLECTIONS_MAX });

  const store = async (rows: Collection<Row>, { id, form }: NamedForm): Promise<void> => {
    const fresh = { $setOnInsert: { position: '', form } };
    await call(LIMIT_MS.write, () =>
      rows.updateOne({ _id: id }, fresh, { ...DURABLE, upsert: true }).catch((error) => {
        if (!isDuplicate(error)) throw error;
      }),
    );
  };

  const load = async (rows: Collection<Row>, ids: readonly string[]): Promise<void> => {
    const options = { projection: { form: 1 as const }, maxTimeMS: LIMIT_MS.read };
    const found = await call(LIMIT_MS.read, () =>
      rows.find({ _id: { $in: [...ids] } }, options).toArray(),
    );
    for (const { _id, form } of found) if (form !== undefined) read.set(_id, parseForm(form));
  };

  const formOf = (id: string): Form => {
    const form = read.get(id);
    // It is gone only together with the documents.
    if (!form) throw unavailable('the collection was dropped');
    return form;
  };

  return {
    /** Stores the forms of documents that the collection does not hold yet. */
    async demand(rows: Collection<Row>, packed: readonly Packed[]): Promise<void> {
      const held = stored.get(rows.collectionName) ?? new Set();
      stored.set(rows.collectionName, held);
      for (const { form } of packed) {
        if (!form || held.has(form.id)) continue;
        await store(rows, form);
        held.add(form.id);
      }
    },
    /** Looks again what the collection holds. */
    forget: (rows: Collection<Row>): void => void stored.delete(rows.collectionName),
    /** The documents of rows, without the removed ones. */
    async unpackAll<Doc>(rows: Collection<Row>, found: readonly Row[]): Promise<Kept<Doc>[]> {
      const ids = new Set(found.flatMap((row) => formIn(row) ?? []));
      const missing = [...ids].filter((id) => !read.has(id));
      if (missing.length > 0) await load(rows, missing);
      return found.flatMap((row) => unpack<Doc>(row, formOf) ?? []);
    },
  };
};

export type Forms = ReturnType<typeof createForms>;
