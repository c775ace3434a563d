import { expect } from 'chai';
import { openWorld } from '../support/faults/world.ts';
import { inEachTest } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { ADMIN_TOKEN, type Json, orderShipped, type Tenant } from '../support/waybill.ts';

const SEND = '/v1/notifications/send';

describe('keys in wrong hands @long', () => {
  useRealConnections();
  let tenant: Tenant;
  afterEach(async () => expect(await world.problems()).to.deep.equal([]));
  const world = inEachTest(openWorld);
  beforeEach(async () => {
    tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
  });

  const keysOf = async () => {
    const { keys } = await world.admin('GET', `/accounts/${tenant.accountId}/keys`);
    return keys.map(({ id }: Json) => id) as string[];
  };
  const newKey = async (change: object = {}) => {
    const path = `/accounts/${tenant.accountId}/keys`;
    return (await world.admin('POST', path, { name: 'other', ...change })) as Json;
  };
  const send = (token: string | undefined) =>
    world.call('POST', SEND, { ...(token !== undefined && { token }), body: orderShipped() });

  it('row 25: whatever is wrong with a key, the answer is one; and guessing ends soon', async () => {
    const [revoked, inactive] = [await newKey(), await newKey()];
    const soon = new Date(world.waybill.clock.now() + 1000).toISOString();
    const expired = await newKey({ expiresAt: soon });
    await world.admin('POST', `/keys/${revoked.id}/revoke`);
    await world.admin('POST', `/keys/${inactive.id}/deactivate`);
    world.waybill.clock.advance(2000);
    const { apiKey } = tenant;
    const wrongEnd = `${apiKey.slice(0, -1)}${apiKey.endsWith('a') ? 'b' : 'a'}`;
    // Without any token, a caller is told which header takes it.
    const wrong = [undefined, '', 'x', ADMIN_TOKEN, `wb_live_${'0'.repeat(8)}_${'0'.repeat(32)}`];
    const all = [...wrong, wrongEnd, revoked.key, inactive.key, expired.key];
    const shapes = { without: new Set<string>(), wrong: new Set<string>() };
    for (let guess = 0; guess < 120; guess += 1) {
      const token = all[guess % all.length];
      const { status, body, headers } = await send(token);
      const { 'ratelimit-remaining': left, 'content-length': length } = headers;
      expect(left).to.equal(String(119 - guess));
      const shape = JSON.stringify([status, body, length, headers['www-authenticate']]);
      shapes[token ? 'wrong' : 'without'].add(shape);
    }
    for (const one of Object.values(shapes)) {
      expect([...one]).to.have.length(1);
      expect([...one][0]).to.match(/^\[401,/);
    }
    for (const token of all) {
      const { status, body, headers } = await send(token);
      expect([status, Object.keys(body)]).to.deep.equal([429, ['error']]);
      expect(Number(headers['retry-after'])).to.be.within(1, 60);
    }
    expect((await send(apiKey)).status, 'the holder of a key is not concerned').to.equal(200);
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 2, refunded: 0, sent: 2 });
  });

  it('row 25: revoked in the middle of a send: that one ends, the next is refused', async () => {
    const asking = world.gate.hold('before');
    const sending = world.send(tenant);
    await asking.arrived();
    for (const id of await keysOf()) await world.admin('POST', `/keys/${id}/revoke`);
    expect((await world.send(tenant)).status).to.equal(401);
    asking.release();
    expect((await sending).status).to.equal(200);
    expect((await world.send(tenant)).status).to.equal(401);
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 2, refunded: 0, sent: 2 });
  });

  /** What a batch of 300 comes to when something happens while its first ten are being sent. */
  const batchDuring = async (act: () => Promise<unknown>): Promise<Json> => {
    const asking = world.gate.hold('before');
    const numbers = Array.from({ length: 300 }, (_, index) => `+91981234${5000 + index}`);
    const body = { event: 'order_shipped', recipients: numbers.map((to) => ({ to })) };
    const batch = world.call('POST', `${SEND}/batch`, { token: tenant.apiKey, body });
    await asking.arrived(10);
    await act();
    asking.release();
    const answer = await batch;
    expect([answer.status, answer.body.failed]).to.deep.equal([200, 0]);
    return answer.body;
  };

  const expectRestLeftOut = async ({ sent, results }: Json) => {
    expect(sent).to.be.within(10, 299);
    expect(results).to.have.length(sent);
    const all = { reserved: 1 + sent, refunded: 0, sent: 1 + sent };
    expect(await world.charges(tenant)).to.deep.equal(all);
  };

  it('row 25: revoked in the middle of a batch: the rest is neither sent nor charged', async () => {
    const [id] = await keysOf();
    const body = await batchDuring(() => world.admin('POST', `/keys/${id}/revoke`));
    expect((await world.send(tenant)).status).to.equal(401);
    await expectRestLeftOut(body);
  });

  it('row 25: another key revoked in the middle of a batch: the batch goes on @series', async () => {
    const { id } = await newKey();
    const { sent } = await batchDuring(() => world.admin('POST', `/keys/${id}/revoke`));
    expect(sent).to.equal(300);
  });
});
