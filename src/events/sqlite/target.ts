import type { CopyTarget } from '../copy/ports.ts';
import { eventsFile } from './archive.ts';
import { selectRows } from './older.ts';
import { formatPosition, parsePosition } from './rows.ts';
import { openForReading } from './schema.ts';
import { openSqliteStore } from './store.ts';

const PAGE = 1000;

/** The log of a data directory as the target of a copy. Throws while a service has it open. */
export const openSqliteTarget = async (directory: string): Promise<CopyTarget> => {
  const store = await openSqliteStore({ directory });
  const database = openForReading(eventsFile(directory));
  const after = selectRows(database, 'position > ? ORDER BY position LIMIT ?');
  return {
    store,
    async walk(position) {
      const rows = after.all(parsePosition(position), PAGE);
      const events = rows.map((row) => ({
        ...row,
        position: formatPosition(row.position),
        data: JSON.parse(row.data),
        meta: JSON.parse(row.meta),
      }));
      return { events, to: events.at(-1)?.position ?? position, isEnd: rows.length < PAGE };
    },
    refuses: () => undefined,
    async close() {
      database.close();
      await store.close();
    },
  };
};
