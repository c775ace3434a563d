import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { completed } from '../../src/events/completed.ts';
import { createOpening } from '../../src/events/opened.ts';
import { openSqliteArchive } from '../../src/events/sqlite/archive.ts';
import { type EventReader, type Recorded, START } from '../../src/events/store.ts';
import { createKeyRing } from '../../src/keys/key-ring.ts';
import { openSqliteKeyReader } from '../../src/keys/sqlite/keys.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import { projections } from '../../src/projections/all.ts';
import type { Handler } from '../../src/projections/define.ts';
import { openWanted } from '../../src/projections/engine/open-events.ts';
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
import { SECRET } from './secret.ts';

// The baseline of a rebuild: reads the log, opens and folds each event with the folds of the projection and
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

const archive = openSqliteArchive(directory);
const log = completed(archive as unknown as EventReader);
const keys = openSqliteKeyReader(directory);
const open = createOpening(createKeyRing(keys, createWrapping(SECRET)));
const views = new DatabaseSync(join(target, 'loop.db'));
views.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32768');
views.exec('PRAGMA wal_autocheckpoint = 8000');
views.exec(WORDS_TABLE);
const { indexes, filters = [], words = [] } = projection;
const shape = newShape('documents', indexes, filters, words);
for (const statement of tableOf(shape)) views.exec(statement);
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

const step = (event: Recorded, changed: Map<string, Entry>): void => {
  const { position } = event;
  const handler = handlers[event.type]!;
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
for (let position = START; ; ) {
  const page = await log.readAll(position, PAGE);
  if (page.events.length === 0) break;
  events += page.events.length;
  position = page.to;
  const wanted = new Set(page.events.filter(({ type }) => handlers[type]));
  const changed = new Map<string, Entry>();
  for (const event of (await openWanted(open, page.events, wanted)).values()) {
    if (handlers[event.type]) step(event, changed);
  }
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
archive.close();
await keys.close();
views.close();

answerBench();
tellBench({ events, ms });
