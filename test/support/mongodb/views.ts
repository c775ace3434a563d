import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openConnection } from '../../../src/projections/mongodb/connection.ts';
import { type MongoViews, viewsOver } from '../../../src/projections/mongodb/views.ts';
import { withDatabase } from '../servers.ts';
import { type Answer, type Command, openWire } from './wire.ts';

let count = 0;

/** For a server that is there: longer than a busy machine takes to find it. */
export const PATIENCE_MS = 30_000;

/**
 * A database on the server of MONGODB_URL for one test file of one run; undefined when there is no
 * server.
 */
export const testDatabase = (): { url: string; client: MongoClient } | undefined => {
  const server = process.env.MONGODB_URL;
  if (!server) return undefined;
  count += 1;
  const name = `waybill_test_${process.pid}_${Date.now().toString(36)}_${count}`;
  const url = withDatabase(server, name);
  const client = new MongoClient(url);
  after(async () => {
    await client.db().dropDatabase();
    await client.close();
  });
  return { url, client };
};

/** Views over a connection of their own. */
export const openMongoViews = async ({ url }: { url: string }): Promise<MongoViews> =>
  viewsOver(await openConnection(url));

/** The answer of a search. */
export const found = (...documents: object[]): Answer => ({
  ok: 1,
  cursor: { id: 0n, ns: 'x.y', firstBatch: documents },
});

export const refusal = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => expect.fail('it was taken'),
    (error: Error) => error,
  );

/** Views on servers that answer as a test says, else as `usual` does; closed after each test. */
export const useWire = (usual: (command: Command) => Answer) => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });
  return {
    opened,
    async open(
      answer: (name: string, command: Command) => Answer = () => undefined,
      { path = '', query = '', selectionMs = PATIENCE_MS } = {},
    ) {
      const wire = await openWire((name, command) => answer(name, command) ?? usual(command));
      opened.push(wire);
      const options = `serverSelectionTimeoutMS=${selectionMs}${query}`;
      const views = await openMongoViews({
        url: `mongodb://127.0.0.1:${wire.port}/${path}?${options}`,
      });
      opened.push(views);
      const sent = (name: string) => wire.commands.filter((one) => one.name === name);
      return { views, wire, sent };
    },
  };
};
