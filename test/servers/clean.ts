import { BACKWARDS, END, EventStoreDBClient, START } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { withTimeout } from '../../src/shared/timing.ts';
import type { Servers } from '../support/servers.ts';

export interface Left {
  streams: number;
  databases: number;
}

const REACH_MS = 5_000;
/** Streams that are deleted at a time. */
const AT_ONCE = 32;

/** Takes what this run made off both servers again: all that has the run's name in it. */
export const openCleaner = async ({ eventStoreUrl, mongoUrl }: Servers, runName: string) => {
  const log = EventStoreDBClient.connectionString(eventStoreUrl);
  const mongo = await new MongoClient(mongoUrl, { serverSelectionTimeoutMS: REACH_MS }).connect();
  let begunAt: { commit: bigint; prepare: bigint } | typeof START = START;
  const lookAtEnd = async () => {
    const newest = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
    for await (const { event } of log.readAll(newest)) if (event) begunAt = event.position;
  };
  await withTimeout(REACH_MS, lookAtEnd(), () => {
    throw new Error(`EventStoreDB does not answer within ${REACH_MS} ms`);
  });

  const cleanLog = async (): Promise<number> => {
    const streams = new Set<string>();
    for await (const { event } of log.readAll({ fromPosition: begunAt })) {
      const stream = event?.streamId;
      if (stream && !stream.startsWith('$') && stream.includes(runName)) streams.add(stream);
    }
    const names = [...streams];
    for (let at = 0; at < names.length; at += AT_ONCE) {
      await Promise.all(names.slice(at, at + AT_ONCE).map((name) => log.deleteStream(name)));
    }
    return names.length;
  };

  const cleanMongo = async (): Promise<number> => {
    const { databases } = await mongo.db('admin').admin().listDatabases({ nameOnly: true });
    const made = databases.filter(({ name }) => name.includes(runName));
    for (const { name } of made) await mongo.db(name).dropDatabase();
    return made.length;
  };

  return async (): Promise<Left> => {
    try {
      return { streams: await cleanLog(), databases: await cleanMongo() };
    } finally {
      await log.dispose();
      await mongo.close();
    }
  };
};
