import { join } from 'node:path';
import { headMoved, readHead, type SharedHead, wakeAll } from '../shared-head.ts';
import { type EventStore, StoreUnavailable } from '../store.ts';
import type { Source } from './follow.ts';
import { openReader } from './reader.ts';
import { createReading } from './reading.ts';

const refuse = async (): Promise<never> => {
  throw new StoreUnavailable('this thread only reads the event log');
};

/**
 * The log for a thread beside the one that opened it for writing: reads the same file over a
 * connection of its own, and is told by the shared head how far it may read.
 */
export const openReadOnlyStore = (options: { directory: string; head: SharedHead }): EventStore => {
  const reader = openReader(join(options.directory, 'events.db'));
  const { head } = options;
  const buffer: Source['buffer'] = {
    head: () => readHead(head),
    watch: () => undefined,
    after: () => undefined,
    changed: (position, signal) => headMoved(head, position, signal),
  };
  let readable = true;
  const demandReadable = (): void => {
    if (!readable) throw new StoreUnavailable('the event log is closed');
  };
  return {
    ...createReading({ buffer, reader, demandReadable }),
    append: refuse,
    saveSnapshot: refuse,
    health: async () => ({ ok: readable }),
    close: async () => {
      if (!readable) return;
      readable = false;
      wakeAll(head);
      reader.close();
    },
  };
};
