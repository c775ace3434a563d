import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import fc from 'fast-check';
import { temporaryFolder } from '../support/folder.ts';
import { foundIn, needlesOf } from '../support/privacy/needles.ts';
import { walkFiles } from '../support/privacy/walk.ts';

const NUMBER = '919876504321';
const NAME = 'Zwölfgang "Qüxmann" /7\\';

describe('the search for personal data', () => {
  const marks = Object.entries({ number: NUMBER, name: NAME });
  const needles = needlesOf(marks.map(([name, text]) => ({ name, text })));

  it('finds a text in every encoding, at any place', () => {
    const json = (value: unknown) => JSON.stringify(value);
    const encodings: Record<string, (text: string) => Buffer> = {
      utf8: (text) => Buffer.from(text),
      utf16: (text) => Buffer.from(text, 'utf16le'),
      json: (text) => Buffer.from(json({ a: text })),
      'json in json': (text) => Buffer.from(json({ a: json({ b: text }) })),
      url: (text) => Buffer.from(`https://x.example/?q=${encodeURIComponent(text)}`),
      form: (text) => Buffer.from(String(new URLSearchParams({ a: text }))),
      base64: (text) => Buffer.from(Buffer.from(text).toString('base64')),
      base64url: (text) => Buffer.from(Buffer.from(text).toString('base64url')),
      'base64 of json': (text) => Buffer.from(Buffer.from(json({ a: text })).toString('base64')),
      hex: (text) => Buffer.from(Buffer.from(text).toString('hex')),
    };
    const around = fc.string({ unit: 'binary-ascii', maxLength: 9 });
    for (const [name, encode] of Object.entries(encodings)) {
      fc.assert(
        fc.property(around, around, fc.constantFrom(NUMBER, NAME), (before, after, text) => {
          const found = foundIn(encode(before + text + after), needles);
          expect(found, name).not.to.be.empty;
        }),
      );
    }
  });

  it('finds a number as a number, with a plus, and under a hash without a key', () => {
    const integer = Buffer.alloc(8);
    integer.writeBigInt64LE(BigInt(NUMBER));
    const hashed = createHash('sha256').update(`+${NUMBER}`).digest('hex');
    for (const bytes of [integer, Buffer.from(`tel:+${NUMBER}`), Buffer.from(hashed)]) {
      expect(foundIn(bytes, needles)).not.to.be.empty;
    }
  });

  it('finds nothing in the data of another contact', () => {
    const other = JSON.stringify({ to: '919876504322', name: 'Zwölfgang Qüxfrau' });
    expect(foundIn(Buffer.from(other), needles)).to.deep.equal([]);
  });

  it('walks free pages, write-ahead logs, integers and long values of databases', () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'some.db');
    const database = new DatabaseSync(file);
    try {
      database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (a, b)');
      const find = () => walkFiles(folder.path, needles);
      const insert = database.prepare('INSERT INTO t VALUES (?, ?)');
      insert.run(1, 'nothing');
      expect(find()).to.deep.equal([]);
      insert.run(2, NAME);
      expect(find()).to.include('some.db-wal: name as UTF-8');
      database.exec('DELETE FROM t WHERE a = 2; PRAGMA wal_checkpoint(TRUNCATE)');
      expect(find(), 'a free place').to.deep.equal([
        'some.db: name as UTF-8',
        'some.db: name as half of it in UTF-8',
      ]);
      database.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
      expect(find()).to.deep.equal([]);
      insert.run(BigInt(NUMBER), 'x');
      expect(find().join()).to.include('number as an integer of SQLite');
      database.exec('DELETE FROM t; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
      for (let before = 3_980; before < 4_100; before += 1) {
        insert.run(0, 'x'.repeat(before) + NUMBER);
        expect(find().join(), `after ${before} bytes`).to.include('number as UTF-8');
        database.exec('DELETE FROM t; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
      }
      writeFileSync(join(folder.path, 'a.log'), `to ${NUMBER}`);
      expect(find()).to.deep.equal(['a.log: number as UTF-8']);
    } finally {
      database.close();
      folder.remove();
    }
  });
});
