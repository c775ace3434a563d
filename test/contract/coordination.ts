import { expect } from 'chai';
import type { Coordination } from '../../src/projections/coordination.ts';

let count = 0;

/** Leases as every coordination gives them to one holder after another. */
export const coordinationContract = (name: string, open: () => Promise<Coordination>): void => {
  describe(`Coordination: ${name}`, () => {
    it('keeps a lease with its holder, and gives it to another once given back', async () => {
      const { takeLease } = await open();
      count += 1;
      const work = `contract${count}`;
      expect(await takeLease(work, 'one', 60_000)).to.equal(true);
      expect(await takeLease(work, 'one', 60_000)).to.equal(true);
      expect(await takeLease(work, 'one', 0)).to.equal(false);
      expect(await takeLease(work, 'other', 60_000)).to.equal(true);
      expect(await takeLease(work, 'other', 60_000)).to.equal(true);
    });
  });
};
