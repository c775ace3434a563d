import { expect } from 'chai';
import type { Document } from 'mongodb';
import { START } from '../../../src/events/store.ts';
import { projections } from '../../../src/projections/all.ts';
import { knownIndexes, searchOf } from '../../../src/projections/mongodb/query.ts';
import { viewsOver } from '../../../src/projections/mongodb/views.ts';
import { type Query, StaleCheckpoint, type Views } from '../../../src/projections/views.ts';
import { parseIndex, walksOf } from '../../../src/projections/walk.ts';
import { viewsContract } from '../../contract/views.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { openMongoViews, refusal, testDatabase } from '../../support/mongodb/views.ts';
import { at, filters, indexes, keep, parcel } from '../../support/views-parcels.ts';

const database = testDatabase();
if (!database) console.log('MONGODB_URL is not set: the MongoDB views meet no server in this run');

viewsContract('MongoDB, imitated', async () => viewsOver(createFakeMongo().connect()));
viewsContract('MongoDB, imitated, in partitions', async () =>
  viewsOver(createFakeMongo().connect(), 3),
);
describe('the partitions of MongoDB views @long', () => {
  const commitOf = (partitions: number[], from: string, to: string, number: number) => ({
    collection: 'parcels_v1_1',
    partitions,
    from,
    to,
    writes: [keep(parcel(number))],
  });
  let views: Views;
  beforeEach(async () => {
    views = viewsOver(createFakeMongo().connect(), 3);
    await views.prepare('parcels_v1_1', indexes, filters);
  });

  it('move one by one, and the collection is as far as the slowest', async () => {
    await views.commit([commitOf([0, 2], START, at(2), 1)]);
    expect((await views.checkpoints()).parcels_v1_1).to.deep.equal([at(2), START, at(2)]);
    expect(await views.checkpoint('parcels_v1_1')).to.equal(START);
    await views.commit([commitOf([1], START, at(1), 2), commitOf([2], at(2), at(3), 3)]);
    expect((await views.checkpoints()).parcels_v1_1).to.deep.equal([at(2), at(1), at(3)]);
    expect(await views.checkpoint('parcels_v1_1')).to.equal(at(1));
  });
  it('are refused together where one of them is elsewhere', async () => {
    await views.commit([commitOf([0], START, at(2), 1)]);
    for (const from of [START, at(2)]) {
      const committing = views.commit([commitOf([0, 1], from, at(4), 2)]);
      expect(await refusal(committing)).to.be.instanceOf(StaleCheckpoint);
    }
    expect((await views.checkpoints()).parcels_v1_1).to.deep.equal([at(2), START, START]);
  });
  it('are moved together where their collections are at one place, those left out excepted', async () => {
    const names = ['parcels_v1_1', 'parcels_v1_2', 'parcels_v1_3'];
    for (const name of names) await views.prepare(name, indexes, filters);
    const move = (from: string, to: string, ...of: readonly string[]) =>
      views.commit(of.map((collection) => ({ collection, from, to, writes: [] })));
    await move(START, at(1), ...names);
    await move(at(1), at(2), names[0]!, names[1]!);
    const now = await views.checkpoints();
    const places = [2, 2, 1].map((number) => Array(3).fill(at(number)));
    expect(names.map((name) => now[name])).to.deep.equal(places);
    await move(at(1), at(2), names[2]!);
    await move(at(2), at(3), ...names);
    const all = new Set(Object.values(await views.checkpoints()).flat());
    expect([...all]).to.deep.equal([at(3)]);
  });
});

if (database) {
  const { url, client } = database;
  viewsContract('MongoDB', () => openMongoViews({ url }));
  describe('MongoDB', () => {
    describe('serves by an index', () => {
      let views: Views | undefined;
      before(async function () {
        // A stand-in that tells no plan can't say which index serves a question.
        const plan = client.db().collection('none').find().explain();
        if (!(await plan.catch(() => undefined))) this.skip();
        views = await openMongoViews({ url });
        for (const { name, indexes } of projections) await views.prepare(`${name}_v0_1`, indexes);
      });
      after(() => views?.close());

      /** Where the server holds them: under a name that no earlier collection of ours had. */
      const rowsOf = async (collection: string) => {
        const entries = client
          .db()
          .collection<{ _id: string; incarnation: number }>('views.models');
        const entry = await entries.findOne({ _id: collection });
        return client.db().collection(`${collection}.${entry?.incarnation}`);
      };
      const stagesOf = async (collection: string, query: Query): Promise<string[]> => {
        const rows = await rowsOf(collection);
        const known = knownIndexes(await rows.indexes());
        const indexes = known.map(({ fields }) => fields);
        const walk = walksOf(indexes, query)[0]!;
        const stretch = {
          walk,
          order: query.order,
          range: walk.range,
          hint: known[walk.index]!.name,
        };
        const { filter, options } = searchOf(stretch, 50);
        const plan = await rows.find(filter as Document, options).explain();
        const stages: string[] = [];
        JSON.stringify(plan.queryPlanner.winningPlan, (key, value: unknown) => {
          if (key === 'stage') stages.push(String(value));
          return value;
        });
        return stages;
      };

      /** Whatever an index is for: some fields fixed, and the next one walked, from a place or not. */
      const questionsOf = (fields: readonly string[]): Query[] => {
        const parsed = parseIndex(fields);
        const names = parsed.map(({ name }) => name);
        return names.flatMap((field, count) => {
          // It is for no question that may find what it leaves out.
          if (parsed.slice(count).some(({ sparse }) => sparse)) return [];
          const fixed = Object.fromEntries(names.slice(0, count).map((name) => [name, 'a']));
          return (['ascending', 'descending'] as const).flatMap((direction) => {
            const rest = { order: { field, direction }, limit: 50 };
            return [
              { where: fixed, ...rest },
              { where: { ...fixed, [field]: { lt: 'b', gte: 'a' } }, ...rest },
              { where: { ...fixed, [field]: 'a', another: true }, ...rest },
            ];
          });
        });
      };

      for (const { name, indexes } of projections) {
        it(`each question that an index of ${name} is for`, async () => {
          for (const query of indexes.flatMap(questionsOf)) {
            const stages = await stagesOf(`${name}_v0_1`, query);
            expect(stages, JSON.stringify(query)).to.include('IXSCAN');
            expect(stages, JSON.stringify(query)).to.not.include.oneOf(['COLLSCAN', 'SORT']);
          }
        });
      }

      it('clears away what was removed', async () => {
        const indexes = await (await rowsOf('accounts_v0_1')).indexes();
        const clearing = indexes.find(({ expireAfterSeconds }) => expireAfterSeconds !== undefined);
        expect(clearing).to.deep.include({ key: { removedAt: 1 }, sparse: true });
      });
    });
  });
}
