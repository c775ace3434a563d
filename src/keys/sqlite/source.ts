import { existsSync } from 'node:fs';
import type { KeyRecord, SubjectRecord } from '../key-store.ts';
import { keysFile, openForReading } from './schema.ts';

/** A data key with its subject, as a copy carries them. */
interface KeyOfSubject {
  subject: SubjectRecord;
  key: KeyRecord;
}

/** The data keys of a data directory as the source of a copy. */
export interface KeySource {
  readonly keys: number;
  /** Revision of the stream of destructions up to which they are applied. */
  readonly applied: number;
  all(): Iterable<KeyOfSubject>;
  close(): void;
}

const allSql = `
  SELECT hash, ref, accounts.id AS accountId, month, wrapped
  FROM subjects JOIN keys USING (ref, account) JOIN accounts ON number = account
  ORDER BY hash, month`;

/** Undefined for a directory without keys. */
export const openKeySource = (directory: string): KeySource | undefined => {
  if (!existsSync(keysFile(directory))) return undefined;
  const database = openForReading(keysFile(directory));
  const numberOf = (sql: string) => Number(Object.values(database.prepare(sql).get()!)[0]);
  return {
    keys: numberOf('SELECT count(*) FROM subjects JOIN keys USING (ref, account)'),
    applied: numberOf('SELECT applied FROM state'),
    *all() {
      for (const row of database.prepare(allSql).iterate()) {
        const { hash, month, wrapped, ...of } = row as unknown as SubjectRecord & KeyRecord;
        yield { subject: { hash, ...of }, key: { ...of, month, wrapped } };
      }
    },
    close: () => database.close(),
  };
};
