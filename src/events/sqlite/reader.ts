import type { DatabaseSync } from 'node:sqlite';
import {
  type BareEvent,
  type Interest,
  isOfInterest,
  type Recorded,
  type Snapshot,
  StoreUnavailable,
} from '../store.ts';
import { joined } from './format.ts';
import { selectRows } from './older.ts';
import { unpackLink } from './packing.ts';
import { parseJson, toRecorded } from './rows.ts';
import { namingLog, openForReading } from './schema.ts';

/** A stretch of the log, without events of no interest. */
export interface Page {
  events: Recorded[];
  /** Events in the stretch, those of no interest included. */
  count: number;
  /** Position of the last event of the stretch. */
  to: number;
}

/** An event of the file, without its data where it is a link. */
interface BareRow extends Omit<BareEvent, 'position'> {
  position: number;
}

export interface Reader {
  /** Position of the newest event in the file. */
  head(): number;
  after(position: number, limit: number): Recorded[];
  /** Up to `limit` events after `position`, fewer when they are large. */
  page(position: number, limit: number, charactersMax: number, interest?: Interest): Page;
  /** The events of these types among `limit` events after `position`, links of chains without their data. */
  bare(position: number, limit: number, types: Interest): BareRow[];
  forwards(stream: string, from: number, limit: number): Recorded[];
  backwards(stream: string, from: number, limit: number): Recorded[];
  snapshot(stream: string): Snapshot | undefined;
  close(): void;
}

/** Reads stretches of the log in its order. */
const createPages = (database: DatabaseSync) => {
  const after = selectRows(database, 'position > ? ORDER BY position LIMIT ?');
  // The plus keeps SQLite from reading the stretch once for each type.
  const wanted = selectRows(
    database,
    `position > ? AND position <= ? AND +type IN (SELECT value FROM json_each(?)) ORDER BY position`,
  );
  const stretch = database.prepare(
    'SELECT count(*) AS count, max(position) AS last FROM events WHERE position > ? AND position <= ?',
  );
  const rowsAfter = (start: number, limit: number, interest: Interest | undefined) =>
    interest
      ? wanted.iterate(start, start + limit, JSON.stringify([...interest.keys()]))
      : after.iterate(start, limit);

  const pageAfter: Reader['page'] = (start, limit, charactersMax, interest) => {
    const { count, last } = stretch.get(start, start + limit) as { count: number; last: number };
    const page: Page = { events: [], count, to: last ?? start };
    let characters = 0;
    for (const row of rowsAfter(start, limit, interest)) {
      const { position } = row;
      if (!isOfInterest(interest, row)) continue;
      page.events.push(toRecorded(row));
      characters += row.data.length;
      if (characters >= charactersMax) {
        return { ...page, count: count - (page.to - position), to: position };
      }
    }
    return page;
  };

  return { after, pageAfter };
};

/** Of a file of today's form. */
const createBareRows = (
  database: DatabaseSync,
  whole: (stream: string, revision: number) => Recorded | undefined,
): Reader['bare'] => {
  const found = database.prepare(
    `SELECT position, streams.name, revision, link FROM ${joined}
     WHERE position > ? AND position <= ?
       AND +type IN (SELECT value FROM json_each(?)) ORDER BY position`,
  );
  found.setReturnArrays(true);
  type Columns = [number, string, number, Uint8Array | null];
  return (start, limit, types) => {
    const rows = found.all(start, start + limit, JSON.stringify([...types.keys()]));
    return (rows as unknown as Columns[]).map(([position, stream, revision, packed]) => {
      const place = { stream, revision, position };
      if (packed) return { ...place, link: unpackLink(packed) };
      return { ...place, event: whole(stream, revision)! };
    });
  };
};

export const openReader = (file: string): Reader => {
  const naming = namingLog(file);
  /** Turns SQLite's errors into the port's. */
  const reading = <T>(read: () => T): T => {
    try {
      return naming(read);
    } catch (error) {
      const reason = (error as Error).message;
      throw new StoreUnavailable(`the event log cannot be read: ${reason}`, { cause: error });
    }
  };
  const database = openForReading(file);
  const { after, pageAfter } = createPages(database);
  let bareRows: Reader['bare'] | undefined;
  const forwards = selectRows(database, 'stream = ? AND revision >= ? ORDER BY revision LIMIT ?');
  const backwards = selectRows(
    database,
    'stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?',
  );
  const newest = database.prepare('SELECT max(position) AS position FROM events');
  const snapshot = database.prepare(
    'SELECT revision, version, state FROM snapshots WHERE stream = ?',
  );
  return {
    head: () => reading(() => Number(newest.get()?.position ?? 0)),
    after: (position, limit) => reading(() => after.all(position, limit).map(toRecorded)),
    page: (position, limit, charactersMax, interest) =>
      reading(() => pageAfter(position, limit, charactersMax, interest)),
    bare(position, limit, types) {
      bareRows ??= createBareRows(database, (stream, revision) =>
        forwards.all(stream, revision, 1).map(toRecorded).at(0),
      );
      const read = bareRows;
      return reading(() => read(position, limit, types));
    },
    forwards: (stream, from, limit) =>
      reading(() => forwards.all(stream, from, limit).map(toRecorded)),
    backwards: (stream, from, limit) =>
      reading(() => backwards.all(stream, from, limit).map(toRecorded)),
    snapshot: (stream) => {
      const found = reading(() => snapshot.get(stream));
      if (!found) return undefined;
      const state = parseJson(String(found.state));
      return { revision: Number(found.revision), version: Number(found.version), state };
    },
    close: () => database.close(),
  };
};
