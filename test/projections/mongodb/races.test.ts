import { expect } from 'chai';
import fc from 'fast-check';
import { MongoNetworkError } from 'mongodb';
import { type Recorded, START } from '../../../src/events/store.ts';
import { defineProjection } from '../../../src/projections/define.ts';
import { applyBatch, reload } from '../../../src/projections/engine/apply.ts';
import {
  createCollectionWriter,
  moversOf,
} from '../../../src/projections/engine/collection-writer.ts';
import { viewsOver } from '../../../src/projections/mongodb/views.ts';
import { StaleCheckpoint, type Views, type Write } from '../../../src/projections/views.ts';
import { outcomeOf } from '../../contract/store-events.ts';
import { createFakeMongo, type Turn } from '../../support/mongodb/fake.ts';
import { openMongoViews, testDatabase } from '../../support/mongodb/views.ts';
import { bytesOf, foldAll } from '../../support/projections.ts';
import { gate } from '../../support/projections-engine.ts';
import { runs } from '../../support/runs.ts';

const database = testDatabase();

/** Shows which events made a document; some events remove it. */
const histories = defineProjection<{ seen: string[] }>({
  name: 'histories',
  version: 1,
  indexes: [],
  on: {
    CreditsGranted: {
      key: ({ data }) => data.accountId,
      fold: (document, { position }) => ({ seen: [...(document?.seen ?? []), position] }),
    },
    CreditsRevoked: { key: ({ data }) => data.accountId, fold: () => null },
  },
});
const collection = 'histories_v1_1';

const at = (number: number): string => String(number).padStart(4, '0');

interface Step {
  accountId: string;
  removes: boolean;
}

const logOf = (steps: readonly Step[]): Recorded[] =>
  steps.map(({ accountId, removes }, index) => ({
    id: `event-${index}`,
    type: removes ? 'CreditsRevoked' : 'CreditsGranted',
    version: 1,
    data: { accountId },
    meta: { at: '2026-10-01T00:00:00.000Z', requestId: 'r' },
    stream: `account-${accountId}`,
    revision: index,
    position: at(index + 1),
  }));

const nothing = () => undefined;
const ATTEMPTS_MAX = 100;

/** Folds the whole log into the views as the engine does: in batches, and again after failures. */
const foldInto = async (views: Views, log: readonly Recorded[], batchSize: number) => {
  const writer = createCollectionWriter(histories, collection, [START]);
  const place = writer.places.get(0)!;
  const open = async (all: readonly Recorded[]) => all;
  const applying = { views, open, onHalt: nothing, onUnreadable: nothing };
  const end = log.at(-1)?.position ?? START;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      await reload(views, [writer]);
      while (place.position < end) {
        const events = log.filter(({ position }) => position > place.position).slice(0, batchSize);
        const movers = moversOf([writer], () => true);
        await applyBatch(applying, movers, { events, to: events.at(-1)!.position });
        if (place.halt) throw new Error(place.halt.reason);
      }
      return;
    } catch (error) {
      const isExpected = error instanceof StaleCheckpoint || error instanceof MongoNetworkError;
      if (!isExpected) throw error;
    }
  }
  throw new Error('in vain');
};

/** What readers would see, all of it. */
const shown = async (views: Views, steps: readonly Step[]): Promise<Record<string, string>> => {
  const ids = [...new Set(steps.map(({ accountId }) => accountId))].sort();
  const kept = await views.getMany(collection, ids);
  kept.sort((one, other) => (one.id < other.id ? -1 : 1));
  return Object.fromEntries(kept.map(({ id, document }) => [id, JSON.stringify(document)]));
};

const steps = fc.array(
  fc.record({
    accountId: fc.constantFrom('a', 'b'),
    removes: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8 },
);
/** Which of the steps of a writer fail, by number: before they are done, or when they were. */
const faults = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 6 });
const writer = fc.record({ batchSize: fc.integer({ min: 1, max: 4 }), faults });

