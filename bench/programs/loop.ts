import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { eventsFile } from '../../src/events/sqlite/archive.ts';
import { selectRows } from '../../src/events/sqlite/format.ts';
import { unpackRow } from '../../src/events/sqlite/packing.ts';
import type { StoredRow } from '../../src/events/sqlite/rows.ts';
import type { Recorded } from '../../src/events/store.ts';
import { projections } from '../../src/projections/all.ts';
import type { Handler } from '../../src/projections/define.ts';
import { selectById } from '../../src/projections/sqlite/query.ts';
import {
  createRowReader,
  createRowWriter,
  type Row as Kept,
} from '../../src/projections/sqlite/rows.ts';
import { newShape, tableOf } from '../../src/projections/sqlite/shape.ts';
import {
  createWordReader,
  createWordWriter,
  WORDS_TABLE,
} from '../../src/projections/sqlite/words.ts';
import { answerBench, tellBench } from './measure.ts';

// The baseline of a rebuild: reads the log, folds each event with the folds of the projection and
// writes the same documents, with the same indexes. It checks nothing, serves no reads and cannot
// resume.

const [directory = '', target = '', name = ''] = process.argv.slice(2);
const PAGE = 1000;
const RECENT_MAX = 4096;

const projection = projections.find((one) => one.name === name);
if (!projection) throw new Error(`there is no projection "${name}"`);
const handlers = projection.on as Record<string, Handler<object, Recorded> | undefined>;

interface Entry {
  document: object | undefined;
  position: string;
}

const log = new DatabaseSync(eventsFile(directory), { readOnly: true });
const views = new DatabaseSync(join(target, 'loop.db'));
views.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768');
views.exec('PRAGMA wal_autocheckpoint = 8000');
views.exec(WORDS_TABLE);
const { indexes, filters = [], words = [] } = projection;
const shape = newShape('documents', indexes, filters, words);
for (const statement of tableOf(shape)) views.exec(statement);
const page = selectRows(log, 'position > ? ORDER BY position LIMIT ?');
const find = views.prepare(selectById(shape, []).text);
find.setReturnArrays(true);
const { put } = createRowWriter(views, createWordWriter(views), shape);
const word = views.prepare('SELECT word FROM _words WHERE number = ?');
const read = createRowReader(
  createWordReader((_, number) => word.get(number)),
  shape,
);
const remove = views.prepare('DELETE FROM documents WHERE id = ?');
const recent = new LRUCache<string, Entry>({ max: RECENT_MAX });

const entryOf = (id: string): Entry => {
  const known = recent.get(id);
  if (known) return known;
  const row = find.get(JSON.stringify([id])) as unknown as Kept | undefined;
  return row ? read<object>(row) : { document: undefined, position: '' };
};

const step = (row: StoredRow, changed: Map<string, Entry>): void => {
  const handler = handlers[row.type];
  if (!handler) return;
  const position = String(row.position).padStart(16, '0');
  const event: Recorded = {
    ...row,
    ...{ position, data: JSON.parse(row.data), meta: JSON.parse(row.meta) },
  };
  const key = handler.key(event);
  for (const id of typeof key === 'string' ? [key] : key) {
    const before = changed.get(id) ?? entryOf(id);
    const other = (one: string) => (changed.get(one) ?? entryOf(one)).document;
    const document = handler.fold(before.document, event, id, other);
    if (document !== undefined && document !== before.document) {
      changed.set(id, { document: document ?? undefined, position });
    }
  }
};

const startedAt = performance.now();
let events = 0;
for (let position = 0; ; ) {
  const rows = page.all(position, PAGE).map(unpackRow);
  if (rows.length === 0) break;
  events += rows.length;
  position = rows.at(-1)!.position;
  const changed = new Map<string, Entry>();
  for (const row of rows) step(row, changed);
  views.exec('BEGIN');
  for (const [id, entry] of changed) {
    const { document = null, position: seen } = entry;
    if (!document) remove.run(id);
    else put(id, seen, document);
    recent.set(id, entry);
  }
  views.exec('COMMIT');
}
const ms = performance.now() - startedAt;
log.close();
views.close();

answerBench();
tellBench({ events, ms });
