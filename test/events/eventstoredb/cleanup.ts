import { EventStoreDBClient } from '@eventstore/db-client';
import type { EventStore } from '../../../src/events/store.ts';
import { withRealConnections } from '../../support/network.ts';

/** The streams that a run has made in a database that stays. */
export const createCleanup = (url: string) => {
  const streams = new Set<string>();
  return {
    /** Notes which streams are written through it. */
    noting: (store: EventStore): EventStore => ({
      ...store,
      append: (stream, expected, events) => {
        streams.add(stream);
        return store.append(stream, expected, events);
      },
      saveSnapshot: (stream, snapshot, options) => {
        streams.add(`snapshot-${stream}`);
        return store.saveSnapshot(stream, snapshot, options);
      },
    }),
    deleteAll: (): Promise<void> =>
      withRealConnections(async () => {
        const client = EventStoreDBClient.connectionString(url);
        // Those to which nothing could be written are not there.
        for (const stream of streams) await client.deleteStream(stream).catch(() => undefined);
        streams.clear();
        await client.dispose();
      }),
  };
};
