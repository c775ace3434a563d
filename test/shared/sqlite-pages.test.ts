import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import fc from 'fast-check';
import { createFileCleaner, type FileCleaner } from '../../src/shared/sqlite-pages.ts';
import { temporaryFolder } from '../support/folder.ts';

const NEEDLE = 'NEEDLE';
const occurrences = (file: string): number => readFileSync(file, 'latin1').split(NEEDLE).length - 1;

const run = (cleaner: FileCleaner, between: () => void = () => undefined): boolean => {
  const cleaning = cleaner.clean();
  for (;;) {
    const { done, value } = cleaning.next();
    if (done) return value;
    between();
  }
};

describe('the cleaning of an SQLite file', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let database: DatabaseSync;
  let file: string;
  let cleaner: FileCleaner;
  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder.path, 'test.db');
    database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON;
      CREATE TABLE rows (id TEXT PRIMARY KEY, number ANY, document TEXT NOT NULL) STRICT;
      CREATE INDEX by_number ON rows (number)`);
    cleaner = createFileCleaner(database, file);
  });
  afterEach(() => {
    database.close();
    cleaner.close();
    folder.remove();
  });

  const put = (id: string, text: string, number: string | null = text.slice(0, 20)) =>
    database.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?)').run(id, number, text);
  /** Rows of many lengths, which move between pages, and are then emptied. */
  const fillAndEmpty = (count: number, ids: (number: number) => string) => {
    database.exec('BEGIN');
    for (let number = 0; number < count; number += 1) {
      const length = 1 + ((number * 7919) % (number % 50 === 0 ? 900 : 60));
      put(ids(number), NEEDLE.repeat(length), `${NEEDLE}${number}`);
    }
    database.exec('COMMIT; BEGIN');
    for (let number = 0; number < count; number += 1) put(ids(number), '{}', null);
    database.exec('COMMIT');
  };
  const scattered = (number: number) => `id${(number * 48_271) % 65_537}`;
  const mustBeSound = (rows: number) => {
    const { integrity_check } = database.prepare('PRAGMA integrity_check').get()!;
    expect(integrity_check).to.equal('ok');
    const { count } = database.prepare('SELECT count(*) AS count FROM rows').get()!;
    expect(count).to.equal(rows);
  };

  it('removes what SQLite leaves behind, and nothing else', () => {
    fillAndEmpty(5_000, scattered);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(occurrences(file), 'left behind by SQLite').to.be.above(0);
    expect(run(cleaner)).to.equal(true);
    expect(occurrences(file)).to.equal(0);
    expect(occurrences(`${file}-wal`)).to.equal(0);
    mustBeSound(5_000);
  });

  it('lets nothing come back with later writes of the same connection', () => {
    fillAndEmpty(5_000, scattered);
    run(cleaner);
    for (let number = 0; number < 5_000; number += 9) put(scattered(number), 'x'.repeat(300));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(occurrences(file)).to.equal(0);
    mustBeSound(5_000);
  });

  it('cleans what is written meanwhile, too', () => {
    fillAndEmpty(5_000, scattered);
    let number = 0;
    const isClean = run(cleaner, () => {
      for (let more = 0; more < 40; more += 1) {
        number += 1;
        put(scattered(number * 13), NEEDLE.repeat(100));
        put(scattered(number * 13), 'y'.repeat(50));
      }
    });
    expect(isClean).to.equal(true);
    expect(number).to.be.above(0);
    expect(occurrences(file) + occurrences(`${file}-wal`)).to.equal(0);
    mustBeSound(5_000);
  });

  it('says so while a reader keeps the log from being emptied, and changes no setting', () => {
    fillAndEmpty(100, scattered);
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM rows').get();
    put('more', 'z');
    expect(run(cleaner)).to.equal(false);
    reader.exec('COMMIT');
    reader.close();
    expect(run(cleaner)).to.equal(true);
    const { wal_autocheckpoint } = database.prepare('PRAGMA wal_autocheckpoint').get()!;
    expect(wal_autocheckpoint).to.equal(1_000);
  });

  it('keeps every row of any table', () => {
    const row = fc.record({
      id: fc.integer({ min: 0, max: 200 }),
      length: fc.integer({ min: 0, max: 9_000 }),
      isGone: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 300 }), (rows) => {
        database.exec('DELETE FROM rows');
        const expected = new Map<string, string>();
        for (const { id, length, isGone } of rows) {
          put(`id${id}`, 'v'.repeat(length));
          expected.set(`id${id}`, 'v'.repeat(length));
          if (!isGone) continue;
          database.prepare('DELETE FROM rows WHERE id = ?').run(`id${id}`);
          expected.delete(`id${id}`);
        }
        expect(run(cleaner)).to.equal(true);
        const kept = database.prepare('SELECT id, document FROM rows').all();
        const found = new Map(kept.map(({ id, document }) => [id, document]));
        expect(found).to.deep.equal(expected);
        mustBeSound(expected.size);
      }),
      { numRuns: 30 },
    );
  });
});
