import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { START } from '../../events/store.ts';
import {
  type Commit,
  FIND_ROWS_MAX,
  type Kept,
  type Query,
  type Scan,
  Unserved,
  Unwritable,
  type Views,
  type Write,
} from '../views.ts';
import { checkedName } from '../walk.ts';
import { createInlineLister, type Lister } from './lister.ts';
import type { PackedCommit } from './protocol.ts';
import { tableOf } from './query.ts';
import { openReading } from './reading.ts';
import { columnsOf } from './rows.ts';
import { type Row, walkAtOnce } from './walk.ts';
import { createWriterThread, type ViewsWriter } from './writer.ts';

const CACHE_KIBIBYTES = 32 * 1024;
const PROBE_TIMEOUT_MS = 2_000;

const keep = <Doc>({ id, position, document }: Row): Kept<Doc> => ({
  id,
  position,
  document: JSON.parse(document) as Doc,
});

/** The files that SQLite makes beside it take over its mode. */
const makePrivate = (directory: string): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, 'views.db');
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
};

const textOf = (collection: string, write: Write): string | null => {
  if (write.document === null) return null;
  try {
    return JSON.stringify(write.document);
  } catch (error) {
    throw new Unwritable(collection, write.position, error);
  }
};

const pack = (
  { collection, writes, from, to }: Commit,
  fields: readonly string[],
): PackedCommit => {
  const rows: PackedCommit['rows'] = [];
  for (const write of writes) {
    rows.push(write.id, write.position, textOf(collection, write));
    rows.push(...columnsOf(write.document, fields));
  }
  return { collection, from, to, fields, rows };
};

const withinTime = async (work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer from the writer')), PROBE_TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/**
 * Documents in one SQLite file. One connection in a thread of its own writes. A second one answers
 * reads at once; it sees a commit as soon as that has resolved. Lists may have a third.
 */
export const openSqliteViews = async ({
  directory,
  createWriter = createWriterThread,
  createLister,
}: {
  directory: string;
  /** Who writes; a thread of its own when absent. */
  createWriter?: (file: string) => ViewsWriter;
  /** Who reads lists; the thread that asks when absent. */
  createLister?: (file: string) => Lister;
}): Promise<Views> => {
  const file = makePrivate(directory);
  const writer = createWriter(file);
  // The writer makes the tables of the file; the reader cannot.
  await writer.run({ kind: 'probe' });
  const reading = openReading(file, { cacheKibibytes: CACHE_KIBIBYTES });
  const lister = createLister?.(file) ?? createInlineLister(reading);

  return {
    async prepare(collection, indexes, filters = []) {
      const statements = tableOf(collection, indexes, filters);
      await writer.run({ kind: 'prepare', collection, statements });
    },
    async get<Doc>(collection: string, id: string) {
      const text = `SELECT id, position, document FROM ${checkedName(collection)} WHERE id = ?`;
      const row = reading.one(text, id);
      return row ? keep<Doc>(row as Row) : undefined;
    },
    async getMany<Doc>(collection: string, ids: readonly string[]) {
      const text = `SELECT id, position, document FROM ${checkedName(collection)}
        WHERE id IN (SELECT value FROM json_each(?))`;
      return (reading.all(text, JSON.stringify(ids)) as Row[]).map(keep<Doc>);
    },
    async find<Doc>(collection: string, query: Query) {
      const { rows, next } = walkAtOnce(reading.iterate, reading.shape(collection), {
        ...query,
        rowsMax: FIND_ROWS_MAX,
        charactersMax: Number.POSITIVE_INFINITY,
      });
      if (next !== null && rows.length < query.limit) throw new Unserved(collection, query);
      return rows.map(keep<Doc>);
    },
    async scan<Doc>(collection: string, scan: Scan, signal?: AbortSignal) {
      const { rows, next } = await lister.scan(
        { collection: checkedName(collection), scan },
        signal,
      );
      return { rows: rows.map(keep<Doc>), next };
    },
    async commit(commits) {
      if (commits.length === 0) return;
      const packed = commits.map((one) => pack(one, reading.shape(one.collection).fields));
      await writer.run({ kind: 'commit', commits: packed });
    },
    async checkpoint(collection) {
      const row = reading.one('SELECT position FROM _collections WHERE name = ?', collection);
      return (row as { position: string } | undefined)?.position ?? START;
    },
    async checkpoints() {
      const rows = reading.all('SELECT name, position FROM _collections');
      return Object.fromEntries(
        (rows as { name: string; position: string }[]).map(({ name, position }) => [
          name,
          position,
        ]),
      );
    },
    async live() {
      const rows = reading.all('SELECT projection, collection FROM _live');
      return Object.fromEntries(
        (rows as { projection: string; collection: string }[]).map((row) => [
          row.projection,
          row.collection,
        ]),
      );
    },
    async promote(projection, collection, instead) {
      checkedName(collection);
      return writer.run({ kind: 'promote', projection, collection, instead });
    },
    async collections() {
      const rows = reading.all('SELECT name FROM _collections ORDER BY name');
      return (rows as { name: string }[]).map(({ name }) => name);
    },
    async drop(collection) {
      const dropped = await writer.run({ kind: 'drop', collection: checkedName(collection) });
      reading.forgetShapes();
      return dropped;
    },
    async health() {
      try {
        reading.one('SELECT 1');
        await withinTime(writer.run({ kind: 'probe' }));
        return { ok: true };
      } catch (error) {
        return { ok: false, detail: (error as Error).message };
      }
    },
    async close() {
      await lister.close();
      reading.close();
      await writer.close();
    },
  };
};
