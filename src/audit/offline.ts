import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Archive,
  openSqliteArchive,
  type Stretch,
  stretchesOf,
} from '../events/sqlite/archive.ts';
import { restore as copyIn, backUp as copyOut, type Manifest } from '../events/sqlite/backup.ts';
import {
  type EventReader,
  interestIn,
  type Position,
  type Recorded,
  START,
} from '../events/store.ts';
import { idInStream } from '../events/streams.ts';
import { backUpKeys, inspectKeys, type KeysCopy, restoreKeys } from '../keys/sqlite/backup.ts';
import { keysFile } from '../keys/sqlite/schema.ts';
import { entriesOf } from './entry.ts';
import { readPart } from './offline-part.ts';
import { readInThreads } from './offline-threads.ts';
import { createProblems, type Problem } from './problems.ts';
import { type Page, type Report, type VerifyOptions, verify } from './verify.ts';

// Verifies, backs up and restores a data directory without a running service.

/** Opens the log of a data directory for reading. */
export const openLog = openSqliteArchive;

/** Runs with the log of a data directory open for reading. */
const withLog = async <T>(directory: string, use: (log: Archive) => Promise<T>): Promise<T> => {
  const log = openSqliteArchive(directory);
  try {
    return await use(log);
  } finally {
    log.close();
  }
};

/** Positions in a part of the log. */
const PART = 1000;
/** Reading this many events takes less time than starting threads. */
const ALONE_MAX = 20_000;
const THREADS_MAX = 4;

/** Reads in this thread alone. */
async function* readAlone(log: Archive, upTo: Position): AsyncGenerator<Page, void, void> {
  for (const events of log.pages({ after: START, upTo })) {
    yield { entries: entriesOf(events), to: events.at(-1)!.position };
    await nextTurn();
  }
}

const threadsFor = (head: Position): number =>
  Number(head) > ALONE_MAX ? Math.min(availableParallelism(), THREADS_MAX) : 1;

interface DirectoryOptions extends Omit<VerifyOptions, 'scan'> {
  /** Threads that read and hash, including this one; chosen by cores and length when absent. */
  threads?: number;
}

/** Verifies the books of a data directory, and that the log has all its events. */
export const verifyDirectory = (
  directory: string,
  options: DirectoryOptions = {},
): Promise<Report> =>
  withLog(directory, async (log) => {
    const problems = createProblems();
    const gaps = log.gaps();
    for (const at of gaps) {
      const detail = `events are missing from the log after ${at === '' ? 'its start' : at}`;
      problems.add({ accountId: null, kind: 'position-gap', at, detail });
    }
    const scan = (head: Position) => {
      // Parts of a log with gaps may have any number of positions.
      const threads = gaps.length > 0 ? 1 : (options.threads ?? threadsFor(head));
      if (threads === 1) return readAlone(log, head);
      const readHere = (stretch: Stretch) => readPart(log, stretch);
      const how = { helpers: threads - 1, readHere };
      return readInThreads(directory, stretchesOf(head, PART), how);
    };
    const report = await verify(log, { ...options, scan });
    const all: readonly Problem[] = [...problems.list(), ...report.problems];
    const problemCount = problems.count() + report.problemCount;
    return { ...report, ok: problemCount === 0, problems: all, problemCount };
  });

/** The accounts that were opened before a time, by their ids in order. */
const accountIdsIn = (openings: Iterable<Recorded>, before: string): string[] =>
  Array.from(openings)
    .filter(({ meta }) => meta.at < before)
    .map(({ stream }) => idInStream(stream, 'account'))
    .sort();

export const accountsInDirectory = (log: Archive, before: string): string[] =>
  accountIdsIn(log.ofType('AccountOpened'), before);

/** The same of a log on a server, which sends the events of this type alone. */
export const accountsOnServer = async (
  log: Pick<EventReader, 'follow' | 'head'>,
  before: string,
): Promise<string[]> => {
  const head = await log.head();
  const openings: Recorded[] = [];
  const read = new AbortController();
  const interest = interestIn(['AccountOpened']);
  for await (const { events, to } of log.follow(START, read.signal, interest)) {
    openings.push(...events.filter(({ type }) => type === 'AccountOpened'));
    if (to >= head) break;
  }
  read.abort();
  return accountIdsIn(openings, before);
};

/** Opens the log of an EventStoreDB. Only this loads the adapter. */
export const openServerLog = async (url: string) => {
  const { openEventStoreDb } = await import('../events/eventstoredb/store.ts');
  return openEventStoreDb({ url });
};

/** Verifies the books of an EventStoreDB. */
export const verifyServer = async (url: string, options: VerifyOptions = {}): Promise<Report> => {
  const log = await openServerLog(url);
  try {
    return await verify(log, options);
  } finally {
    await log.close();
  }
};

export interface Copied {
  manifest: Manifest;
  report: Report;
  /** The copied data keys; null when they were left out. */
  keys: KeysCopy | null;
}

/** Verifies a data directory. Throws when the file itself is damaged. */
export const verifyUndamaged = async (
  directory: string,
  options: VerifyOptions = {},
): Promise<Report> => {
  const [damage] = await withLog(directory, async (log) => log.damage());
  if (damage !== undefined) throw new Error(`${directory} is damaged: ${damage}`);
  return verifyDirectory(directory, options);
};

/** Throws for places that would put the keys where the log is, or where there is a file. */
const refuseKeysPlace = (file: string, data: string, out: string): void => {
  for (const directory of [data, out]) {
    const isInside = !relative(directory, file).startsWith('..');
    if (isInside) throw new Error(`${file} is in ${directory}: keep the keys apart from the log`);
  }
  if (existsSync(file)) throw new Error(`${file} exists: keys are copied into a new file`);
  if (!existsSync(keysFile(data))) throw new Error(`there are no data keys in ${data}`);
};

/**
 * Copies a log, also one that a service writes to, and verifies the copy. Copies the data keys into
 * the file `keysTo`, if it is given, after the log: a key is there before its first event.
 */
export const backUp = async (
  data: string,
  out: string,
  takenAt: string,
  keysTo?: string,
): Promise<Copied> => {
  if (keysTo !== undefined) refuseKeysPlace(keysTo, data, out);
  const manifest = await copyOut(data, out, takenAt);
  const keys = keysTo === undefined ? null : backUpKeys(data, keysTo);
  return { manifest, report: await verifyUndamaged(out), keys };
};

/** Puts a backup in place, and verifies it there. The next start fills the read models. */
export const restore = async (from: string, data: string, keysFrom?: string): Promise<Copied> => {
  // A wrong file is refused before anything is written.
  if (keysFrom !== undefined) inspectKeys(keysFrom);
  const manifest = await copyIn(from, data);
  const keys = keysFrom === undefined ? null : restoreKeys(keysFrom, data);
  return { manifest, report: await verifyUndamaged(data), keys };
};

/** Puts the data keys alone into a data directory that has none. */
export const restoreKeysAlone = async (keysFrom: string, data: string): Promise<KeysCopy> => {
  if (!existsSync(data)) throw new Error(`there is no data directory ${data}`);
  return restoreKeys(keysFrom, data);
};
