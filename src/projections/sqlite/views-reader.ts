import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { START } from '../../events/store.ts';
import { createMutex } from '../../shared/concurrency.ts';
import { withTimeout } from '../../shared/timing.ts';
import {
  FIND_ROWS_MAX,
  type Kept,
  type Query,
  type Scan,
  Unserved,
  type ViewsReader,
} from '../views.ts';
import { checkedName, exactWalk } from '../walk.ts';
import { createInlineLister, type Lister } from './lister.ts';
import { filterOf, type Stretch, selectById, walking } from './query.ts';
import { openReading, type Reading } from './reading.ts';
import type { Row } from './rows.ts';
import type { Parameter } from './values.ts';
import { walkAtOnce } from './walk.ts';

const CACHE_KIBIBYTES = 32 * 1024;
const PROBE_TIMEOUT_MS = 2_000;

const recordOf = (rows: readonly unknown[]): Record<string, string> =>
  Object.fromEntries(
    (rows as { key: string; value: string }[]).map(({ key, value }) => [key, value]),
  );

/** The rows of a stretch without further conditions. Reads only the index. */
const countIn = (reading: Reading, stretch: Stretch): number => {
  const parameters: Parameter[] = [];
  const { terms, from } = walking(stretch, parameters);
  const text = `SELECT count(*) AS count ${from}${filterOf(terms)}`;
  return (reading.one(text, ...parameters) as { count: number }).count;
};

export const fileIn = (directory: string): string => join(directory, 'views.db');

export type CreateLister = (file: string) => Lister;

/** Reads over one connection. `probe` rejects when the views cannot be written. */
export const createReads = (reading: Reading, lister: Lister, probe: () => Promise<unknown>) => {
  const oneByOne = createMutex();
  const getMany = <Doc>(collection: string, ids: readonly string[]): Kept<Doc>[] =>
    reading
      .rows(selectById(reading.shape(collection), ids))
      .map((row) => reading.read<Doc>(collection, row as Row));

  const reads: ViewsReader = {
    async get<Doc>(collection: string, id: string) {
      return reading.get<Doc>(collection, id);
    },
    async getMany<Doc>(collection: string, ids: readonly string[]) {
      return getMany<Doc>(collection, ids);
    },
    async find<Doc>(collection: string, query: Query) {
      const { rows, next } = walkAtOnce(reading, collection, {
        ...query,
        rowsMax: FIND_ROWS_MAX,
        charactersMax: Number.POSITIVE_INFINITY,
      });
      if (next !== null && rows.length < query.limit) throw new Unserved(collection, query);
      return rows.map((row) => reading.read<Doc>(collection, row));
    },
    async scan<Doc>(collection: string, scan: Scan, signal?: AbortSignal) {
      const { rows, next } = await lister.scan(
        { collection: checkedName(collection), scan },
        signal,
      );
      return { rows: rows.map((row) => reading.read<Doc>(collection, row)), next };
    },
    // One may take milliseconds, and a list of jobs asks for hundreds: other work runs between them.
    count: (collection, query) =>
      oneByOne(async () => {
        await nextTurn();
        const shape = reading.shape(collection);
        const walk = exactWalk(shape.indexes, query);
        if (!walk) throw new Unserved(collection, query);
        return countIn(reading, { shape, walk, order: query.order, range: walk.range });
      }),
    async checkpoint(collection) {
      const row = reading.one('SELECT position FROM _collections WHERE name = ?', collection);
      return (row as { position: string } | undefined)?.position ?? START;
    },
    async checkpoints() {
      const rows = reading.all('SELECT name AS key, position AS value FROM _collections');
      const each = Object.entries(recordOf(rows));
      return Object.fromEntries(each.map(([name, position]) => [name, [position]]));
    },
    // The one process that writes these knows of its halts.
    halts: async () => ({}),
    async live() {
      return recordOf(reading.all('SELECT projection AS key, collection AS value FROM _live'));
    },
    async collections() {
      const rows = reading.all('SELECT name FROM _collections ORDER BY name');
      return (rows as { name: string }[]).map(({ name }) => name);
    },
    async health() {
      try {
        // From its pages: they may be damaged.
        await reads.checkpoints();
        await withTimeout(PROBE_TIMEOUT_MS, probe(), () => {
          throw new Error('no answer from the writer');
        });
        return { ok: true };
      } catch (error) {
        return { ok: false, detail: (error as Error).message };
      }
    },
    async close() {
      await lister.close();
      reading.close();
    },
  };
  return reads;
};

export const openReads = (file: string, createLister?: CreateLister) => {
  const reading = openReading(file, { cacheKibibytes: CACHE_KIBIBYTES });
  return { reading, lister: createLister?.(file) ?? createInlineLister(reading) };
};

/** Reads the documents that another thread writes. The file and its tables must exist. */
export const openSqliteViewsReader = (options: {
  directory: string;
  createLister: CreateLister;
  /** Rejects when the other thread cannot write. */
  probe: () => Promise<void>;
}): ViewsReader => {
  const { reading, lister } = openReads(fileIn(options.directory), options.createLister);
  return createReads(reading, lister, options.probe);
};
