import type { DatabaseSync } from 'node:sqlite';
import { classify, type Failure } from '../../shared/sqlite.ts';
import { NO_STREAM } from '../store.ts';
import { selectCurrent } from './format.ts';
import { packRow } from './packing.ts';
import { type AppendJob, type FromWriter, type Job, WRONG_REVISION } from './protocol.ts';
import type { Row } from './rows.ts';
import { namingLog, openForWriting, probeSql } from './schema.ts';

interface Committer {
  /** Position of the newest event. */
  head(): number;
  /** Does the jobs in one transaction, durable on return, and says what became of each. */
  commit(jobs: readonly Job[]): FromWriter[];
  close(): void;
}

const prepare = (database: DatabaseSync) => ({
  begin: database.prepare('BEGIN IMMEDIATE'),
  commit: database.prepare('COMMIT'),
  probe: database.prepare(probeSql),
  newest: database.prepare('SELECT max(position) AS position FROM events'),
  end: database.prepare(`
    SELECT id, (SELECT max(revision) FROM events WHERE stream = streams.id) AS revision
    FROM streams WHERE name = ?`),
  following: selectCurrent(database, 'stream = ? AND revision > ? ORDER BY revision LIMIT ?'),
  insert: database.prepare('INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)'),
  addStream: database.prepare('INSERT INTO streams (name) VALUES (?)'),
  kind: database.prepare('SELECT id FROM kinds WHERE type = ? AND version = ?'),
  addKind: database.prepare('INSERT INTO kinds (type, version) VALUES (?, ?)'),
  /** Numbers of kinds; emptied when a transaction is undone, which may have added some. */
  kinds: new Map<string, number>(),
  keep: database.prepare(`
    INSERT INTO snapshots VALUES (?, ?, ?, ?)
    ON CONFLICT (stream) DO UPDATE
    SET revision = excluded.revision, version = excluded.version, state = excluded.state
    WHERE excluded.revision >= snapshots.revision`),
  replace: database.prepare('INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)'),
});
type Statements = ReturnType<typeof prepare>;

const kindOf = ({ kind, addKind, kinds }: Statements, { type, version }: Row): number => {
  const name = `${type} ${version}`;
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const id = kind.get(type, version)?.id ?? addKind.run(type, version).lastInsertRowid;
  kinds.set(name, Number(id));
  return Number(id);
};

/** Where the same append ended, if it has been done before. */
const repeated = (statements: Statements, { stream, expected, rows }: AppendJob): number => {
  const there = statements.following.all(stream, expected, rows.length);
  const same = there.length === rows.length && there.every((row, i) => row.id === rows[i]?.id);
  return same ? there.at(-1)!.position : WRONG_REVISION;
};

/** Appends after position `head`; the outcome of the job. */
const append = (statements: Statements, job: AppendJob, head: number): number => {
  const end = statements.end.get(job.stream);
  const revision = Number(end?.revision ?? NO_STREAM);
  if (revision > job.expected) return repeated(statements, job);
  if (revision < job.expected) return WRONG_REVISION;
  const stream = Number(end?.id ?? statements.addStream.run(job.stream).lastInsertRowid);
  job.rows.forEach((row, i) => {
    const packed = packRow(row, kindOf(statements, row));
    statements.insert.run(head + 1 + i, stream, revision + 1 + i, ...packed);
  });
  return head + job.rows.length;
};

export const openCommitter = (file: string): Committer => {
  const naming = namingLog(file);
  const database = openForWriting(file);
  const statements = naming(() => prepare(database));
  let head = naming(() => Number(statements.newest.get()?.position ?? 0));
  let broken: string | undefined;

  const run = (job: Job): number => {
    if (job.kind === 'append') {
      const outcome = append(statements, job, head);
      head = Math.max(head, outcome);
      return outcome;
    }
    if (job.kind === 'probe') statements.probe.run();
    else {
      const keep = job.replace ? statements.replace : statements.keep;
      keep.run(job.stream, job.revision, job.version, job.state);
    }
    return 0;
  };

  const failed = (count: number, failure: Failure, reason: string): FromWriter[] => [
    { kind: 'failed', count, failure, reason },
  ];

  const transact = (jobs: readonly Job[]): number[] => {
    statements.begin.run();
    const outcomes = jobs.map(run);
    statements.commit.run();
    return outcomes;
  };

  const commit = (jobs: readonly Job[]): FromWriter[] => {
    if (broken !== undefined) return failed(jobs.length, 'fatal', broken);
    const before = head;
    try {
      const outcomes = naming(() => transact(jobs));
      return [{ kind: 'done', outcomes }];
    } catch (error) {
      head = before;
      statements.kinds.clear();
      if (database.isTransaction) database.exec('ROLLBACK');
      const failure = classify(error);
      // One bad job must not take the others with it.
      if (failure === 'refused' && jobs.length > 1) return jobs.flatMap((job) => commit([job]));
      const reason = (error as Error).message;
      if (failure === 'fatal') broken = reason;
      return failed(jobs.length, failure, reason);
    }
  };

  return {
    head: () => head,
    commit,
    close: () => {
      // The reader is closed by now, so that all of the log goes back into the one file.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
};
