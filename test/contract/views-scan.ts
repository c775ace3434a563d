import { expect } from 'chai';
import fc from 'fast-check';
import { type Scan, Unserved, type Views, type Write } from '../../src/projections/views.ts';
import { at, keep, type Parcel, parcel } from '../support/views-parcels.ts';
import { outcomeOf } from './store-events.ts';

const newestFirst = { field: 'order', direction: 'descending' as const };

/** What every keeper of documents promises of its pages. */
export const scanContract = (
  views: () => Views,
  filled: (writes?: readonly Write[]) => Promise<string>,
): void => {
  describe('scan', () => {
    let collection: string;
    const all = Array.from({ length: 20 }, (_, index) =>
      parcel(index + 1, { note: index % 5 === 0 ? `n${index}` : null }),
    );
    before(async () => {
      collection = await filled(all.map((one) => keep(one)));
    });

    const scan = (change: Partial<Scan> = {}, of = collection) =>
      views().scan<Parcel>(of, {
        where: {},
        order: newestFirst,
        limit: 3,
        rowsMax: 6,
        charactersMax: 1_000_000,
        ...change,
      });
    const page = async (...asked: Parameters<typeof scan>) => {
      const { rows, next } = await scan(...asked);
      return [rows.map(({ id }) => id), next];
    };

    it('ends at its limit, and says where', async () => {
      expect(await page()).to.deep.equal([['p20', 'p19', 'p18'], at(18)]);
      const where = { order: { lt: at(4) } };
      expect(await page({ where }), 'nothing is left').to.deep.equal([['p3', 'p2', 'p1'], null]);
    });
    it('looks at no more rows than it may, and says at which it stopped', async () => {
      // The newest six are p20 to p15.
      const where = { weight: { lt: 17 } };
      expect(await page({ where })).to.deep.equal([['p16', 'p15'], at(15)]);
      expect(await page({ where: { weight: 2 } })).to.deep.equal([[], at(15)]);
    });
    it('continues from there, to rows that were not examined', async () => {
      const from = (order: string) => ({ where: { weight: 2, order: { lt: order } } });
      expect(await page(from(at(15)))).to.deep.equal([[], at(9)]);
      expect(await page(from(at(9)))).to.deep.equal([[], at(3)]);
      expect(await page(from(at(3)))).to.deep.equal([['p2'], null]);
    });
    it('counts the rows of its index only', async () => {
      // Six of ann's are p20, p18 and so on to p10.
      const where = { owner: 'ann', sent: true };
      expect(await page({ where, limit: 2 })).to.deep.equal([['p18', 'p12'], at(10)]);
    });
    it('walks an index that leaves out nulls', async () => {
      const upwards = { field: 'order', direction: 'ascending' as const };
      const where = { note: 'n15', sent: false };
      expect(await page({ where, order: upwards, rowsMax: 1 })).to.deep.equal([['p16'], null]);
    });
    it('goes along the shorter of two indexes', async () => {
      const many = Array.from({ length: 1_100 }, (_, index) =>
        parcel(index, { owner: 'ann', note: index === 3 ? 'rare' : 'common' }),
      );
      const crowded = await filled(many.map((one) => keep(one)));
      const where = { owner: 'ann', note: 'rare' };
      expect(await page({ where }, crowded)).to.deep.equal([['p3'], null]);
    });
    it('ends with the document that passes its length', async () => {
      const length = 500;
      const long = all.map((one) => keep({ ...one, note: 'x'.repeat(length) }));
      const texts = await filled(long);
      const read = (charactersMax: number) => page({ charactersMax }, texts);
      expect(await read(2 * length - 1)).to.deep.equal([['p20', 'p19'], at(19)]);
      expect(await read(1)).to.deep.equal([['p20'], at(20)]);
    });
    it('refuses a question that no index leads to', async () => {
      const error = await outcomeOf(scan({ order: { ...newestFirst, field: 'weight' } }));
      expect(error).to.be.instanceOf(Unserved);
    });
    it('does nothing once it was called off', async () => {
      const where = { weight: 2 };
      const question = { where, order: newestFirst, limit: 3, rowsMax: 6, charactersMax: 1e6 };
      const reason = new Error('called off');
      const scanning = views().scan(collection, question, AbortSignal.abort(reason));
      expect(await outcomeOf(scanning)).to.equal(reason);
    });

    const number = fc.integer({ min: 0, max: 21 });
    const conditions = {
      owner: fc.constantFrom('ann', 'bob', 'eve'),
      sent: fc.boolean(),
      weight: fc.oneof(
        number,
        number.map((gte) => ({ gte })),
        number.map((lt) => ({ not: { lt } })),
      ),
      note: fc.constantFrom('n0', 'n15', null),
    };
    const holds = (value: unknown, condition: unknown): boolean => {
      if (typeof condition !== 'object' || condition === null) return value === condition;
      const { gte, not } = condition as { gte?: number; not?: { lt: number } };
      return gte === undefined ? !((value as number) < not!.lt) : (value as number) >= gte;
    };

    it('shows every document that is asked for once, page by page, whatever the bounds', async () => {
      const question = fc.record(conditions, { requiredKeys: [] });
      const bounds = fc.record({
        limit: fc.integer({ min: 1, max: 7 }),
        rowsMax: fc.integer({ min: 1, max: 25 }),
        direction: fc.constantFrom('ascending' as const, 'descending' as const),
      });
      await fc.assert(
        fc.asyncProperty(question, bounds, async (where, { direction, ...bound }) => {
          const order = { field: 'order', direction };
          const seen: string[] = [];
          let pages = 0;
          for (let after: string | null = ''; after !== null; pages += 1) {
            const place = direction === 'descending' ? { lt: after || 'z' } : { gt: after };
            const { rows, next } = await scan({
              where: { ...where, order: place },
              order,
              ...bound,
            });
            expect(rows.length).to.be.at.most(bound.limit);
            seen.push(...rows.map(({ id }) => id));
            after = next as string | null;
          }
          const expected = all.filter((one) =>
            Object.entries(where).every(([name, condition]) =>
              holds(one[name as keyof Parcel], condition),
            ),
          );
          if (direction === 'descending') expected.reverse();
          expect(seen).to.deep.equal(expected.map(({ id }) => id));
          expect(pages).to.be.at.most(expected.length / bound.limit + 20 / bound.rowsMax + 3);
        }),
        { numRuns: 60 },
      );
    });
  });
};
