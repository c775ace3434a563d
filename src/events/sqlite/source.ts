import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CopySource, SourceEvent, SourceSnapshot } from '../copy/ports.ts';
import { eventsFile } from './archive.ts';
import { formatOf } from './format.ts';
import { lockDirectory } from './lock.ts';
import { selectRows } from './older.ts';
import { parseJson, parsePosition } from './rows.ts';
import { openForReading } from './schema.ts';

const PAGE_EVENTS = 1000;
const PAGE_CHARACTERS = 4 * 1024 * 1024;

/** Positions of events that do not come right after the revision before it. */
const misplacedSql = `
  SELECT position FROM
    (SELECT revision, position,
      lag(revision, 1, -1) OVER of_stream AS before, lag(position, 1, 0) OVER of_stream AS earlier
     FROM events WINDOW of_stream AS (PARTITION BY stream ORDER BY revision))
  WHERE revision <> before + 1 OR position <= earlier LIMIT 100`;

/**
 * Locks the directory, so that no service writes during the copy. Does not lock a directory without
 * a lock file: no service has ever opened it.
 */
const take = (directory: string): (() => void) => {
  if (!existsSync(join(directory, 'events.lock'))) return () => undefined;
  try {
    return lockDirectory(directory).release;
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${message}: stop the service, or copy a backup`, { cause: error });
  }
};

/** The log of a data directory as the source of a copy. Throws while a service has it open. */
export const openSqliteSource = (directory: string): CopySource => {
  const file = eventsFile(directory);
  if (!existsSync(file)) throw new Error(`there is no event log in ${directory}`);
  const release = take(directory);
  const database = openForReading(file);
  const prepare = (sql: string) => database.prepare(sql);
  const newest = prepare('SELECT max(position) AS position FROM events');
  const head = (): number => Number(newest.get()?.position ?? 0);
  const events = head();
  const after = selectRows(
    database,
    `position > ? AND position <= ${events} ORDER BY position LIMIT ${PAGE_EVENTS}`,
  );
  const at = selectRows(database, 'stream = ? AND revision = ?');
  const misplaced = prepare(misplacedSql);
  const alone = selectRows(database, 'position = ?');
  const snapshots = prepare('SELECT stream, revision, version, state FROM snapshots');

  return {
    format: formatOf(database),
    events,
    after(position) {
      const page: SourceEvent[] = [];
      let characters = 0;
      for (const event of after.iterate(position)) {
        page.push(event);
        characters += event.data.length;
        if (characters >= PAGE_CHARACTERS) break;
      }
      return page;
    },
    at: (stream, revision) => at.all(stream, revision)[0],
    misplaced: () => misplaced.all().flatMap(({ position }) => alone.all(Number(position))),
    *snapshots() {
      for (const row of snapshots.iterate()) {
        const { state: text, ...place } = row as Omit<SourceSnapshot, 'state'> & { state: string };
        const state = parseJson(text);
        // The copy leaves out damaged snapshots.
        if (state !== undefined) yield { ...place, state };
      }
    },
    placeOf: parsePosition,
    hasGrown: () => head() !== events,
    close() {
      database.close();
      release();
    },
  };
};
