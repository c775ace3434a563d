import { expect } from 'chai';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('a wall clock that jumps @long', () => {
  useRealConnections();
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(() => world.close());
  afterEach(async () => expect(await world.problems()).to.deep.equal([]));

  const setTo = (time: string) => {
    const { clock } = world.waybill;
    clock.advance(Date.parse(time) - clock.now());
  };
  /** Sends until it is refused; resolves to how many went, and by which cap it ended. */
  const sendAll = async (tenant: Tenant) => {
    for (let sent = 0; sent < 20; sent += 1) {
      const { status, body } = await world.send(tenant);
      if (status === 429) return { sent, limit: body.limit, usage: body.usage };
      expect(status).to.equal(200);
    }
    throw new Error('no cap was met');
  };
  const went = async (tenant: Tenant) => (await sendAll(tenant)).sent;

  it('row 19: a daily cap ends at midnight UTC, not a second before', async () => {
    setTo('2026-11-21T23:59:58.000Z');
    const tenant = await world.tenant({ limits: { daily: 3 } });
    const first = await sendAll(tenant);
    expect(first).to.deep.equal({
      sent: 3,
      limit: 'daily',
      usage: { minute: 3, day: 3, month: 3 },
    });
    setTo('2026-11-21T23:59:59.999Z');
    expect(await went(tenant)).to.equal(0);
    setTo('2026-11-22T00:00:00.000Z');
    expect(await sendAll(tenant)).to.deep.include({
      sent: 3,
      usage: { minute: 6, day: 3, month: 6 },
    });
  });

  it('row 19: set back by a little, no cap opens again; set back by hours, none stays shut', async () => {
    setTo('2027-03-02T12:00:00.000Z');
    const tenant = await world.tenant({ limits: { perMinute: 2, daily: 4 } });
    expect(await went(tenant)).to.equal(2);
    world.waybill.clock.advance(-20 * SECOND);
    expect(await went(tenant)).to.equal(0);
    world.waybill.clock.advance(-HOUR);
    const statuses: number[] = [];
    for (let send = 0; send < 4; send += 1) {
      statuses.push((await world.send(tenant)).status);
      world.waybill.clock.advance(SECOND);
    }
    expect(statuses).to.deep.equal([200, 200, 429, 429]);
    world.waybill.clock.advance(2 * HOUR);
    await sendAll(tenant);
    expect((await sendAll(tenant)).limit).to.equal('daily');
    const { day } = (await sendAll(tenant)).usage;
    expect(day).to.equal(4);
  });

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
