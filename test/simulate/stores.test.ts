import { eventStoreContract } from '../contract/store.ts';
import { viewsContract } from '../contract/views.ts';
import { createMemoryLog } from './log.ts';
import { createMemoryViews } from './views.ts';

eventStoreContract('in memory', async () => {
  const log = createMemoryLog();
  return { store: log.open(true), reopen: async () => log.open(true) };
});
viewsContract('in memory', async () => createMemoryViews().open());
viewsContract('in memory, in partitions', async () => createMemoryViews(3).open());
