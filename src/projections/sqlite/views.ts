import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { type Commit, Unwritable, type Views, type Write } from '../views.ts';
import { checkedName } from '../walk.ts';
import type { PackedCommit } from './protocol.ts';
import { tableOf } from './query.ts';
import { columnsOf } from './rows.ts';
import { type CreateLister, createReads, fileIn, openReads } from './views-reader.ts';
import { createWriterThread, type ViewsWriter } from './writer.ts';

/** The files that SQLite makes beside it take over its mode. */
const makePrivate = (directory: string): string => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = fileIn(directory);
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  return file;
};

const textOf = (collection: string, write: Write): string | null => {
  if (write.document === null) return null;
  try {
    return JSON.stringify(write.document);
  } catch (error) {
    throw new Unwritable(collection, write.position, error);
  }
};

const pack = (
  { collection, writes, from, to }: Commit,
  fields: readonly string[],
): PackedCommit => {
  const rows: PackedCommit['rows'] = [];
  for (const write of writes) {
    rows.push(write.id, write.position, textOf(collection, write));
    rows.push(...columnsOf(write.document, fields));
  }
  return { collection, from, to, fields, rows };
};

/**
 * Documents in one SQLite file. The writer has a connection of its own. A second one answers reads
 * at once; it sees a commit as soon as that has resolved. Lists may have a third.
 */
export const openSqliteViews = async ({
  directory,
  createWriter = createWriterThread,
  createLister,
}: {
  directory: string;
  /** Makes the writer; a thread of its own when absent. */
  createWriter?: (file: string) => ViewsWriter;
  /** Makes the reader of lists; they are read in the calling thread when absent. */
  createLister?: CreateLister;
}): Promise<Views> => {
  const file = makePrivate(directory);
  const writer = createWriter(file);
  // The writer makes the tables of the file; the reader cannot.
  await writer.run({ kind: 'probe' });
  const { reading, lister } = openReads(file, createLister);
  const reads = createReads(reading, lister, () => writer.run({ kind: 'probe' }));

  return {
    ...reads,
    async prepare(collection, indexes, filters = []) {
      const statements = tableOf(collection, indexes, filters);
      await writer.run({ kind: 'prepare', collection, statements });
    },
    async commit(commits) {
      if (commits.length === 0) return;
      const packed = commits.map((one) => pack(one, reading.shape(one.collection).fields));
      await writer.run({ kind: 'commit', commits: packed });
    },
    async promote(projection, collection, instead) {
      checkedName(collection);
      return writer.run({ kind: 'promote', projection, collection, instead });
    },
    async drop(collection) {
      const dropped = await writer.run({ kind: 'drop', collection: checkedName(collection) });
      reading.forgetShapes();
      return dropped;
    },
    async close() {
      await reads.close();
      await writer.close();
    },
  };
};