describe('MongoDB views, written by several @long', () => {
  for (const [numRuns, tag] of runs(30, 120)) {
    it(`come to the same documents, however writers that repeat each other interleave and fail${tag}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.scheduler(),
          steps,
          fc.array(writer, { minLength: 2, maxLength: 3 }),
          async (scheduler, history, writers) => {
            const mongo = createFakeMongo();
            const log = logOf(history);
            const observer = viewsOver(mongo.connect());
            await observer.prepare(collection, []);

            const running = writers.map(({ batchSize, faults: failing }) => {
              let turns = 0;
              const turn: Turn = async () => {
                turns += 1;
                const fails = failing.includes(turns);
                await scheduler.schedule(Promise.resolve());
                if (fails) throw new MongoNetworkError('the connection broke');
              };
              return foldInto(viewsOver(mongo.connect(turn)), log, batchSize);
            });
            await scheduler.waitFor(Promise.all(running));

            expect(await shown(observer, history)).to.deep.equal(bytesOf(foldAll(histories, log)));
            expect(await observer.checkpoint(collection)).to.equal(log.at(-1)!.position);
          },
        ),
        { numRuns },
      ));
  }

  if (database) {
    it('come to the same documents on a server, side by side', async () => {
      const { url } = database;
      const clients = await Promise.all([openMongoViews({ url }), openMongoViews({ url })]);
      await fc.assert(
        fc.asyncProperty(
          steps,
          fc.array(writer, { minLength: 2, maxLength: 2 }),
          async (history, writers) => {
            const log = logOf(history);
            await clients[0]!.drop(collection);
            await clients[0]!.prepare(collection, []);
            await Promise.all(
              writers.map(({ batchSize }, index) => foldInto(clients[index]!, log, batchSize)),
            );
            const expected = bytesOf(foldAll(histories, log));
            expect(await shown(clients[1]!, history)).to.deep.equal(expected);
          },
        ),
        { numRuns: 50 },
      );
      await Promise.all(clients.map((views) => views.close()));
    });
  }

  describe('one of whom was held up', () => {
    const until = async (holds: () => boolean) => {
      for (let look = 0; look < 100 && !holds(); look += 1) await new Promise(setImmediate);
      expect(holds()).to.equal(true);
    };
    /** Views with a collection, and others that are held from a step on. */
    const openPaused = async (freeTurns: number) => {
      const mongo = createFakeMongo();
      const views = viewsOver(mongo.connect());
      await views.prepare(collection, [['seen']]);
      const door = gate();
      door.close();
      let turns = 0;
      const turn = async () => {
        turns += 1;
        if (turns > freeTurns) await door.pass();
      };
      return { mongo, views, door, paused: viewsOver(mongo.connect(turn)) };
    };
    /** A commit of one write, held after its look at the checkpoint, or so many steps later. */
    const hold = async (write: Write, freeTurns = 1) => {
      const { mongo, views, door, paused } = await openPaused(freeTurns);
      const commit = { collection, writes: [write], from: START, to: at(5) };
      const writing = outcomeOf(paused.commit([commit]));
      await until(() => door.held() > 0);
      return { mongo, views, open: door.open, writing };
    };
    type Held = Awaited<ReturnType<typeof hold>>;
    const [older, newer] = [{ seen: ['old'] }, { seen: ['new'] }];
    const writeOf = (document: object | null, number = 2) => ({
      id: 'a',
      position: at(number),
      document,
    });
    const documentIn = async ({ views }: Held) => (await views.get(collection, 'a'))?.document;
    /** The rival is done, and then the held one, which may not move the checkpoint. */
    const letLose = async (held: Held, rival: Write) => {
      await held.views.commit([{ collection, writes: [rival], from: START, to: rival.position }]);
      held.open();
      expect(await held.writing).to.be.instanceOf(StaleCheckpoint);
      expect(await held.views.checkpoint(collection)).to.equal(rival.position);
    };

    it('does not overwrite newer documents, and cannot move the checkpoint', async () => {
      const held = await hold(writeOf(older));
      await letLose(held, writeOf(newer, 4));
      expect(await documentIn(held)).to.deep.equal(newer);
    });
    it('does not bring back what was removed', async () => {
      const held = await hold(writeOf(older));
      await letLose(held, writeOf(null, 4));
      expect(await documentIn(held)).to.equal(undefined);
      const everything = { where: {}, order: { field: 'seen', direction: 'ascending' as const } };
      expect(await held.views.find(collection, { ...everything, limit: 9 })).to.deep.equal([]);
    });
    it('looks again when a rival made the same document, but an older one, in that instant', async () => {
      const looked = 2;
      const held = await hold(writeOf(newer), looked);
      await letLose(held, writeOf(older, 1));
      expect(await documentIn(held)).to.deep.equal(newer);
    });
    it('does not remove a document that was created again', async () => {
      const held = await hold(writeOf(null));
      await letLose(held, writeOf(newer, 4));
      expect(await documentIn(held)).to.deep.equal(newer);
    });
    /** Nothing of the held write is in the collection that was made anew. */
    const isFresh = async (held: Held) => {
      await held.views.prepare(collection, []);
      held.open();
      expect(await held.writing).to.be.instanceOf(StaleCheckpoint);
      expect(await held.views.checkpoint(collection)).to.equal(START);
      expect(await documentIn(held)).to.equal(undefined);
    };
    it('does not move the checkpoint of a collection that was lost and created again meanwhile', async () => {
      const written = 2;
      const held = await hold(writeOf(older), written);
      held.mongo.tables.clear();
      await isFresh(held);
    });
    it('does not drop a collection that was created again after a loss', async () => {
      const looked = 4;
      const { mongo, views, door, paused } = await openPaused(looked);
      const dropping = paused.drop(collection);
      await until(() => door.held() > 0);
      mongo.tables.clear();
      await views.prepare(collection, []);
      await views.commit([{ collection, writes: [writeOf(newer)], from: START, to: at(2) }]);
      door.open();
      await dropping;
      expect((await views.get(collection, 'a'))?.document).to.deep.equal(newer);
    });
    it('leaves nothing in a collection that was dropped and created again meanwhile', async () => {
      const held = await hold(writeOf(older));
      await held.views.drop(collection);
      await isFresh(held);
    });
  });
});
