import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { EventReader, Position, Recorded, Snapshot } from '../store.ts';
import { openReader } from './reader.ts';
import { formatPosition, parsePosition, readRow } from './rows.ts';
import { namingLog, openForReading } from './schema.ts';

/** A part of the log: what comes after a position, up to another. */
export interface Stretch {
  after: Position;
  upTo: Position;
}

/** A log that is only read: a copy, a backup, or one that a service is writing to. */
export interface Archive extends Pick<EventReader, 'read' | 'readAll' | 'head' | 'loadSnapshot'> {
  /** The events of a stretch, some at a time, each beside its data as it is stored. */
  stored(stretch: Stretch): Iterable<readonly { event: Recorded; stored: unknown }[]>;
  /** Every snapshot that lies beside the events. */
  snapshots(): Iterable<Snapshot & { stream: string }>;
  /** Positions after which events are missing, the first hundred. */
  gaps(): Position[];
  /** What is wrong with the file itself; empty when nothing is. */
  damage(): string[];
  close(): void;
}

const READ_MAX = 1000;
/** Few enough for the memory, were each as large as an event can be. */
const STORED_AT_ONCE = 200;
const storedSql = `SELECT position, stream, revision, id, type, version, data, meta FROM events
  WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`;
const countSql =
  'SELECT count(*) AS events, min(position) AS oldest, max(position) AS newest FROM events';
const snapshotsSql = 'SELECT stream FROM snapshots WHERE stream > ? ORDER BY stream LIMIT ?';
const gapsSql = `
  SELECT position FROM
    (SELECT position, lead(position) OVER (ORDER BY position) AS next FROM events)
  WHERE next > position + 1 LIMIT 100`;

/** In the order of the statement above. */
type Columns = [number, string, number, string, string, number, string, string];

const readColumns = ([position, stream, revision, id, type, version, data, meta]: Columns) =>
  readRow({ position, stream, revision, id, type, version, data, meta });

/** Cuts the log up to there into parts of so many positions each. */
export function* stretchesOf(head: Position, length: number): Generator<Stretch, void, void> {
  const end = parsePosition(head);
  for (let after = 0; after < end; after += length) {
    const upTo = Math.min(after + length, end);
    yield { after: formatPosition(after), upTo: formatPosition(upTo) };
  }
}

/** Where the events are in a data directory. */
export const eventsFile = (directory: string): string => join(directory, 'events.db');

/** Opens without taking the directory: whoever owns it goes on writing. */
export const openSqliteArchive = (directory: string): Archive => {
  const file = eventsFile(directory);
  if (!existsSync(file)) throw new Error(`there is no event log in ${directory}`);
  const reader = openReader(file);
  const scanner = openForReading(file);
  const naming = namingLog(file);
  const between = naming(() => scanner.prepare(storedSql));
  const withSnapshots = naming(() => scanner.prepare(snapshotsSql));
  // Rows as arrays are a quarter quicker to have.
  between.setReturnArrays(true);
  return {
    async read(stream, options = {}) {
      const limit = Math.min(options.limit ?? READ_MAX, READ_MAX);
      return options.direction === 'backwards'
        ? reader.backwards(stream, options.from ?? Number.MAX_SAFE_INTEGER, limit)
        : reader.forwards(stream, options.from ?? 0, limit);
    },
    async readAll(position, limit) {
      const events = reader.after(parsePosition(position), Math.min(limit, READ_MAX));
      return { events, to: events.at(-1)?.position ?? position };
    },
    head: async () => formatPosition(reader.head()),
    loadSnapshot: async (stream) => reader.snapshot(stream),
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
    *stored({ after, upTo }) {
      const end = parsePosition(upTo);
      for (let at = parsePosition(after); at < end; ) {
        const found = naming(() => between.all(at, end, STORED_AT_ONCE));
        const rows = found as unknown as Columns[];
        if (rows.length === 0) return;
        at = rows.at(-1)![0];
        yield rows.map(readColumns);
      }
    },
    gaps() {
      const database = openForReading(file);
      try {
        const counted = naming(() => database.prepare(countSql).get());
        // Positions count from 1: nothing is missing where the newest is as high as there are many.
        if (Number(counted?.events) === Number(counted?.newest ?? 0)) return [];
        const missing = naming(() => database.prepare(gapsSql).all());
        const positions = (missing as { position: number }[]).map(({ position }) => position);
        if (Number(counted?.oldest) > 1) positions.unshift(0);
        return positions.map(formatPosition);
      } finally {
        database.close();
      }
    },
    damage() {
      const database = openForReading(file);
      try {
        const rows = database.prepare('PRAGMA integrity_check').all();
        const lines = rows.map((row) => String(Object.values(row)[0]));
        return lines.filter((line) => line !== 'ok');
      } finally {
        database.close();
      }
    },
    close() {
      scanner.close();
      reader.close();
    },
  };
};
