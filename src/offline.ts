import { createProblems, type Problem } from './commands/audit/problems.ts';
import { type Report, type VerifyOptions, verify } from './commands/audit/verify.ts';
import { type Archive, openSqliteArchive } from './events/store.sqlite.archive.ts';
import {
  restore as copyIn,
  backUp as copyOut,
  type Manifest,
} from './events/store.sqlite.backup.ts';
import { createLogger } from './logger.ts';

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

/** The books of a data directory, and whether the log has all its events. */
export const verifyDirectory = (directory: string, options: VerifyOptions = {}): Promise<Report> =>
  withLog(directory, async (log) => {
    const problems = createProblems();
    for (const at of log.gaps()) {
      const detail = `events are missing from the log after ${at === '' ? 'its start' : at}`;
      problems.add({ accountId: null, kind: 'position-gap', at, detail });
    }
    const report = await verify(log, options);
    const all: readonly Problem[] = [...problems.list(), ...report.problems];
    const problemCount = problems.count() + report.problemCount;
    return { ...report, ok: problemCount === 0, problems: all, problemCount };
  });

/** The log of an EventStoreDB, to be read and closed. Its adapter is loaded only then. */
export const openServerLog = async (url: string) => {
  const { openEventStoreDb } = await import('./events/store.eventstoredb.ts');
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
