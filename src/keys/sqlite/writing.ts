import type { DatabaseSync } from 'node:sqlite';
import { classify, type Failure } from '../../shared/sqlite.ts';
import { createFileCleaner, type FileCleaner } from '../../shared/sqlite-pages.ts';
import type { KeyRecord, SubjectRecord } from '../key-store.ts';
import { namingKeys, openForWriting } from './schema.ts';

/** A write; the outcome of each is a number, or for `ensure` the key. */
export type Task =
  /** Null when the subject is not, or no longer, as the caller knows it: the caller looks again. */
  | ({ kind: 'ensure'; isNew: boolean; month: string; wrapped: Uint8Array } & SubjectRecord)
  | { kind: 'destroySubjects'; refs: readonly string[] }
  /** One batch; fewer than MONTHS_BATCH when it was the last. */
  | { kind: 'destroyMonths'; accountId: string; through: string }
  | { kind: 'setApplied'; revision: number }
  /** 1 when the write-ahead log is empty. */
  | { kind: 'clean' }
  /** Tests whether writing works. */
  | { kind: 'probe' }
  | { kind: 'close' };

export type Outcome = number | KeyRecord | null;

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
  addSubject: database.prepare('INSERT INTO subjects VALUES (?, ?, ?)'),
  addKey: database.prepare('INSERT INTO keys VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'),
  key: database.prepare(`
    SELECT ref, month, account_id AS accountId, wrapped FROM keys WHERE ref = ? AND month = ?`),
  removeSubjects: database.prepare(
    'DELETE FROM subjects WHERE ref IN (SELECT value FROM json_each(?))',
  ),
  removeKeys: database.prepare('DELETE FROM keys WHERE ref IN (SELECT value FROM json_each(?))'),
  removeMonths: database.prepare(`
    DELETE FROM keys WHERE (ref, month) IN
      (SELECT ref, month FROM keys WHERE account_id = ? AND month <= ? LIMIT ${MONTHS_BATCH})`),
  setApplied: database.prepare('UPDATE state SET applied = max(applied, ?)'),
  checkpoint: database.prepare('PRAGMA wal_checkpoint(TRUNCATE)'),
});

type Statements = ReturnType<typeof prepare>;

const ensure = (
  { subject, addSubject, addKey, key }: Statements,
  { hash, ref, accountId, isNew, month, wrapped }: Extract<Task, { kind: 'ensure' }>,
): Outcome => {
  const there = subject.get(hash);
  if (there ? there.ref !== ref : !isNew) return null;
  if (!there) addSubject.run(hash, ref, accountId);
  addKey.run(ref, month, accountId, wrapped);
  return key.get(ref, month) as unknown as KeyRecord;
};

/** All in one go: the file is small. */
const cleanNow = ({ clean }: FileCleaner): boolean => {
  const cleaning = clean();
  for (;;) {
    const { done, value } = cleaning.next();
    if (done) return value;
  }
};

const run = (statements: Statements, cleaner: FileCleaner, task: Task): Outcome => {
  switch (task.kind) {
    case 'ensure':
      return ensure(statements, task);
    case 'destroySubjects': {
      const refs = JSON.stringify(task.refs);
      statements.removeSubjects.run(refs);
      return Number(statements.removeKeys.run(refs).changes);
    }
    case 'destroyMonths':
      return Number(statements.removeMonths.run(task.accountId, task.through).changes);
    case 'setApplied':
    case 'probe':
      statements.setApplied.run(task.kind === 'probe' ? -1 : task.revision);
      return 0;
    case 'clean':
      return cleanNow(cleaner) ? 1 : 0;
    case 'close':
      return 0;
  }
};

/** A checkpoint runs outside of transactions. */
const isAlone = ({ kind }: Task): boolean => kind === 'clean' || kind === 'close';

/** The only connection that writes the keys. */
export const openWriting = (file: string) => {
  const naming = namingKeys(file);
  const database = openForWriting(file);
  const statements = naming(() => prepare(database));
  const cleaner = createFileCleaner(database, file);
  let broken: string | undefined;

  const transact = (tasks: readonly Task[]): Outcome[] => {
    const runOne = (task: Task) => run(statements, cleaner, task);
    if (tasks.every(isAlone)) return tasks.map(runOne);
    statements.begin.run();
    const outcomes = tasks.map(runOne);
    statements.commit.run();
    return outcomes;
  };

  /** Does the tasks in one transaction, durable on return; those of `isAlone` on their own. */
  const write = (tasks: readonly Task[]): Done[] => {
    if (tasks.length > 1 && tasks.some(isAlone)) return tasks.flatMap((task) => write([task]));
    if (broken !== undefined) {
      const failure = { failure: 'fatal' as const, reason: broken };
      return tasks.map(() => ({ failure }));
    }
    try {
      return naming(() => transact(tasks)).map((value) => ({ value }));
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      const failure = classify(error);
      // One bad task must not take the others with it.
      if (failure === 'refused' && tasks.length > 1) return tasks.flatMap((task) => write([task]));
      const reason = (error as Error).message;
      if (failure === 'fatal') broken = reason;
      return tasks.map(() => ({ failure: { failure, reason } }));
    }
  };

  return {
    write,
    close() {
      statements.checkpoint.get();
      database.close();
      cleaner.close();
    },
  };
};
