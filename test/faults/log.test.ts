import { expect } from 'chai';
import { type Views, ViewsUnavailable } from '../../src/projections/views.ts';
import { SWEPT_AFTER_MS } from '../support/faults/crash.ts';
import { createFaultyKeys } from '../support/faults/keys.ts';
import { createFaultyStore, type FaultyStore, withType } from '../support/faults/store.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { inEachTest, inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Tenant } from '../support/waybill.ts';

describe('a log whose replies are lost @long', () => {
  useRealConnections();
  let log: FaultyStore;
  let tenant: Tenant;
  const world = inEachTest(() => {
    log = createFaultyStore();
    return openWorld({ wrapStore: log.wrap });
  });
  beforeEach(async () => {
    tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
  });

  const everyAppend = () => true;

  it('row 11: an append that the adapter repeats is a no-op: one DEDUCT, one message', async () => {
    log.loseReplies(everyAppend, { count: 1_000, retried: true });
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.send(tenant)));
    for (const { status } of answers) expect(status).to.equal(200);
    expect((await world.send(tenant, { to: '+15550199901' })).status).to.equal(502);
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 22, refunded: 1, sent: 21 });
    expect(await world.balance(tenant)).to.equal(1000 - 21);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 11: a reservation that nobody heard of is 503, sends nothing, and is swept', async () => {
    log.loseReplies(withType('ChargeReserved'), { count: 1 });
    const { status, headers } = await world.send(tenant);
    expect(status).to.equal(503);
    expect(Number(headers['retry-after'])).to.be.at.least(1);
    expect(world.sendsOf(tenant)).to.have.length(1);
    expect((await world.send(tenant)).status).to.equal(200);
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 3, refunded: 0, sent: 2 });
    expect(await world.problems({ mayBeOpen: true })).to.deep.equal([]);
    await world.restart(SWEPT_AFTER_MS);
    await untilTrue('the sweep', async () => (await world.balance(tenant)) === 998);
    expect(await world.refundCauses(tenant)).to.deep.equal(['expired']);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 11: a send with a key that is tried again is charged and sent once', async () => {
    const ofRequest = ['RequestClaimed', 'RequestAnswered'] as const;
    for (const type of ['ChargeReserved', 'MessageSent', ...ofRequest] as const) {
      const lost = log.loseReplies(withType(type), { count: 1 });
      const send = () => notify(world, tenant, {}, { 'idempotency-key': `lost ${type}` });
      const before = world.sendsOf(tenant).length;
      const first = await send();
      const second = await send();
      const sent = [first, second].filter(({ status }) => status === 200).length;
      expect(world.sendsOf(tenant).length - before, type).to.equal(sent > 0 ? 1 : 0);
      expect(lost(), type).to.equal(1);
    }
    expect(await world.problems({ mayBeOpen: true })).to.deep.equal([]);
  });
});

