import { expect } from 'chai';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import type { Json } from '../support/waybill.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('a wall clock that jumps @long', () => {
  useRealConnections();
  const world = inSuite(openWorld);
  afterEach(async () => expect(await world.problems()).to.deep.equal([]));

  const setTo = (time: string) => {
    const { clock } = world.waybill;
    clock.advance(Date.parse(time) - clock.now());
  };

  it('row 19: the ledger stands in the order of the log, whatever the clock said', async () => {
    setTo('2027-04-01T12:00:00.000Z');
    const tenant = await world.tenant();
    for (const jump of [0, -HOUR, 5 * HOUR, -30 * HOUR, SECOND]) {
      world.waybill.clock.advance(jump);
      expect((await world.send(tenant)).status).to.equal(200);
    }
    const { body } = await world.call('GET', '/v1/credits', { token: tenant.apiKey });
    const left = body.transactions.map(({ balanceAfter }: Json) => balanceAfter);
    expect(left).to.deep.equal([995, 996, 997, 998, 999, 1000]);
    const { body: history } = await world.call('GET', '/v1/messages', { token: tenant.apiKey });
    const ids = history.messages.map(({ metaMessageId }: Json) => metaMessageId);
    expect(ids).to.deep.equal(
      world
        .sendsOf(tenant)
        .map(({ messageId }) => messageId)
        .toReversed(),
    );
  });

  it('row 19: a clock that was ahead leaves no reservation open for ever', async () => {
    setTo('2027-05-01T12:00:00.000Z');
    const tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
    world.waybill.clock.advance(-24 * HOUR);
    await world.restart(0);
    expect((await world.send(tenant)).status).to.equal(200);
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 2, refunded: 0, sent: 2 });
  });
});
