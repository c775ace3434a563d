import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

// A log as a program of format 2 left it.

const tables = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE kinds (
    id INTEGER PRIMARY KEY, type TEXT NOT NULL, version INTEGER NOT NULL, UNIQUE (type, version)
  ) STRICT;
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL,
    id ANY NOT NULL, kind INTEGER NOT NULL, at INTEGER, request ANY, meta TEXT, data TEXT NOT NULL,
    sealed BLOB, UNIQUE (stream, revision)
  ) STRICT;
  CREATE TABLE snapshots (
    stream TEXT PRIMARY KEY, revision INTEGER NOT NULL, version INTEGER NOT NULL, state TEXT NOT NULL
  ) STRICT;
  CREATE TABLE probe (id INTEGER PRIMARY KEY, filler BLOB NOT NULL) STRICT;
  PRAGMA journal_mode = WAL;
  PRAGMA user_version = 2`;

interface OlderEvent {
  stream: string;
  type: string;
  version: number;
  data: object;
  accountId?: string;
}

/** An event as the specimens of stored events have it. */
export const specimenOf = (stream: string, type: string, version: number): OlderEvent => {
  const file = new URL(`../fixtures/events/${type}.v${version}.json`, import.meta.url);
  return { stream, ...JSON.parse(readFileSync(file, 'utf8')) };
};

/** Writes the events, in this order, into a data directory of format 2. */
export const writeOlderLog = (directory: string, events: readonly OlderEvent[]): void => {
  mkdirSync(directory, { recursive: true });
  const database = new DatabaseSync(join(directory, 'events.db'));
  database.exec(tables);
  const add = database.prepare('INSERT INTO streams (name) VALUES (?) ON CONFLICT DO NOTHING');
  const addKind = database.prepare(
    'INSERT INTO kinds (type, version) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const insert = database.prepare(`
    INSERT INTO events SELECT ?, streams.id, ?, ?, kinds.id, NULL, NULL, ?, ?, NULL
    FROM streams, kinds WHERE name = ? AND type = ? AND version = ?`);
  const revisions = new Map<string, number>();
  events.forEach(({ stream, type, version, data, accountId }, index) => {
    const revision = (revisions.get(stream) ?? -1) + 1;
    revisions.set(stream, revision);
    add.run(stream);
    addKind.run(type, version);
    const id = `0192f6a4-7c1e-7b52-9d3e-${String(index).padStart(12, '0')}`;
    const at = '2026-11-21T12:00:00.000Z';
    const meta = { at, requestId: 'old', ...(accountId && { accountId }) };
    const texts = [JSON.stringify(meta), JSON.stringify(data)] as const;
    insert.run(index + 1, revision, id, ...texts, stream, type, version);
  });
  database.close();
};