describe('a log that is down @long', () => {
  useRealConnections();
  const log = createFaultyStore();
  let tenant: Tenant;
  let messageId: string;
  const world = inEachTest(() => {
    log.setDown(false);
    return openWorld({ wrapStore: log.wrap });
  });
  beforeEach(async () => {
    tenant = await world.tenant();
    messageId = (await world.send(tenant)).body.messageId;
  });

  const reads = () => [
    '/v1/credits',
    '/v1/notifications/catalog',
    `/v1/notifications/status/${encodeURIComponent(messageId)}`,
    '/v1/notifications/events',
    '/v1/phones',
    '/v1/messages',
    '/v1/conversations',
    '/v1/bots',
    `/v1/templates?phoneNumberId=${tenant.phoneNumberId}`,
    '/v1/notifications/events?refresh=true',
  ];
  const readAll = async () => {
    const statuses: Record<string, number> = {};
    for (const path of reads()) {
      statuses[path] = (await world.call('GET', path, { token: tenant.apiKey })).status;
    }
    return statuses;
  };

  it('row 12: sends are 503 before any call of the provider, reads go on, it recovers alone', async () => {
    const history = () => world.call('GET', '/v1/messages', { token: tenant.apiKey });
    const { phoneNumberId } = tenant;
    // It names another contact, whose id the log alone holds.
    const quoting = { phoneNumberId, text: 'what is this?', contextMessageId: messageId };
    await world.simulator.inbound('+15550199902', quoting);
    const quoted = async () => (await history()).body.messages[0]?.contextMessageId;
    await untilTrue('the quoting message', async () => (await quoted()) === messageId);
    const inPeace = await readAll();
    log.setDown(true);
    for (let time = 0; time < 5; time += 1) {
      const { status, headers } = await world.send(tenant);
      expect(status).to.equal(503);
      expect(Number(headers['retry-after'])).to.be.at.least(1);
    }
    expect(await readAll()).to.deep.equal(inPeace);
    expect(await quoted()).to.equal(null);
    expect(world.sendsOf(tenant)).to.have.length(1);
    const readiness = async () => (await fetch(`${world.waybill.url}/health/ready`)).status;
    await untilTrue('that it is seen', async () => (await readiness()) === 503);
    log.setDown(false);
    await untilTrue('a send to be taken', async () => (await world.send(tenant)).status === 200);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 12: what was under way is refunded or recorded once it is up again', async () => {
    const asking = world.gate.hold('before');
    const sending = [world.send(tenant), world.send(tenant, { to: '+15550199901' })];
    await asking.arrived(2);
    log.setDown(true);
    asking.release();
    await untilTrue('the provider', async () => world.sendsOf(tenant).length >= 3);
    log.setDown(false);
    const statuses = (await Promise.all(sending)).map(({ status }) => status);
    expect(statuses).to.deep.equal([200, 502]);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 12: while it is slow sends wait, reads are served, and nothing is sent', async () => {
    const before = world.sendsOf(tenant).length;
    const writing = log.hold(() => true);
    const sending = Promise.all(Array.from({ length: 10 }, () => world.send(tenant)));
    await writing.arrived();
    for (const status of Object.values(await readAll())) expect(status).to.be.below(405);
    expect(world.sendsOf(tenant)).to.have.length(before);
    writing.release();
    for (const { status } of await sending) expect(status).to.equal(200);
    expect(await world.problems()).to.deep.equal([]);
  });
});

describe('a log that repeats itself @long', () => {
  useRealConnections();
  const world = inSuite(() => {
    const log = createFaultyStore();
    log.setRepeating(true);
    return openWorld({ wrapStore: log.wrap, statuses: true });
  });

  it('row 14: events twice and batches again leave the read models and the money the same @series', async () => {
    const tenant = await world.tenant();
    const to = (index: number) => ({
      to: `+155501999${['01', '21', '28', '34'][index % 5] ?? 40}`,
    });
    await Promise.all(Array.from({ length: 60 }, (_, index) => world.send(tenant, to(index))));
    await untilTrue('all statuses', async () => world.simulator.pending() === 0);
    const kept = 1000 - 24;
    await untilTrue('the refunds', async () => (await world.balance(tenant)) === kept);
    expect(await world.problems()).to.deep.equal([]);
  });
});

describe('read models and data keys that are down, as MongoDB is', () => {
  useRealConnections();
  let world: World;
  afterEach(() => world.close());

  it('row 66: sends to known contacts go on, a key that is not known is 503, and it recovers', async () => {
    let isDown = false;
    const keys = createFaultyKeys();
    const wrapViews = (views: Views): Views => {
      const unlessDown =
        <A extends unknown[], T>(work: (...what: A) => Promise<T>) =>
        async (...what: A): Promise<T> => {
          if (isDown) throw new ViewsUnavailable('out of reach');
          return work(...what);
        };
      return {
        ...views,
        get: unlessDown(views.get) as Views['get'],
        find: unlessDown(views.find) as Views['find'],
        scan: unlessDown(views.scan) as Views['scan'],
      };
    };
    world = await openWorld({ wrapViews, wrapKeys: keys.wrap });
    const [tenant, other] = [await world.tenant(), await world.tenant()];
    expect((await world.send(tenant)).status).to.equal(200);
    isDown = true;
    keys.setDown(true);
    expect((await world.send(tenant)).status).to.equal(200);
    const unknown = await world.send(other);
    expect([unknown.status, unknown.headers['retry-after']]).to.deep.equal([503, '1']);
    expect(world.sendsOf(other)).to.have.length(0);
    isDown = false;
    keys.setDown(false);
    await untilTrue('it recovers', async () => (await world.send(other)).status === 200);
    expect(await world.problems()).to.deep.equal([]);
  });
});
