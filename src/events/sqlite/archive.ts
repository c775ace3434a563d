import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  type EventReader,
  type Position,
  READ_MAX,
  type Recorded,
  type Snapshot,
} from '../store.ts';
import { formatOf } from './format.ts';
import { selectRows } from './older.ts';
import { openReader } from './reader.ts';
import { readStream } from './reading.ts';
import { formatPosition, parsePosition, toRecorded } from './rows.ts';
import { namingLog, openForReading } from './schema.ts';

/** The events after one position, up to another. */
export interface Stretch {
  after: Position;
  upTo: Position;
}

/** A log opened only for reading: a copy, a backup, or the log of a running service. */
export interface Archive extends Pick<EventReader, 'read' | 'readAll' | 'head' | 'loadSnapshot'> {
  /** The events of a stretch. */
  pages(stretch: Stretch): Iterable<readonly Recorded[]>;
  /** Of the file. */
  readonly format: number;
  /** All events of a type, in the order of the log. */
  ofType(type: string): Iterable<Recorded>;
  snapshots(): Iterable<Snapshot & { stream: string }>;
  /** Positions after which events are missing, the first 100. */
  gaps(): Position[];
  /** The faults that SQLite finds in the file. */
  damage(): string[];
  close(): void;
}

/** Events of one page: few enough for the memory if each has the maximal size. */
const PAGE_EVENTS = 200;
const countSql =
  'SELECT count(*) AS events, min(position) AS oldest, max(position) AS newest FROM events';
const snapshotsSql = 'SELECT stream FROM snapshots WHERE stream > ? ORDER BY stream LIMIT ?';
const gapsSql = `
  SELECT position FROM
    (SELECT position, lead(position) OVER (ORDER BY position) AS next FROM events)
  WHERE next > position + 1 LIMIT 100`;

/** Cuts the log up to `head` into stretches of `length` positions. */
export function* stretchesOf(head: Position, length: number): Generator<Stretch, void, void> {
  const end = parsePosition(head);
  for (let after = 0; after < end; after += length) {
    const upTo = Math.min(after + length, end);
    yield { after: formatPosition(after), upTo: formatPosition(upTo) };
  }
}

/** The file of the events in a data directory. */
export const eventsFile = (directory: string): string => join(directory, 'events.db');

/** Uses a connection of its own, so that a long query holds up no other reading. */
const withConnection = <T>(file: string, use: (database: DatabaseSync) => T): T => {
  const database = openForReading(file);
  try {
    return use(database);
  } finally {
    database.close();
  }
};

const gapsIn = (database: DatabaseSync): Position[] => {
  const counted = database.prepare(countSql).get();
  // Positions count from 1: nothing is missing when the newest position equals the count.
  if (Number(counted?.events) === Number(counted?.newest ?? 0)) return [];
  const missing = database.prepare(gapsSql).all() as { position: number }[];
  const positions = missing.map(({ position }) => position);
  if (Number(counted?.oldest) > 1) positions.unshift(0);
  return positions.map(formatPosition);
};

const damageIn = (database: DatabaseSync): string[] =>
  database
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => String(Object.values(row)[0]))
    .filter((line) => line !== 'ok');

/** Opens without the lock of the directory, so a running service continues to write. */
export const openSqliteArchive = (directory: string): Archive => {
  const file = eventsFile(directory);
  if (!existsSync(file)) throw new Error(`there is no event log in ${directory}`);
  const naming = namingLog(file);
  const reader = openReader(file);
  const scanner = openForReading(file);
  const between = naming(() =>
    selectRows(scanner, 'position > ? AND position <= ? ORDER BY position LIMIT ?'),
  );
  const withSnapshots = naming(() => scanner.prepare(snapshotsSql));
  const typed = naming(() =>
    selectRows(scanner, 'position > ? AND type = ? ORDER BY position LIMIT ?'),
  );
  return {
    format: naming(() => formatOf(scanner)),
    read: async (stream, options = {}) => readStream(reader, stream, options),
    async readAll(position, limit) {
      const events = reader.after(parsePosition(position), Math.min(limit, READ_MAX));
      return { events, to: events.at(-1)?.position ?? position };
    },
    head: async () => formatPosition(reader.head()),
    loadSnapshot: async (stream) => reader.snapshot(stream),
    *ofType(type) {
      for (let after = 0; ; ) {
        const rows = naming(() => typed.all(after, type, READ_MAX));
        yield* rows.map(toRecorded);
        if (rows.length < READ_MAX) return;
        after = rows.at(-1)!.position;
      }
    },
    *snapshots() {
      for (let after = ''; ; ) {
        const found = naming(() => withSnapshots.all(after, READ_MAX));
        const streams = found as { stream: string }[];
        for (const { stream } of streams) {
          const snapshot = reader.snapshot(stream);
          if (snapshot) yield { stream, ...snapshot };
        }
        if (streams.length < READ_MAX) return;
        after = streams.at(-1)!.stream;
      }
    },
    *pages({ after, upTo }) {
      const end = parsePosition(upTo);
      for (let at = parsePosition(after); at < end; ) {
        const rows = naming(() => between.all(at, end, PAGE_EVENTS));
        if (rows.length === 0) return;
        at = rows.at(-1)!.position;
        yield rows.map(toRecorded);
      }
    },
    gaps: () => naming(() => withConnection(file, gapsIn)),
    damage: () => withConnection(file, damageIn),
    close() {
      scanner.close();
      reader.close();
    },
  };
};
