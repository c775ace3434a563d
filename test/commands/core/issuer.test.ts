import { expect } from 'chai';
import { nameIssuer } from '../../../src/commands/core/issuer.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';

describe('the issuer of statements', () => {
  it('is recorded by the first start that names it, and by one that changes it', async () => {
    const { store, events } = createMemoryLog();
    const ids = countedIds();
    const start = (name: string | null, taxId: string | null = null) => {
      const issuer = name === null ? null : { name, address: null, taxId };
      return nameIssuer({ store, issuer, clock: fixedClock(), ids });
    };
    await start(null);
    expect(events).to.have.length(0);
    for (const name of ['Words Ltd', 'Words Ltd', null]) await start(name);
    await start('Words Ltd', 'IE1');
    expect(events.map(({ type, stream, data }) => ({ type, stream, data }))).to.deep.equal(
      [null, 'IE1'].map((taxId) => ({
        type: 'IssuerNamed',
        stream: 'issuer-waybill',
        data: { name: 'Words Ltd', address: null, taxId },
      })),
    );
  });
});
