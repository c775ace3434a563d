import type { DatabaseSync } from 'node:sqlite';
import { LOG_FORMAT } from '../store.ts';
import { inAccount, partsOfId } from '../streams.ts';
import { formatOf, type Reading, selectCurrent, uuidColumn } from './format.ts';
import { type Columns, unpackRow } from './packing.ts';
import { type StoredRow, toRecorded } from './rows.ts';

// Files of formats 1 and 2 are only read, to be copied or audited. Some of their streams of an account do
// not name it: a table in memory gives them today's names. Format 1 has them whole in every event.

interface Older {
  /** The columns of an event after the name of its stream. */
  columns: string;
  /** The tables, and the column that holds the name of the stream. */
  tables: string;
  name: string;
  /** A query of all names. */
  names: string;
}

const formats: ReadonlyMap<unknown, Older> = new Map<unknown, Older>([
  [
    1,
    {
      columns: `revision, '=' || id AS id, type, version, NULL AS at, NULL AS request, meta, data,
        NULL AS sealed, NULL AS link`,
      tables: 'events',
      name: 'events.stream',
      names: 'SELECT DISTINCT stream AS one FROM events',
    },
  ],
  [
    2,
    {
      columns: `revision, ${uuidColumn('events.id')} AS id, type, version, at,
        ${uuidColumn('request')} AS request, meta, data, sealed, NULL AS link`,
      tables: `events JOIN streams ON streams.id = events.stream JOIN kinds ON kinds.id = events.kind`,
      name: 'streams.name',
      names: 'SELECT name AS one FROM streams',
    },
  ],
]);

/** Whose streams do not name the account. */
const UNNAMED = ['message', 'recovery', 'bot', 'media', 'webhook', 'conversation'];

/** The events that tell the account of such a stream: a later one counts more. */
const tellingIn = ({ name }: Older) => `
  (revision = 0 OR type IN ('MessageSent', 'InboundIdClaimed'))
  AND substr(${name}, 1, instr(${name}, '-') - 1) IN (${UNNAMED.map((one) => `'${one}'`)})
  ORDER BY position`;

const accountIn = (row: StoredRow): string | undefined => {
  const { data, meta } = toRecorded(row);
  const { accountId = meta.accountId } = data as { accountId?: string };
  return accountId;
};

/** The name with the account. */
const nameWith = (accountId: string, stream: string): string => {
  const id = stream.slice(stream.indexOf('-') + 1);
  if (partsOfId(id).accountId === accountId) return stream;
  return `${stream.slice(0, -id.length)}${inAccount(accountId, id)}`;
};

const nameStreams = (database: DatabaseSync, older: Older): void => {
  const { columns, name, tables, names } = older;
  database.exec(`
    PRAGMA temp_store = MEMORY;
    CREATE TEMP TABLE names (old TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) WITHOUT ROWID;
    INSERT INTO names SELECT one, one FROM (${names})`);
  const rename = database.prepare('UPDATE names SET name = ? WHERE old = ?');
  const taken = database.prepare('SELECT 1 FROM names WHERE name = ? AND old <> ?');
  const telling = database.prepare(
    `SELECT position, ${name}, ${columns} FROM ${tables} WHERE ${tellingIn(older)}`,
  );
  telling.setReturnArrays(true);
  for (const found of telling.iterate()) {
    const row = unpackRow(found as unknown as Columns);
    const accountId = accountIn(row);
    if (accountId === undefined) continue;
    const wanted = nameWith(accountId, row.stream);
    // Of a conversation that an earlier program went on with under the account's name.
    rename.run(taken.get(wanted, row.stream) ? `${wanted}.earlier` : wanted, row.stream);
  }
};

const named = new WeakSet<DatabaseSync>();

const readingOf = (database: DatabaseSync, older: Older): Reading => {
  if (!named.has(database)) nameStreams(database, older);
  named.add(database);
  const nameOf = database.prepare('SELECT name FROM names WHERE old = ?');
  const nameToday = (stream: unknown) => nameOf.get(String(stream))?.name ?? stream;

  const changed = (
    row: StoredRow,
    change: (data: Record<string, unknown>) => object,
  ): StoredRow => {
    const data = JSON.parse(row.data);
    return { ...row, data: JSON.stringify({ ...data, ...change(data) }) };
  };
  return {
    rows: `(SELECT position, names.name AS stream, ${older.columns} FROM ${older.tables}
      JOIN names ON names.old = ${older.name})`,
    today(row) {
      switch (row.type) {
        // They name the stream of the event that is delivered.
        case 'WebhookDeferred':
        case 'WebhookAttempted':
          return changed(row, ({ stream, orderKey }) => ({
            stream: nameToday(stream),
            orderKey: nameToday(orderKey),
          }));
        case 'InstallationFounded':
          return { ...changed(row, () => ({ format: LOG_FORMAT })), version: 2 };
        default:
          return row;
      }
    },
  };
};

/** Prepares a selection of the events of a file of any format. */
export const selectRows = (database: DatabaseSync, where: string) => {
  const found = formatOf(database);
  if (found === LOG_FORMAT) return selectCurrent(database, where);
  const older = formats.get(found);
  if (older) return selectCurrent(database, where, readingOf(database, older));
  throw new Error(`the log is of format ${found}; this program knows 1 to ${LOG_FORMAT}`);
};
