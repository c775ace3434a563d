import { setImmediate as nextTurn } from 'node:timers/promises';
import { createCoalesced } from '../../shared/concurrency.ts';
import { makeDirectory, makePrivate } from '../../shared/files.ts';
import { type Views, ViewsUnavailable } from '../views.ts';
import { checkedName } from '../walk.ts';
import { newShape, tableOf } from './shape.ts';
import { type CreateLister, createReads, fileIn, openReads } from './views-reader.ts';
import { openWriter } from './writer.ts';

/**
 * Documents in one SQLite file. One connection writes, in the calling thread. A second one answers
 * reads; it sees a commit as soon as that has resolved. Lists may have a third.
 */
export const openSqliteViews = async ({
  directory,
  createLister,
}: {
  directory: string;
  /** Makes the reader of lists; the calling thread reads them when absent. */
  createLister?: CreateLister;
}): Promise<Views> => {
  makeDirectory(directory);
  const file = fileIn(directory);
  // SQLite gives the files beside it the same mode.
  makePrivate(file);
  // First, because it creates the tables.
  const writer = openWriter(file);
  const { reading, lister } = openReads(file, createLister);
  const reads = createReads(reading, lister, async () => writer.probe());

  // One run at a time.
  const clean = createCoalesced(async () => {
    const cleaning = writer.clean();
    for (;;) {
      const { done, value } = cleaning.next();
      if (done && !value) throw new ViewsUnavailable('a reader holds the log of the views');
      if (done) return;
      await nextTurn();
    }
  });

  return {
    ...reads,
    partitions: 1,
    async prepare(collection, indexes, filters = [], words = []) {
      writer.prepare(collection, tableOf(newShape(collection, indexes, filters, words)));
    },
    async commit(commits) {
      if (commits.length > 0) writer.commit(commits, reading.shape);
    },
    async replace(collection, documents) {
      if (documents.length > 0) writer.replace(collection, documents, reading.shape(collection));
    },
    halt: async () => undefined,
    clean,
    async promote(projection, collection, instead) {
      return writer.promote(projection, checkedName(collection), instead);
    },
    async drop(collection) {
      const dropped = writer.drop(checkedName(collection));
      reading.forgetShapes();
      return dropped;
    },
    async close() {
      await reads.close();
      writer.close();
    },
  };
};
