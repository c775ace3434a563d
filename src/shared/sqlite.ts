/**
 * What a failed commit means: `unavailable` may work later, `fatal` must not be tried again by
 * this process, `refused` is a fault of what was asked.
 */
export type Failure = 'unavailable' | 'fatal' | 'refused';

/** Result codes of SQLite. An error carries the extended code, whose low byte is the plain one. */
const code = {
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  inputOutput: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  notADatabase: 26,
  fsync: 1034,
  directoryFsync: 1290,
} as const;

const unavailable: ReadonlySet<number> = new Set([
  code.busy,
  code.locked,
  code.noMemory,
  code.readOnly,
  code.inputOutput,
  code.full,
  code.cannotOpen,
  code.protocol,
]);

/**
 * After a failed fsync the kernel may have dropped the pages and call them clean, so a second
 * try would succeed without having written them: only a restart reads what is really there.
 */
const fatal: ReadonlySet<number> = new Set([
  code.fsync,
  code.directoryFsync,
  code.corrupt,
  code.notADatabase,
]);

const extendedCode = (error: unknown): number =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0;

export const classify = (error: unknown): Failure => {
  const extended = extendedCode(error);
  const plain = extended & 0xff;
  if (fatal.has(extended) || fatal.has(plain)) return 'fatal';
  return unavailable.has(plain) ? 'unavailable' : 'refused';
};

/** Whether the file is damaged, or none of SQLite's. */
export const isDamage = (error: unknown): boolean => {
  const plain = extendedCode(error) & 0xff;
  return plain === code.corrupt || plain === code.notADatabase;
};

/** Whether another connection holds the lock. */
export const isBusy = (error: unknown): boolean => (extendedCode(error) & 0xff) === code.busy;

/** The part of a connection that is used here. */
export interface Connection {
  prepare(sql: string): { get(): Record<string, unknown> | undefined };
  exec(sql: string): void;
}

export const pragma = (database: Connection, name: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

/** Without WAL and FULL a power cut can lose an acknowledged write. */
export const demandDurability = (database: Connection, file: string): void => {
  pragma(database, 'journal_mode = WAL');
  database.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;');
  const journal = pragma(database, 'journal_mode');
  const synchronous = pragma(database, 'synchronous');
  if (journal !== 'wal' || synchronous !== 2) {
    const found = `journal_mode ${journal}, synchronous ${synchronous}`;
    throw new Error(`${file} cannot be written durably: ${found}, where wal and 2 are needed`);
  }
};

interface Tables {
  version: number;
  tables: string;
  /** The error for a file of another version; absent: that it is unknown. */
  refuse?: (found: number) => Error;
}

/** Creates the tables in a new file, in one transaction. Throws for a file of another version. */
export const prepareTables = (
  database: Connection,
  file: string,
  { version, tables, refuse }: Tables,
): void => {
  const found = Number(pragma(database, 'user_version'));
  if (found === version) return;
  if (found !== 0) {
    const unknown = `${file} is of format ${found}; this program knows format ${version}`;
    throw refuse?.(found) ?? new Error(unknown);
  }
  database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${version}; COMMIT;`);
};
