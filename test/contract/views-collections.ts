import { expect } from 'chai';
import { type Position, START } from '../../src/events/store.ts';
import type { Views, Write } from '../../src/projections/views.ts';
import { at, filters, idsOf, indexes, keep, parcel } from '../support/views-parcels.ts';

interface Making {
  /** A name that was never used. */
  fresh: () => string;
  /** A collection with these documents, read up to `to`. */
  filled: (writes?: readonly Write[], to?: Position) => Promise<string>;
}

/** What every keeper of documents promises of collections, and of those that serve. */
export const collectionsContract = (views: () => Views, { fresh, filled }: Making): void => {
  describe('collections', () => {
    it('are made once, however often they are prepared', async () => {
      const collection = await filled([keep(parcel(1))], at(1));
      await views().prepare(collection, indexes, filters);
      expect(await views().get(collection, 'p1')).to.not.equal(undefined);
      expect(await views().checkpoint(collection)).to.equal(at(1));
      const all = await views().collections();
      expect(all.filter((one) => one === collection)).to.deep.equal([collection]);
    });
    it('serve a projection once promoted, one at a time', async () => {
      const projection = `parcels${fresh()}`;
      const [one, other] = [await filled(), await filled()];
      expect((await views().live())[projection]).to.equal(undefined);
      expect(await views().promote(projection, one, undefined)).to.equal(true);
      expect((await views().live())[projection]).to.equal(one);
      expect(await views().promote(projection, other, one)).to.equal(true);
      expect((await views().live())[projection]).to.equal(other);
    });
    it('serve still when they are promoted once more', async () => {
      const projection = `parcels${fresh()}`;
      const [one, other] = [await filled(), await filled()];
      await views().promote(projection, one, undefined);
      expect(await views().promote(projection, one, undefined)).to.equal(true);
      await views().promote(projection, other, one);
      expect(await views().promote(projection, other, one)).to.equal(true);
      expect((await views().live())[projection]).to.equal(other);
    });
    it('do not take the place of another one than their promoter knows', async () => {
      const projection = `parcels${fresh()}`;
      const [one, other, third] = [await filled(), await filled(), await filled()];
      expect(await views().promote(projection, third, one), 'nothing serves').to.equal(false);
      expect((await views().live())[projection]).to.equal(undefined);
      await views().promote(projection, one, undefined);
      expect(await views().promote(projection, third, undefined)).to.equal(false);
      expect(await views().promote(projection, third, other)).to.equal(false);
      expect((await views().live())[projection]).to.equal(one);
    });
    it('let one of two that are promoted at once serve', async () => {
      const projection = `parcels${fresh()}`;
      const pair = [await filled(), await filled()];
      const promoted = await Promise.all(
        pair.map((one) => views().promote(projection, one, undefined)),
      );
      const served = pair.filter((_, index) => promoted[index]);
      expect([(await views().live())[projection]]).to.deep.equal(served);
    });
    it('do not serve before they are made', async () => {
      const projection = `parcels${fresh()}`;
      const gone = await filled();
      await views().drop(gone);
      for (const collection of [fresh(), gone]) {
        expect(await views().promote(projection, collection, undefined)).to.equal(false);
      }
      expect((await views().live())[projection]).to.equal(undefined);
    });
    it('are not dropped while they serve', async () => {
      const projection = `parcels${fresh()}`;
      const [one, other] = [await filled([keep(parcel(1))], at(1)), await filled()];
      await views().promote(projection, one, undefined);
      expect(await views().drop(one)).to.equal(false);
      expect(await views().get(one, 'p1')).to.not.equal(undefined);
      expect(await views().checkpoint(one)).to.equal(at(1));
      await views().promote(projection, other, one);
      expect(await views().drop(one)).to.equal(true);
      expect(await views().collections()).to.not.include(one);
    });
    it('are gone after a drop, and can be created again', async () => {
      const collection = await filled([keep(parcel(1))], at(1));
      expect(await views().drop(collection)).to.equal(true);
      expect(await views().drop(collection)).to.equal(true);
      expect(await views().collections()).to.not.include(collection);
      expect(await views().checkpoints()).to.not.have.property(collection);
      expect(await views().checkpoint(collection)).to.equal(START);
      await views().prepare(collection, indexes, filters);
      expect(await views().get(collection, 'p1')).to.equal(undefined);
      await views().commit([{ collection, writes: [keep(parcel(2))], from: START, to: at(2) }]);
      expect(await idsOf(views(), collection, {})).to.deep.equal(['p2']);
    });
    it('tell how far each of them is', async () => {
      const [one, other] = [await filled([], at(3)), fresh()];
      await views().prepare(other, indexes, filters);
      const all = (position: Position) => Array(views().partitions).fill(position);
      const told = await views().checkpoints();
      expect(told).to.deep.include({ [one]: all(at(3)), [other]: all(START) });
    });
    it('have no checkpoint before they are made', async () => {
      expect(await views().checkpoint(fresh())).to.equal(START);
    });
  });
};
