import { classify } from '../../shared/sqlite.ts';
import {
  KEYS_MAX,
  type KeyReader,
  type KeyRecord,
  KeysUnavailable,
  type SubjectRecord,
} from '../key-store.ts';
import { keysFile, namingKeys, openForReading } from './schema.ts';

const keysSql = `
  SELECT keys.ref, keys.month, accounts.id AS accountId, keys.wrapped
  FROM json_each(?) AS names CROSS JOIN keys CROSS JOIN accounts
  ON keys.ref = names.value ->> 0 AND keys.month = names.value ->> 1 AND number = account`;
const subjectsSql = (field: 'hash' | 'ref') => `
  SELECT hash, ref, accounts.id AS accountId
  FROM subjects JOIN accounts ON number = account
  WHERE ${field} IN (SELECT value FROM json_each(?))`;

/** Reads of the file, beside those of the port. */
export interface SqliteKeyReader extends KeyReader {
  applied(): Promise<number>;
}

const demandFew = (asked: readonly unknown[]): void => {
  if (asked.length > KEYS_MAX)
    throw new Error(`${asked.length} keys in one call: ${KEYS_MAX} at most`);
};

/**
 * Reads in the calling thread, over a connection of its own. It sees a write as soon as that has
 * resolved. The file must exist: the process that writes it opens it first.
 */
export const openSqliteKeyReader = (directory: string): SqliteKeyReader => {
  const file = keysFile(directory);
  const naming = namingKeys(file);
  const database = openForReading(file);
  const { byName, byHash, byRef, state } = naming(() => ({
    byName: database.prepare(keysSql),
    byHash: database.prepare(subjectsSql('hash')),
    byRef: database.prepare(subjectsSql('ref')),
    state: database.prepare('SELECT applied FROM state'),
  }));

  const reading = async <T>(work: () => unknown): Promise<T> => {
    if (!database.isOpen) throw new KeysUnavailable('the data keys are closed');
    try {
      return work() as T;
    } catch (cause) {
      if (classify(cause) !== 'unavailable') {
        return naming(() => {
          throw cause;
        });
      }
      const { message } = cause as Error;
      throw new KeysUnavailable(`the data keys cannot be read: ${message}`, { cause });
    }
  };

  return {
    async keys(names) {
      demandFew(names);
      const pairs = JSON.stringify(names.map(({ ref, month }) => [ref, month]));
      return reading<KeyRecord[]>(() => byName.all(pairs));
    },
    async subjects(hashes) {
      demandFew(hashes);
      return reading<SubjectRecord[]>(() => byHash.all(JSON.stringify(hashes)));
    },
    async subjectsOf(refs) {
      demandFew(refs);
      return reading<SubjectRecord[]>(() => byRef.all(JSON.stringify(refs)));
    },
    applied: () => reading<number>(() => state.get()!.applied),
    async close() {
      if (database.isOpen) database.close();
    },
  };
};
