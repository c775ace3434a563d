import { expect } from 'chai';
import type { KeyStore } from '../../src/keys/key-store.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { untilTrue } from '../support/until.ts';
import { type Answer, type Json, orderShipped, type Tenant } from '../support/waybill.ts';

const MB = 1024 * 1024;
/** Noon of the tests' day: as long until midnight. */
const HALF_A_DAY_S = 43_200;
const bigBot = () => ({ name: 'Big', nodes: [{ id: 'n', data: 'x'.repeat(250_000) }] });

describe('what an account writes without paying @long', () => {
  useRealConnections();
  let tenant: Tenant;
  let planId: string;
  /** How often a data key was asked of the store of keys. */
  let ensured = 0;
  const wrapKeys = (keys: KeyStore): KeyStore => ({
    ...keys,
    ensure(...what) {
      ensured += 1;
      return keys.ensure(...what);
    },
  });
  const world = inSuite(() => openWorld({ wrapKeys }));
  before(async () => {
    const plan = { name: 'Small', billing: 'credits', currency: 'USD', markupPercent: '20' };
    const terms = { ...plan, creditValue: '0.01', freeWritesMbPerDay: 1 };
    planId = (await world.admin('POST', '/plans', terms)).id;
  });
  beforeEach(async () => {
    tenant = await world.tenant();
    await world.admin('PUT', `/accounts/${tenant.accountId}/plan`, { planId });
  });

  const call = (method: string, path: string, body?: Json): Promise<Answer> =>
    world.call(method, path, { token: tenant.apiKey, ...(body && { body }) });
  const patchUntilRefused = async (): Promise<number> => {
    const { body } = await call('POST', '/v1/bots', bigBot());
    for (let count = 1; count < 50; count += 1) {
      const { status } = await call('PATCH', `/v1/bots/${body.id}`, { name: `Big ${count}` });
      if (status === 429) return count;
      expect(status).to.equal(200);
    }
    return Number.POSITIVE_INFINITY;
  };
  const bytesInLog = async (): Promise<number> => {
    const events = (await world.waybill.log()) as unknown as Json[];
    const own = events.filter(({ meta }) => meta.accountId === tenant.accountId && !meta.by);
    return own.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
  };

  it('row 33: a bot patched in a loop ends in a 429 that waiting cures', async () => {
    expect(await patchUntilRefused()).to.be.within(3, 5);
    expect(await bytesInLog()).to.be.within(MB - 300_000, MB + 300_000);
    const refused = await call('POST', '/v1/bots', { name: 'Small' });
    expect(refused.status).to.equal(429);
    expect(refused.body).to.have.all.keys('error', 'code', 'hint', 'docUrl');
    expect(Number(refused.headers['retry-after'])).to.equal(HALF_A_DAY_S);
    const reads = await Promise.all([call('GET', '/v1/bots'), call('GET', '/v1/credits')]);
    expect(reads.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 33: it holds for sends too, after a restart, until the UTC day ends', async () => {
    await patchUntilRefused();
    let refused = await world.send(tenant);
    await untilTrue('the count to be written down', async () => {
      refused = await world.send(tenant);
      return refused.status === 429;
    });
    expect(refused.body).to.have.all.keys('error', 'code', 'hint', 'docUrl');
    expect(Number(refused.headers['retry-after'])).to.equal(HALF_A_DAY_S);
    await world.restart(0);
    expect((await world.send(tenant)).status).to.equal(429);
    expect((await call('POST', '/v1/bots', { name: 'Small' })).status).to.equal(429);
    const { body } = await call('POST', '/v1/notifications/send/batch', {
      event: 'order_shipped',
      recipients: [{ to: '+919812345678' }, { to: '+919812345679' }],
    });
    expect(body.results).to.deep.equal([
      { to: '+919812345678', ok: false, code: 'LIMIT_REACHED', error: refused.body.error },
    ]);
    world.waybill.clock.advance(HALF_A_DAY_S * 1000);
    expect((await world.send(tenant)).status).to.equal(200);
    expect((await call('POST', '/v1/bots', { name: 'Small' })).status).to.equal(201);
    world.waybill.clock.advance(-HALF_A_DAY_S * 1000);
    expect(await world.problems()).to.deep.equal([]);
  });

  it('row 33: sends that are refused make no data key, whoever they are to', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => `+9198999${10_000 + index}`);
    const recipients = numbers.map((to) => ({ to }));
    const batch = async () => {
      const asked = { event: 'order_shipped', recipients };
      return (await call('POST', '/v1/notifications/send/batch', asked)).body;
    };
    const before = ensured;
    const poor = await world.tenant({ credits: 0 });
    const asked = { to: '+919899910000', type: 'template', template: { name: 'order_shipped' } };
    for (const to of [asked.to, '+919899910001']) {
      const how = { token: poor.apiKey, body: { ...asked, to } };
      expect((await world.call('POST', '/v1/messages/send', how)).status).to.equal(402);
    }
    await world.admin('PATCH', `/accounts/${tenant.accountId}/limits`, { paused: true });
    expect(await batch()).to.include({ sent: 0 });
    expect(ensured).to.equal(before);
    await world.admin('PATCH', `/accounts/${tenant.accountId}/limits`, { paused: false });
    expect(await batch()).to.include({ sent: 40 });
    expect(ensured).to.equal(before + 40);
  });
});

