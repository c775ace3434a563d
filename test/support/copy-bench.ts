import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'chai';
import type { SourceEvent } from '../../src/events/copy/ports.ts';
import { unpackLink } from '../../src/events/eventstoredb/events.ts';
import { selectRows } from '../../src/events/sqlite/older.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { type BooksPlan, writeBooks } from './copy-books.ts';
import { temporaryFolder } from './folder.ts';
import { type EventStoreDouble, startEventStoreDouble } from './grpc/eventstore.ts';
import type { Kept } from './grpc/log.ts';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** SQL that gives events a type of no definition; needs a WHERE. */
export const typeFromTheFuture = `
  INSERT INTO kinds VALUES (9999, 'FromTheFuture', 1);
  UPDATE events SET kind = 9999`;

/** What a data directory holds, as it stands in the file. */
export const rowsOf = (directory: string): SourceEvent[] => {
  const database = new DatabaseSync(join(directory, 'events.db'), { readOnly: true });
  const rows = selectRows(database, 'true ORDER BY position').all();
  database.close();
  return rows;
};

const isEvent = ({ stream }: Kept): boolean => !/^(\$|snapshot-)/.test(stream);

/** What a server holds of events, in its order, told as a source would. */
export const keptOf = ({ log }: EventStoreDouble): SourceEvent[] =>
  log
    .all()
    .filter(isEvent)
    .map(({ stream, revision, id, type, data, metadata }) => {
      const { v, link, ...meta } = JSON.parse(text(metadata));
      const json = { data: text(data), meta: JSON.stringify(meta) };
      const beside = link && { link: unpackLink(link) };
      return { position: 0, stream, revision, id, type, version: v, ...json, ...beside };
    });

/** The server holds the events of the directory, each as it was, in the same order. */
export const expectCopied = (directory: string, double: EventStoreDouble): void => {
  const rows = rowsOf(directory).map((row) => ({ ...row, position: 0 }));
  expect(keptOf(double)).to.deep.equal(rows);
};

interface CopyBench {
  readonly double: EventStoreDouble;
  /** Puts a server that holds nothing in the place of the double. */
  renew(): Promise<void>;
  /** A directory of its own with the same log; `change` is SQL that is run on it. */
  directory(change?: string): string;
  close(): Promise<void>;
}

/** A log of many accounts on files, and a server that holds nothing yet. */
export const openCopyBench = async (plan: BooksPlan): Promise<CopyBench> => {
  const folder = temporaryFolder();
  const first = join(folder.path, 'first');
  const store = await openSqliteStore({ directory: first });
  await writeBooks(store, plan);
  await store.close();
  let double = await startEventStoreDouble();
  let directories = 0;
  return {
    get double() {
      return double;
    },
    async renew() {
      await double.close();
      double = await startEventStoreDouble();
    },
    directory(change = '') {
      directories += 1;
      const directory = join(folder.path, `data-${directories}`);
      cpSync(first, directory, { recursive: true });
      const database = new DatabaseSync(join(directory, 'events.db'));
      database.exec(change);
      database.close();
      return directory;
    },
    async close() {
      await double.close();
      folder.remove();
    },
  };
};
