import { DatabaseSync } from 'node:sqlite';
import type { Scratch } from '../scratch.ts';

/** Pages in memory; the others are in a file that SQLite removes from its directory at once. */
const CACHE_KIBIBYTES = 8 * 1024;

/** Lies in the directory for temporary files, which `SQLITE_TMPDIR` or `TMPDIR` names. */
export const openSqliteScratch = (): Scratch => {
  // SQLite gives a database without a name a temporary file.
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIBIBYTES};
    CREATE TABLE scratch (place INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
    BEGIN;`);
  const get = database.prepare('SELECT text FROM scratch WHERE key = ?');
  const put = database.prepare(`INSERT INTO scratch (key, text) VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET text = excluded.text`);
  const page = database.prepare(
    'SELECT place, text FROM scratch WHERE place > ? ORDER BY place LIMIT ?',
  );
  return {
    get: (key) => get.get(key)?.text as string | undefined,
    put: (key, text) => void put.run(key, text),
    *pages(size) {
      for (let after = 0; ; ) {
        const rows = page.all(after, size) as { place: number; text: string }[];
        if (rows.length === 0) return;
        yield rows.map(({ text }) => text);
        after = rows.at(-1)!.place;
      }
    },
    close: () => database.close(),
  };
};
