import { makeDirectory, makePrivate, sync } from '../../shared/files.ts';
import { retry } from '../../shared/retry.ts';
import { classify } from '../../shared/sqlite.ts';
import { createWorkerThread } from '../../shared/worker-thread.ts';
import {
  type HeldSubject,
  KEYS_MAX,
  type KeyName,
  type KeyReader,
  type KeyRecord,
  type KeyStore,
  KeysUnavailable,
  type SubjectRecord,
} from '../key-store.ts';
import { keysFile, namingKeys, openForReading } from './schema.ts';
import {
  MONTHS_BATCH,
  type NewKey,
  type Outcome,
  type Task,
  type WrappedKeys,
  type WriteFailure,
} from './writing.ts';

interface SqliteKeysOptions {
  /** Created when missing. */
  directory: string;
  /** Called once, when no write can succeed before a restart of the process. */
  onFatal?: (error: Error) => void;
}

/** Writes that may wait. */
const CALLS_MAX = 5_000;
/** Rivals change a subject at most a few times during one call. */
const ATTEMPTS_MAX = 5;
/** A reader of the file, such as a backup, keeps the write-ahead log from being emptied. */
const CLEAN_DELAYS_MS = [50, 100, 200, 400, 800, 1_600];

const failed = ({ failure, reason }: WriteFailure): Error => {
  const text = `the data keys cannot be written: ${reason}`;
  return failure === 'refused'
    ? new Error(text)
    : new KeysUnavailable(text, { retryAfterSeconds: 5 });
};

/** Sends tasks to the thread that writes. A failed fsync ends all writing. */
const startWriter = async (file: string, onFatal: (error: Error) => void) => {
  let fatal: Error | undefined;
  let failing = false;
  const thread = createWorkerThread<Task, Outcome, WriteFailure, { kind: 'ready' }>({
    program: new URL('./worker.ts', import.meta.url),
    data: { file },
    name: 'keys',
    callsMax: CALLS_MAX,
    unavailable: (reason) => new KeysUnavailable(`the data keys cannot be written: ${reason}`),
    errorOf(failure) {
      const error = failed(failure);
      failing = true;
      if (failure.failure === 'fatal' && !fatal) {
        fatal = error;
        onFatal(error);
      }
      return error;
    },
  });
  await thread.open().catch(({ message }: Error) => {
    throw new Error(`the data keys cannot be opened: ${message}`);
  });
  const run = async (task: Task): Promise<Outcome> => {
    if (fatal) throw fatal;
    const outcome = await thread.run(task);
    failing = false;
    return outcome;
  };
  return {
    run,
    /** Why writes fail now. After a failure, it tries a write. */
    async trouble(): Promise<string | undefined> {
      if (!failing && thread.ready()) return undefined;
      return run({ kind: 'probe' }).then(
        () => undefined,
        ({ message }: Error) => message,
      );
    },
    close: () => thread.close({ kind: 'close' }).catch(() => undefined),
    crash: thread.crash,
  };
};

const keysSql = `
  SELECT keys.ref, keys.month, accounts.id AS accountId, keys.wrapped
  FROM json_each(?) AS names CROSS JOIN keys CROSS JOIN accounts
  ON keys.ref = names.value ->> 0 AND keys.month = names.value ->> 1 AND number = account`;
const subjectsSql = (field: 'hash' | 'ref') => `
  SELECT hash, ref, accounts.id AS accountId
  FROM subjects JOIN accounts ON number = account
  WHERE ${field} IN (SELECT value FROM json_each(?))`;

/** Reads of the file, beside those of the port. */
interface SqliteKeyReader extends KeyReader {
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

/** The data keys in one SQLite file. One thread writes; the calling thread reads. */
export const openSqliteKeys = async ({
  directory,
  onFatal = () => undefined,
}: SqliteKeysOptions): Promise<KeyStore & { crash(): void }> => {
  makeDirectory(directory);
  const file = keysFile(directory);
  makePrivate(file);
  sync(directory);
  const { run, trouble, close, crash } = await startWriter(file, onFatal);
  const reader = openSqliteKeyReader(directory);

  return {
    keys: reader.keys,
    subjects: reader.subjects,
    subjectsOf: reader.subjectsOf,
    applied: reader.applied,
    async ensure(fresh, month, wrap) {
      const made = new Map<string, HeldSubject>();
      for (let attempt = 0; made.size < fresh.length; attempt += 1) {
        if (attempt === ATTEMPTS_MAX) throw new KeysUnavailable('others change the same data keys');
        const hashes: string[] = [];
        for (const { hash } of fresh) if (!made.has(hash)) hashes.push(hash);
        const there = new Map<string, SubjectRecord>();
        const names: KeyName[] = [];
        for (const one of await reader.subjects(hashes)) {
          there.set(one.hash, one);
          names.push({ ref: one.ref, month });
        }
        const keys = new Map<string, KeyRecord>();
        const found = names.length === 0 ? [] : await reader.keys(names);
        for (const key of found) keys.set(key.ref, key);
        const subjects: NewKey[] = [];
        for (const one of fresh) {
          if (made.has(one.hash)) continue;
          const known = there.get(one.hash);
          const subject = known ?? one;
          const key = keys.get(subject.ref);
          if (key) made.set(one.hash, { subject, key });
          else subjects.push({ ...subject, isNew: !known, wrapped: wrap(subject.ref) });
        }
        if (subjects.length === 0) continue;
        const written = (await run({ kind: 'ensure', month, subjects })) as WrappedKeys;
        for (const [at, there] of written.entries()) {
          if (there === null) continue;
          const { hash, ref, accountId, wrapped } = subjects[at]!;
          const key = { ref, month, accountId, wrapped: there === true ? wrapped : there };
          made.set(hash, { subject: { hash, ref, accountId }, key });
        }
      }
      const all: HeldSubject[] = [];
      for (const { hash } of fresh) all.push(made.get(hash)!);
      return all;
    },
    destroySubjects: async (refs) => Number(await run({ kind: 'destroySubjects', refs })),
    async destroyMonths(accountId, through) {
      let sum = 0;
      let count: number;
      do {
        count = Number(await run({ kind: 'destroyMonths', accountId, through }));
        sum += count;
      } while (count === MONTHS_BATCH);
      return sum;
    },
    async setApplied(revision) {
      await run({ kind: 'setApplied', revision });
    },
    clean: () =>
      retry(
        async () => {
          if ((await run({ kind: 'clean' })) === 1) return;
          throw new KeysUnavailable('the data keys cannot be cleaned: something reads their file');
        },
        { delays: CLEAN_DELAYS_MS, while: (error) => error instanceof KeysUnavailable },
      ),
    async health() {
      const detail = await trouble();
      return detail === undefined ? { ok: true } : { ok: false, detail };
    },
    async close() {
      // First, so that the thread can put all of the write-ahead log back into the one file.
      await reader.close();
      await close();
    },
    crash,
  };
};
