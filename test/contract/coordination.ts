import { expect } from 'chai';
import type { Coordination } from '../../src/projections/coordination.ts';

let count = 0;
const TTL_MS = 60_000;

/** Units of work as every coordination gives them to one process after another. */
export const coordinationContract = (name: string, open: () => Promise<Coordination>): void => {
  describe(`Coordination: ${name}`, () => {
    it('tells who is there and who does what, until it is given back', async () => {
      const coordination = await open();
      count += 1;
      const [holder, unit, other] = [`one${count}`, `work${count}`, `more${count}`];
      expect((await coordination.renew(holder, TTL_MS)).holders).to.include(holder);
      expect(await coordination.take(unit, holder)).to.equal(true);
      expect(await coordination.take(other, holder)).to.equal(true);
      const shares = [await coordination.renew(holder, TTL_MS), await coordination.look(TTL_MS)];
      for (const { holders, held } of shares) {
        expect(holders).to.include(holder);
        expect([held.get(unit), held.get(other)]).to.deep.equal([holder, holder]);
      }
      await coordination.release(unit, holder);
      const after = await coordination.look(TTL_MS);
      expect([after.held.get(unit), after.held.get(other)]).to.deep.equal([undefined, holder]);
    });
    it('has nothing of one who has left', async () => {
      const coordination = await open();
      count += 1;
      const [holder, unit] = [`one${count}`, `work${count}`];
      await coordination.renew(holder, TTL_MS);
      await coordination.take(unit, holder);
      await coordination.leave(holder);
      const { holders, held } = await coordination.look(TTL_MS);
      expect(holders).to.not.include(holder);
      expect(held.has(unit)).to.equal(false);
      await coordination.renew(`${holder}.2`, TTL_MS);
      expect(await coordination.take(unit, `${holder}.2`)).to.equal(true);
    });
  });
};
