import { availableParallelism } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Archive,
  openSqliteArchive,
  type Stretch,
  stretchesOf,
} from '../events/sqlite/archive.ts';
import { restore as copyIn, backUp as copyOut, type Manifest } from '../events/sqlite/backup.ts';
import { type Position, START } from '../events/store.ts';
import { createLogger } from '../shared/logger.ts';
import { entriesOf } from './entry.ts';
import { readPart } from './offline-part.ts';
import { readInThreads } from './offline-threads.ts';
import { createProblems, type Problem } from './problems.ts';
import { type Page, type Report, type VerifyOptions, verify } from './verify.ts';

// What can be done with a data directory without the service that writes to it.

/** The log of a data directory, to be read and closed. */
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

/** Positions that a thread reads at once. */
const PART = 1000;
/** Starting threads takes longer than to read so few events. */
const ALONE_MAX = 20_000;
const THREADS_MAX = 4;

/** As the threads do it, but here. */
async function* readAlone(log: Archive, upTo: Position): AsyncGenerator<Page, void, void> {
  for (const events of log.stored({ after: START, upTo })) {
    yield { entries: entriesOf(events), to: events.at(-1)!.event.position };
    await nextTurn();
  }
}

const threadsFor = (head: Position): number =>
  Number(head) > ALONE_MAX ? Math.min(availableParallelism(), THREADS_MAX) : 1;

export interface DirectoryOptions extends Omit<VerifyOptions, 'scan'> {
  /** That read and hash, this one among them; what the machine and the log are good for unless told. */
  threads?: number;
}

/** The books of a data directory, and whether the log has all its events. */
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
      // Parts of a log that has gaps would be of any number.
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

/** The log of an EventStoreDB, to be read and closed. Its adapter is loaded only then. */
export const openServerLog = async (url: string) => {
  const { openEventStoreDb } = await import('../events/eventstoredb/store.ts');
  return openEventStoreDb({ url, logger: createLogger({ level: 'silent' }) });
};

/** The books of an EventStoreDB by themselves. */
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
}

const mustBeSound = async (directory: string): Promise<Report> => {
  const damage = await withLog(directory, async (log) => log.damage());
  if (damage.length > 0) throw new Error(`${directory} is damaged: ${damage[0]}`);
  return verifyDirectory(directory);
};

/** Copies a log, also while it is written to, and verifies the copy. */
export const backUp = async (data: string, out: string, takenAt: string): Promise<Copied> => {
  const manifest = await copyOut(data, out, takenAt);
  return { manifest, report: await mustBeSound(out) };
};

/** Puts a backup in place, and verifies what is there then. Read models are filled at the start. */
export const restore = async (from: string, data: string): Promise<Copied> => {
  const manifest = await copyIn(from, data);
  return { manifest, report: await mustBeSound(data) };
};
