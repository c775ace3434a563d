import { join } from 'node:path';
import { headMoved, readHead, type SharedHead, wakeAll } from '../shared-head.ts';
import { type EventReader, StoreUnavailable } from '../store.ts';
import type { Source } from './follow.ts';
import { openReader } from './reader.ts';
import { createReading } from './reading.ts';

/**
 * Reads the log in another thread than the writer's, over its own connection to the file. The shared
 * head is the end of what it may read.
 */
export const openSqliteReader = (options: { directory: string; head: SharedHead }): EventReader => {
  const reader = openReader(join(options.directory, 'events.db'));
  const { head } = options;
  const buffer: Source['buffer'] = {
    head: () => readHead(head),
    watch: () => () => undefined,
    after: () => undefined,
    changed: (position, signal) => headMoved(head, position, signal),
  };
  let readable = true;
  const demandReadable = (): void => {
    if (!readable) throw new StoreUnavailable('the event log is closed');
  };
  return {
    ...createReading({ buffer, reader, demandReadable }),
    health: async () => ({ ok: readable }),
    close: async () => {
      if (!readable) return;
      readable = false;
      wakeAll(head);
      reader.close();
    },
  };
};
