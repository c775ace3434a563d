import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { START } from '../events/store.ts';
import type { PackedCommit } from './views.sqlite.protocol.ts';
import { checkedName, selectOf, tableOf } from './views.sqlite.query.ts';
import { createWriterThread, type ViewsWriter } from './views.sqlite.writer.ts';
import { type Commit, type Kept, Unwritable, type Views, type Write } from './views.ts';

const STATEMENTS_MAX = 256;
const CACHE_KIBIBYTES = 32 * 1024;
/** In WAL mode a reader waits for nobody; only a recovery after a crash may hold it up. */
const LOCK_TIMEOUT_MS = 1_000;
const PROBE_TIMEOUT_MS = 2_000;

interface Row {
  id: string;
  position: string;
  document: string;
}

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

const pack = ({ collection, writes, from, to }: Commit): PackedCommit => {
  checkedName(collection);
  const rows: (string | null)[] = [];
  for (const write of writes) rows.push(write.id, write.position, textOf(collection, write));
  return { collection, from, to, rows };
};

const createReading = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true, timeout: LOCK_TIMEOUT_MS });
  database.exec(`PRAGMA cache_size = -${CACHE_KIBIBYTES}`);
  const statements = new LRUCache<string, StatementSync>({ max: STATEMENTS_MAX });
  const prepared = (text: string): StatementSync => {
    const known = statements.get(text);
    if (known) return known;
    const statement = database.prepare(text);
    statements.set(text, statement);
    return statement;
  };
  return {
    one: (text: string, ...parameters: (string | number)[]) =>
      prepared(text).get(...parameters) as unknown,
    all: (text: string, ...parameters: (string | number)[]) =>
      prepared(text).all(...parameters) as unknown[],
    close: () => {
      statements.clear();
      if (database.isOpen) database.close();
    },
  };
};

const withinTime = async (work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer from the writer')), PROBE_TIMEOUT_MS);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
};

/**
 * Documents in one SQLite file. One connection in a thread of its own writes; reads are answered
 * at once by a second one, which sees a commit as soon as it has resolved.
 */
export const openSqliteViews = async ({
  directory,
  createWriter = createWriterThread,
}: {
  directory: string;
  /** Who writes; a thread of its own when absent. */
  createWriter?: (file: string) => ViewsWriter;
}): Promise<Views> => {
  const file = makePrivate(directory);
  const writer = createWriter(file);
  // The writer makes the tables of the file; the reader cannot.
  await writer.run({ kind: 'probe' });
  const reading = createReading(file);

  return {
    async prepare(collection, indexes) {
      await writer.run({ kind: 'prepare', collection, statements: tableOf(collection, indexes) });
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
    async find<Doc>(collection: string, query: Parameters<Views['find']>[1]) {
      const { text, parameters } = selectOf(collection, query);
      return (reading.all(text, ...parameters) as Row[]).map(keep<Doc>);
    },
    async commit(commits) {
      if (commits.length > 0) await writer.run({ kind: 'commit', commits: commits.map(pack) });
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
      return writer.run({ kind: 'drop', collection: checkedName(collection) });
    },
    async takeLease(_name, _holder, ttlMs) {
      return ttlMs > 0;
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
      reading.close();
      await writer.close();
    },
  };
};
