import { DatabaseSync } from 'node:sqlite';
import type { Scratch } from '../scratch.ts';
import { StoreUnavailable } from '../store.ts';

/** Pages in memory; the others are in a file that SQLite removes from its directory at once. */
const CACHE_KIBIBYTES = 8 * 1024;

/** 16 GiB of 4 KiB pages. */
const PAGES_MAX = 4 * 1024 * 1024;

/** Says what to do where the file cannot grow. */
const naming = <T>(work: () => T): T => {
  try {
    return work();
  } catch (cause) {
    const reason = (cause as Error).message;
    const remedy = 'choose a shorter period, or free the directory that TMPDIR names';
    throw new StoreUnavailable(`a temporary file cannot be used (${reason}): ${remedy}`, { cause });
  }
};

/** Lies in the directory for temporary files, which `SQLITE_TMPDIR` or `TMPDIR` names. */
export const openSqliteScratch = (pagesMax = PAGES_MAX): Scratch => {
  // SQLite gives a database without a name a temporary file.
  const database = new DatabaseSync('');
  database.exec(`
    PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIBIBYTES};
    PRAGMA max_page_count = ${pagesMax};
    CREATE TABLE scratch (place INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, text TEXT NOT NULL) STRICT;
    BEGIN;`);
  const get = database.prepare('SELECT text FROM scratch WHERE key = ?');
  const put = database.prepare(`INSERT INTO scratch (key, text) VALUES (?, ?)
    ON CONFLICT (key) DO UPDATE SET text = excluded.text`);
  const page = database.prepare(
    'SELECT place, text FROM scratch WHERE place > ? ORDER BY place LIMIT ?',
  );
  return {
    get: (key) => naming(() => get.get(key))?.text as string | undefined,
    put: (key, text) => void naming(() => put.run(key, text)),
    *pages(size) {
      for (let after = 0; ; ) {
        const found = naming(() => page.all(after, size));
        const rows = found as { place: number; text: string }[];
        if (rows.length === 0) return;
        yield rows.map(({ text }) => text);
        after = rows.at(-1)!.place;
      }
    },
    close: () => database.close(),
  };
};
