import { openSqliteStore, type SqliteStore } from '../../src/events/sqlite/store.ts';
import { temporaryFolder } from './folder.ts';

/** A log in a folder of its own, which is gone when the log is closed. */
export const openOwnStore = async (): Promise<SqliteStore> => {
  const folder = temporaryFolder();
  const store = await openSqliteStore({ directory: folder.path });
  const close = async () => {
    await store.close();
    folder.remove();
  };
  return { ...store, close };
};