describe('what keys of idempotency write that come to nothing @long', () => {
  useRealConnections();
  const freeWrites = { bytesPerMb: 500, flushBytes: 1_250 };
  const world = inSuite(() => openWorld({ bounds: { freeWrites } }));

  it('row 33: counts, so that the same refusal under ever new keys ends in a 429, and claims none', async () => {
    const tenant = await world.tenant();
    const body = { to: '+919812345678', type: 'text', text: { body: 'Hi' } };
    const send = async (key: string): Promise<number> => {
      const how = { token: tenant.apiKey, body, headers: { 'idempotency-key': key } };
      return (await world.call('POST', '/v1/messages/send', how)).status;
    };
    const claims = async () =>
      (await world.waybill.log()).filter(({ type }) => type === 'RequestClaimed').length;
    let count = 0;
    for (; count < 200; count += 1) {
      const status = await send(`key-${count}`);
      if (status === 429) break;
      expect(status).to.equal(403);
    }
    // 50 megabytes of 500 bytes each, at 1,200 to 1,700 bytes for a key that was freed.
    expect(count).to.be.within(12, 25);
    const claimed = await claims();
    expect(await send('another')).to.equal(429);
    expect(await claims()).to.equal(claimed);
    expect(await world.problems()).to.deep.equal([]);
  });
});

describe('what waits in jobs @long', () => {
  useRealConnections();
  // 25 kB a day.
  const world = inSuite(() =>
    openWorld({ bounds: { freeWrites: { bytesPerMb: 500, flushBytes: 1 } } }),
  );

  it('row 69: bounds further files until it is sent, and counts once it comes to nothing', async () => {
    const tenant = await world.tenant();
    const call = (method: string, path: string, body?: Json): Promise<Answer> =>
      world.call(method, `/v1/jobs${path}`, { token: tenant.apiKey, ...(body && { body }) });
    const { variables } = orderShipped() as Json;
    const columns = Object.fromEntries(Object.keys(variables).map((name) => [name, name]));
    const row = (at: number) => ({ to: `+91981234${5000 + at}`, ...variables });
    const make = (count: number) =>
      call('POST', '', {
        event: 'order_shipped',
        columns: { to: 'to', variables: columns },
        rows: Array.from({ length: count }, (_, at) => row(at)),
      });
    const job = async (id: string) => (await call('GET', `/${id}`)).body;
    const until = (id: string, state: string) =>
      untilTrue(`the job is ${state}`, async () => (await job(id)).state === state);
    const refusedWith = async (code: string, limit?: string) => {
      const { status, body } = await make(1);
      expect([status, body.code, body.limit]).to.deep.equal([429, code, limit]);
    };
    // The first one has room, however large it is.
    const { body: sent } = await make(150);
    await until(sent.id, 'ready');
    await refusedWith('JOBS_FULL', 'jobs');
    await call('POST', `/${sent.id}/start`);
    await until(sent.id, 'done');
    expect((await job(sent.id)).counts.refused).to.equal(0);
    const { body: cancelled } = await make(150);
    await until(cancelled.id, 'ready');
    expect((await call('POST', `/${cancelled.id}/cancel`)).status).to.equal(200);
    await untilTrue('its rows are counted', async () => (await world.send(tenant)).status === 429);
    await refusedWith('FREE_WRITES_REACHED');
    expect(await world.problems()).to.deep.equal([]);
  });
});
