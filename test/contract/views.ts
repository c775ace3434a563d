import { expect } from 'chai';
import { START } from '../../src/events/store.ts';
import {
  type Query,
  StaleCheckpoint,
  Unserved,
  Unwritable,
  type Views,
  type Write,
} from '../../src/projections/views.ts';
import {
  at,
  filters,
  idsOf,
  indexes,
  keep,
  type Parcel,
  parcel,
} from '../support/views-parcels.ts';
import { outcomeOf } from './store-events.ts';
import { collectionsContract } from './views-collections.ts';
import { findContract } from './views-find.ts';
import { scanContract } from './views-scan.ts';

const newest = { field: 'order', direction: 'descending' } as const;
const byNote = { field: 'note', direction: 'ascending' } as const;

/** What every keeper of documents promises. No adapter gets an option. */
export const viewsContract = (name: string, open: () => Promise<Views>): void => {
  describe(`Views: ${name}`, () => {
    let views: Views;
    let count = 0;
    const fresh = (): string => {
      count += 1;
      return `parcels_v1_${Date.now()}${count}`;
    };

    /** A collection with these documents, read up to `to`. */
    const filled = async (writes: readonly Write[] = [], to = at(100)): Promise<string> => {
      const collection = fresh();
      await views.prepare(collection, indexes, filters);
      await views.commit([{ collection, writes, from: START, to }]);
      return collection;
    };
    const ids = (collection: string, query: Partial<Query>) => idsOf(views, collection, query);
    before(async () => {
      views = await open();
    });
    after(() => views.close());

    describe('documents', () => {
      it('gives back what was kept, with its position', async () => {
        const collection = await filled([keep(parcel(1), at(7))]);
        expect(await views.get(collection, 'p1')).to.deep.equal(keep(parcel(1), at(7)));
      });
      it('keeps every kind of JSON value as it was', async () => {
        const document = {
          text: 'žluťoučký "kůň" \u0000 \ud83d\udce6 $',
          $dollar: 1,
          'a.b': { c: [] },
          nothing: null,
          numbers: [0, -1, 0.1, 9_007_199_254_740_991],
          deep: { list: [{ yes: true }, [], {}] },
        };
        const collection = await filled([{ id: 'x', position: at(1), document }]);
        const kept = await views.get(collection, 'x');
        expect(JSON.stringify(kept?.document)).to.equal(JSON.stringify(document));
      });
      it('knows nothing of an id that was never kept', async () => {
        expect(await views.get(await filled(), 'p1')).to.equal(undefined);
      });
      it('gives back many, leaving out those that are not there', async () => {
        const collection = await filled([keep(parcel(1)), keep(parcel(2)), keep(parcel(3))]);
        const kept = await views.getMany<Parcel>(collection, ['p3', 'nobody', 'p1']);
        expect(kept.map(({ id }) => id).sort()).to.deep.equal(['p1', 'p3']);
        expect(await views.getMany(collection, [])).to.deep.equal([]);
      });
      it('keeps collections apart', async () => {
        const [one, other] = [await filled([keep(parcel(1))]), await filled()];
        expect(await views.get(one, 'p1')).to.not.equal(undefined);
        expect(await views.get(other, 'p1')).to.equal(undefined);
      });
    });

    findContract(() => views, filled);
    scanContract(() => views, filled);

    describe('commit', () => {
      it('replaces a document by a newer one', async () => {
        const collection = await filled([keep(parcel(1), at(1))], at(1));
        const newer = parcel(1, { weight: 77 });
        await views.commit([{ collection, writes: [keep(newer, at(2))], from: at(1), to: at(2) }]);
        expect((await views.get<Parcel>(collection, 'p1'))?.document.weight).to.equal(77);
        expect(await ids(collection, { where: { weight: 77 } })).to.deep.equal(['p1']);
        expect(await ids(collection, { where: { weight: 1 } })).to.deep.equal([]);
      });
      it('changes nothing by a write that is not newer', async () => {
        const collection = await filled([keep(parcel(1), at(5))], at(5));
        for (const [position, to] of [
          [at(4), at(6)],
          [at(5), at(7)],
        ] as const) {
          const from = await views.checkpoint(collection);
          const older = keep(parcel(1, { weight: 77 }), position);
          await views.commit([{ collection, writes: [older], from, to }]);
          const gone = { id: 'p1', position, document: null };
          await views.commit([{ collection, writes: [gone], from: to, to: `${to}x` }]);
        }
        expect(await views.get(collection, 'p1')).to.deep.equal(keep(parcel(1), at(5)));
      });
      it('removes a document', async () => {
        const collection = await filled([keep(parcel(1)), keep(parcel(2))], at(2));
        const gone = { id: 'p1', position: at(3), document: null };
        await views.commit([{ collection, writes: [gone], from: at(2), to: at(3) }]);
        expect(await ids(collection, {})).to.deep.equal(['p2']);
        await views.commit([{ collection, writes: [gone], from: at(3), to: at(4) }]);
        expect(await ids(collection, {})).to.deep.equal(['p2']);
      });
      it('moves the checkpoint, also without documents', async () => {
        const collection = fresh();
        await views.prepare(collection, indexes, filters);
        expect(await views.checkpoint(collection)).to.equal(START);
        await views.commit([{ collection, writes: [], from: START, to: at(3) }]);
        expect(await views.checkpoint(collection)).to.equal(at(3));
      });
      it('refuses to go on from a checkpoint that is not there', async () => {
        const collection = await filled([], at(3));
        for (const from of [at(2), START]) {
          const write = { collection, writes: [keep(parcel(4))], from, to: at(4) };
          expect(await outcomeOf(views.commit([write]))).to.be.instanceOf(StaleCheckpoint);
          expect(await views.checkpoint(collection)).to.equal(at(3));
        }
      });
      it('changes nothing when repeated', async () => {
        const collection = fresh();
        await views.prepare(collection, indexes, filters);
        const first = { collection, writes: [keep(parcel(1))], from: START, to: at(1) };
        await views.commit([first]);
        const kept = await views.get(collection, 'p1');
        await outcomeOf(views.commit([first]));
        expect(await views.get(collection, 'p1')).to.deep.equal(kept);
        expect(await views.checkpoint(collection)).to.equal(at(1));
      });
      it('lets exactly one of two rival writers continue', async () => {
        const collection = await filled([], at(1));
        const write = (weight: number) => {
          const writes = [keep(parcel(2, { weight }))];
          return views.commit([{ collection, writes, from: at(1), to: at(2) }]);
        };
        const results = await Promise.allSettled([write(1), write(2)]);
        const lost = results.filter(({ status }) => status === 'rejected');
        expect(lost).to.have.length(1);
        expect((lost[0] as PromiseRejectedResult).reason).to.be.instanceOf(StaleCheckpoint);
      });
      it('commits several collections at once', async () => {
        const [one, other] = [await filled([], at(1)), await filled([], at(1))];
        await views.commit([
          { collection: one, writes: [keep(parcel(2))], from: at(1), to: at(2) },
          { collection: other, writes: [keep(parcel(3))], from: at(1), to: at(3) },
        ]);
        expect(await ids(one, {})).to.deep.equal(['p2']);
        expect(await ids(other, {})).to.deep.equal(['p3']);
        expect(await views.checkpoint(one)).to.equal(at(2));
        expect(await views.checkpoint(other)).to.equal(at(3));
      });
      it('takes commits of two collections that are made at the same time', async () => {
        const collections = [await filled([], at(1)), await filled([], at(1))];
        const commit = (collection: string) =>
          views.commit([{ collection, writes: [keep(parcel(2))], from: at(1), to: at(2) }]);
        await Promise.all(collections.map(commit));
        for (const one of collections) {
          expect(await ids(one, {})).to.deep.equal(['p2']);
          expect(await views.checkpoint(one)).to.equal(at(2));
        }
      });
      it('names the collection whose document can never be kept', async () => {
        const collection = await filled([], at(1));
        const circle: Record<string, unknown> = { id: 'p2' };
        circle.self = circle;
        const writes = [{ id: 'p2', position: at(2), document: circle }];
        const committing = views.commit([{ collection, writes, from: at(1), to: at(2) }]);
        const error = await outcomeOf(committing);
        expect(error).to.be.instanceOf(Unwritable);
        expect(error).to.include({ collection, position: at(2) });
        expect(await views.checkpoint(collection)).to.equal(at(1));
      });
      it('commits 1,000 documents and shows them to readers at once', async () => {
        const writes = Array.from({ length: 1000 }, (_, number) => keep(parcel(number)));
        const collection = await filled(writes, at(1000));
        expect(await ids(collection, { limit: 2000 })).to.have.length(1000);
      });
      it('answers readers while it is being written', async () => {
        const collection = await filled([keep(parcel(1))], at(1));
        let writing = true;
        const write = async () => {
          for (let number = 2; number < 60; number += 1) {
            const writes = [keep(parcel(1, { weight: number }), at(number)), keep(parcel(number))];
            await views.commit([{ collection, writes, from: at(number - 1), to: at(number) }]);
          }
          writing = false;
        };
        const read = async () => {
          for (let before = 0; writing; ) {
            const { weight = 0 } = (await views.get<Parcel>(collection, 'p1'))?.document ?? {};
            expect(weight, 'newer with every look').to.be.at.least(before);
            // All of the commits before; of the one under way some documents may show before others.
            expect((await ids(collection, {})).length).to.be.at.least(weight - 1);
            before = weight;
            await new Promise(setImmediate);
          }
        };
        await Promise.all([write(), read(), read()]);
      });
    });

    describe('replace', () => {
      const due = { where: { note: { gte: 'a' } }, order: byNote };

      it('puts a document in place of the one with the same position', async () => {
        const collection = await filled([keep(parcel(1, { note: 'a' })), keep(parcel(2))], at(2));
        const kept = keep(parcel(1, { note: null, weight: 8 }));
        await views.replace(collection, [kept]);
        expect(await views.get(collection, 'p1')).to.deep.equal(kept);
        expect(await ids(collection, due)).to.deep.equal([]);
        expect(await ids(collection, { where: { owner: 'bob', weight: 8 } })).to.deep.equal(['p1']);
        expect(await views.checkpoint(collection)).to.equal(at(2));
      });
      it('leaves alone what is newer or older, and creates nothing', async () => {
        const collection = await filled([keep(parcel(1), at(5))], at(9));
        for (const position of [at(4), at(6)]) {
          await views.replace(collection, [keep(parcel(1, { weight: 77 }), position)]);
        }
        await views.replace(collection, [keep(parcel(2), at(5))]);
        expect((await views.get<Parcel>(collection, 'p1'))?.document.weight).to.equal(1);
        expect(await views.get(collection, 'p2')).to.equal(undefined);
        await views.replace(collection, []);
      });
      it('lets a newer event win afterwards', async () => {
        const collection = await filled([keep(parcel(1))], at(1));
        await views.replace(collection, [keep(parcel(1, { weight: 8 }))]);
        const newer = keep(parcel(1, { weight: 9 }), at(2));
        await views.commit([{ collection, writes: [newer], from: at(1), to: at(2) }]);
        expect((await views.get<Parcel>(collection, 'p1'))?.document.weight).to.equal(9);
      });
      const upTo = { where: { note: { lte: 'b' } }, order: byNote };
      const noted = ['b', null, 'a', null, 'c'].map((note, nth) => keep(parcel(nth, { note })));

      it('finds the documents that have a value where an index leaves out the others', async () => {
        const collection = await filled(noted);
        expect(await ids(collection, due)).to.deep.equal(['p2', 'p0', 'p4']);
        expect(await ids(collection, upTo)).to.deep.equal(['p2', 'p0']);
      });
      it('counts along an index', async () => {
        const collection = await filled(noted);
        expect(await views.count(collection, due)).to.equal(3);
        expect(await views.count(collection, upTo)).to.equal(2);
        const ann = { where: { owner: 'ann' }, order: newest };
        expect(await views.count(collection, ann)).to.equal(3);
        const gone = { id: 'p0', position: at(101), document: null };
        await views.commit([{ collection, writes: [gone], from: at(100), to: at(101) }]);
        const all = { where: {}, order: { ...newest, field: 'owner' } };
        expect(await views.count(collection, all), 'without what was removed').to.equal(4);
        const row = { where: { owner: 'ann', sent: true }, order: newest };
        expect(await outcomeOf(views.count(collection, row))).to.be.instanceOf(Unserved);
      });
      it('loses no document when it cleans its files', async () => {
        const collection = await filled([keep(parcel(1))], at(1));
        await views.clean();
        expect(await ids(collection, {})).to.deep.equal(['p1']);
      });
    });

    collectionsContract(() => views, { fresh, filled });

    it('is well', async () => {
      expect(await views.health()).to.deep.equal({ ok: true });
    });
  });
};
