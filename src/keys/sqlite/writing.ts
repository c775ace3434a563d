import type { DatabaseSync } from 'node:sqlite';
import { classify, type Failure } from '../../shared/sqlite.ts';
import { createFileCleaner } from '../../shared/sqlite-pages.ts';
import type { KeyRecord, SubjectRecord } from '../key-store.ts';
import { namingKeys, openForWriting } from './schema.ts';

/** A subject as the caller knows it, with the wrapped key that it gets unless it has one. */
export interface NewKey extends SubjectRecord {
  isNew: boolean;
  wrapped: Uint8Array;
}

/** A write; the outcome of each is a number, or for `ensure` the wrapped keys. */
export type Write =
  /** Null where a subject is not, or no longer, as the caller knows it: the caller looks again. */
  | { kind: 'ensure'; month: string; subjects: readonly NewKey[] }
  | { kind: 'destroySubjects'; refs: readonly string[] }
  /** One batch; fewer than MONTHS_BATCH when it was the last. */
  | { kind: 'destroyMonths'; accountId: string; through: string }
  | { kind: 'setApplied'; revision: number }
  /** Tests whether writing works. */
  | { kind: 'probe' };

/** The outcome of `clean` is 1 when the file is clean. It runs between writes, outside of transactions. */
export type Task = Write | { kind: 'clean' } | { kind: 'close' };

/** True where the given key was written. */
export type WrappedKeys = readonly (Uint8Array | true | null)[];
export type Outcome = number | WrappedKeys;

export interface WriteFailure {
  failure: Failure;
  reason: string;
}

export type Done = { value: Outcome } | { failure: WriteFailure };

/** Keys that one transaction destroys: others wait for it for some milliseconds. */
export const MONTHS_BATCH = 500;

const prepare = (database: DatabaseSync) => ({
  begin: database.prepare('BEGIN IMMEDIATE'),
  commit: database.prepare('COMMIT'),
  subject: database.prepare('SELECT ref FROM subjects WHERE hash = ?'),
  addAccount: database.prepare('INSERT INTO accounts (id) VALUES (?) ON CONFLICT DO NOTHING'),
  account: database.prepare('SELECT number FROM accounts WHERE id = ?'),
  addSubject: database.prepare('INSERT INTO subjects VALUES (?, ?, ?)'),
  addKey: database.prepare('INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
  wrapped: database.prepare('SELECT wrapped FROM keys WHERE ref = ? AND month = ?'),
  removeSubjects: database.prepare(
    'DELETE FROM subjects WHERE ref IN (SELECT value FROM json_each(?))',
  ),
  removeKeys: database.prepare('DELETE FROM keys WHERE ref IN (SELECT value FROM json_each(?))'),
  removeMonths: database.prepare(`
    DELETE FROM keys WHERE (ref, month) IN
      (SELECT ref, month FROM keys WHERE account = ? AND month <= ? LIMIT ${MONTHS_BATCH})`),
  setApplied: database.prepare('UPDATE state SET applied = max(applied, ?)'),
  // Needs more disk space than most writes, so that it fails when they would fail: the pages of what
  // is deleted are written too, as zeros.
  addProbe: database.prepare("INSERT INTO keys VALUES ('', '', -1, zeroblob(65536))"),
  removeProbe: database.prepare("DELETE FROM keys WHERE ref = ''"),
  checkpoint: database.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
});

type Statements = ReturnType<typeof prepare>;

const numberOf = ({ account }: Statements, accountId: string): number | undefined =>
  account.get(accountId)?.number as number | undefined;

/** That of an account which may be new. */
const newNumberOf = (statements: Statements, accountId: string): number => {
  const known = numberOf(statements, accountId);
  if (known !== undefined) return known;
  statements.addAccount.run(accountId);
  return numberOf(statements, accountId)!;
};

const ensure = (
  statements: Statements,
  month: string,
  { hash, ref, accountId, isNew, wrapped }: NewKey,
): WrappedKeys[number] => {
  const there = statements.subject.get(hash);
  if (there ? there.ref !== ref : !isNew) return null;
  const account = newNumberOf(statements, accountId);
  if (!there) statements.addSubject.run(hash, ref, account);
  if (statements.addKey.run(ref, month, account, wrapped).changes === 1) return true;
  return (statements.wrapped.get(ref, month) as Pick<KeyRecord, 'wrapped'>).wrapped;
};

const run = (statements: Statements, task: Write): Outcome => {
  switch (task.kind) {
    case 'ensure':
      return task.subjects.map((subject) => ensure(statements, task.month, subject));
    case 'destroySubjects': {
      const refs = JSON.stringify(task.refs);
      statements.removeSubjects.run(refs);
      return Number(statements.removeKeys.run(refs).changes);
    }
    case 'destroyMonths':
      return Number(
        statements.removeMonths.run(numberOf(statements, task.accountId) ?? -1, task.through)
          .changes,
      );
    case 'setApplied':
      statements.setApplied.run(task.revision);
      return 0;
    case 'probe':
      statements.addProbe.run();
      statements.removeProbe.run();
      return 0;
  }
};

/** The only connection that writes the keys. */
export const openWriting = (file: string) => {
  const naming = namingKeys(file);
  const database = openForWriting(file);
  const statements = naming(() => prepare(database));
  const cleaner = createFileCleaner(database, file);
  let broken: string | undefined;

  /** What an error means. After a fatal one, nothing is written any more. */
  const failureOf = (error: unknown): WriteFailure => {
    const failure = classify(error);
    const { message: reason } = error as Error;
    if (failure === 'fatal') broken = reason;
    return { failure, reason };
  };

  const transact = (tasks: readonly Write[]): Outcome[] => {
    statements.begin.run();
    const outcomes = tasks.map((task) => run(statements, task));
    statements.commit.run();
    return outcomes;
  };

  /** Does the tasks in one transaction, durable on return. */
  const write = (tasks: readonly Write[]): Done[] => {
    if (broken !== undefined) {
      const failure = { failure: 'fatal' as const, reason: broken };
      return tasks.map(() => ({ failure }));
    }
    try {
      return naming(() => transact(tasks)).map((value) => ({ value }));
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      const failure = failureOf(error);
      // One bad task must not take the others with it.
      if (failure.failure === 'refused' && tasks.length > 1) {
        return tasks.flatMap((task) => write([task]));
      }
      return tasks.map(() => ({ failure }));
    }
  };

  return {
    write,
    clean: cleaner.clean,
    failureOf,
    close() {
      statements.checkpoint.get();
      database.close();
      cleaner.close();
    },
  };
};
