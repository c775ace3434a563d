import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { MongoClient } from 'mongodb';
import { foundIn, type Needle } from './needles.ts';

// Walks the bytes of everything that a service keeps.

const MAGIC = 'SQLite format 3\0';

const filesUnder = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** Every value of every table: a value that is longer than a page stands in the file in pieces. */
const valuesIn = (file: string): Buffer[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
      .all() as { name: string }[];
    return tables.flatMap(({ name }) =>
      database
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .flatMap((row) => Object.values(row))
        .map((value) =>
          value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)),
        ),
    );
  } finally {
    database.close();
  }
};

/** Where the needles stand in the files of a directory: `views.db-wal: name as JSON`. */
export const walkFiles = (directory: string, needles: readonly Needle[]): string[] =>
  filesUnder(directory).flatMap((file) => {
    const name = relative(directory, file);
    const bytes = readFileSync(file);
    const found = new Set(foundIn(bytes, needles));
    // Its lock is a file of SQLite that is in use.
    if (bytes.subarray(0, MAGIC.length).toString('latin1') === MAGIC && !name.endsWith('.lock')) {
      const values = Buffer.concat(valuesIn(file).flatMap((value) => [value, Buffer.from('\n')]));
      for (const one of foundIn(values, needles)) found.add(one);
    }
    return [...found].map((one) => `${name}: ${one}`);
  });

/** The same in all documents of a database of MongoDB. */
export const walkDatabase = async (
  client: MongoClient,
  database: string,
  needles: readonly Needle[],
): Promise<string[]> => {
  const all = await client.db(database).listCollections().toArray();
  const found = await Promise.all(
    all.map(async ({ name }) => {
      const documents = await client
        .db(database)
        .collection(name)
        .find({}, { raw: true })
        .toArray();
      const bytes = Buffer.concat(documents as unknown as Buffer[]);
      return foundIn(bytes, needles).map((one) => `${database}.${name}: ${one}`);
    }),
  );
  return found.flat();
};
