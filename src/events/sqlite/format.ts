import type { DatabaseSync } from 'node:sqlite';
import { pragma } from '../../shared/sqlite.ts';
import type { Columns } from './packing.ts';

// The tables of the log. A stream's name, a type and its version are stored once. UUIDs take 16 bytes,
// sealed parts are bytes too, and the time of the metadata is a number. The view `log` shows the events.

/** The user_version of the file. Raise it with every change of the tables, and add an upgrade. */
export const FORMAT = 2;

const eventTables = `
  CREATE TABLE streams (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
  ) STRICT;
  CREATE TABLE kinds (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    version INTEGER NOT NULL,
    UNIQUE (type, version)
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    id ANY NOT NULL,
    kind INTEGER NOT NULL,
    at INTEGER,
    request ANY,
    meta TEXT,
    data TEXT NOT NULL,
    sealed BLOB,
    UNIQUE (stream, revision)
  ) STRICT;
`;

const uuidText = (column: string) => {
  const part = (from: number, length: number) => `substr(hex(${column}), ${from}, ${length})`;
  const parts = [part(1, 8), part(9, 4), part(13, 4), part(17, 4), part(21, 12)];
  return `iif(typeof(${column}) = 'blob', lower(${parts.join(` || '-' || `)}), ${column})`;
};

const joined = `events
  JOIN streams ON streams.id = events.stream JOIN kinds ON kinds.id = events.kind`;

const logView = `
  CREATE VIEW log AS
  SELECT position, streams.name AS stream, revision, ${uuidText('events.id')} AS id, type, version,
    data, iif(at IS NULL, meta, json_patch(
      json_object('at', strftime('%Y-%m-%dT%H:%M:%fZ', at / 1000.0, 'unixepoch'),
        'requestId', ${uuidText('request')}),
      coalesce(meta, '{}'))) AS meta,
    sealed
  FROM ${joined};
`;

export const tables = `
  ${eventTables}
  ${logView}
  CREATE TABLE snapshots (
    stream TEXT PRIMARY KEY,
    revision INTEGER NOT NULL,
    version INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE probe (
    id INTEGER PRIMARY KEY,
    filler BLOB NOT NULL
  ) STRICT;
`;

/** Format 1 repeated the name of the stream, the type and the version in every event. */
const fromFormat1 = `
  ALTER TABLE events RENAME TO events_1;
  ${eventTables}
  ${logView}
  INSERT INTO streams (name) SELECT stream FROM events_1 GROUP BY stream ORDER BY min(position);
  INSERT INTO kinds (type, version) SELECT type, version FROM events_1 GROUP BY type, version;
  INSERT INTO events
    SELECT position, streams.id, revision, events_1.id, kinds.id, NULL, NULL, meta, data, NULL
    FROM events_1 JOIN streams ON streams.name = stream JOIN kinds USING (type, version)
    ORDER BY position;
  DROP TABLE events_1;
`;

/** What makes a file of this format of one of an older format. */
export const upgrades: ReadonlyMap<number, string> = new Map([[1, fromFormat1]]);

/** A packed UUID comes as hex; other text has a mark before it. */
const uuidColumn = (column: string) =>
  `iif(typeof(${column}) = 'blob', lower(hex(${column})), '=' || ${column})`;

interface Format {
  /** A query of all events, to select `Columns` from. */
  rows: string;
  /** The name of the stream of a row of `events`. */
  streamName: string;
}

const formats: ReadonlyMap<unknown, Format> = new Map([
  [
    1,
    {
      rows: `(SELECT position, stream, revision, '=' || id AS id, type, version,
        NULL AS at, NULL AS request, meta, data, NULL AS sealed FROM events)`,
      streamName: 'stream',
    },
  ],
  [
    FORMAT,
    {
      rows: `(SELECT position, streams.name AS stream, revision, ${uuidColumn('events.id')} AS id,
        type, version, at, ${uuidColumn('request')} AS request, meta, data, sealed FROM ${joined})`,
      streamName: '(SELECT name FROM streams WHERE streams.id = stream)',
    },
  ],
]);

/** How to read the events of a file, which may have an older format where it is only read. */
export const formatOf = (database: DatabaseSync): Format => {
  const found = pragma(database, 'user_version');
  const format = formats.get(found);
  if (format) return format;
  throw new Error(`the log is of format ${found}; this program knows 1 to ${FORMAT}`);
};

/** Prepares a selection of events, whose rows `unpackRow` reads. */
export const selectRows = (database: DatabaseSync, where: string) => {
  const statement = database.prepare(`SELECT * FROM ${formatOf(database).rows} WHERE ${where}`);
  // Reading rows as arrays takes a quarter less time.
  statement.setReturnArrays(true);
  return {
    all: (...values: (string | number)[]) => statement.all(...values) as unknown as Columns[],
    iterate: (...values: (string | number)[]) =>
      statement.iterate(...values) as unknown as Iterable<Columns>,
  };
};
