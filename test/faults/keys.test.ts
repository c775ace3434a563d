import { expect } from 'chai';
import { openWorld, type World } from '../support/faults/world.ts';
import { useRealConnections } from '../support/network.ts';
import { conversationOf } from '../support/surface.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  type Call,
  type Json,
  orderShipped,
  type Tenant,
} from '../support/waybill.ts';

const SEND = '/v1/notifications/send';

describe('keys in wrong hands @long', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  beforeEach(async () => {
    world = await openWorld();
    tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
  });
  afterEach(async () => {
    expect(await world.problems()).to.deep.equal([]);
    await world.close();
  });

  const keysOf = async () => {
    const { keys } = await world.admin('GET', `/accounts/${tenant.accountId}/keys`);
    return keys.map(({ id }: Json) => id) as string[];
  };
  const newKey = async (change: object = {}) => {
    const path = `/accounts/${tenant.accountId}/keys`;
    return (await world.admin('POST', path, { name: 'other', ...change })) as Json;
  };
  const send = (token: string | undefined): Promise<Answer> =>
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

  it('row 25: a key of one surface opens no other', async () => {
    expect((await send(ADMIN_TOKEN)).status).to.equal(401);
    const path = `/admin/v1/accounts/${tenant.accountId}`;
    const { status } = await world.call('GET', path, { token: tenant.apiKey });
    expect(status).to.equal(401);
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
    const recipients = Array.from({ length: 300 }, (_, index) => ({
      to: `+91981234${5000 + index}`,
    }));
    const batch = world.call('POST', `${SEND}/batch`, {
      token: tenant.apiKey,
      body: { event: 'order_shipped', recipients },
    });
    await asking.arrived(10);
    await act();
    asking.release();
    const { status, body } = await batch;
    expect([status, body.failed]).to.deep.equal([200, 0]);
    return body;
  };

  const expectRestLeftOut = async ({ sent, results }: Json) => {
    expect(sent).to.be.within(10, 299);
    expect(results).to.have.length(sent);
    const all = { reserved: 1 + sent, refunded: 0, sent: 1 + sent };
    expect(await world.charges(tenant)).to.deep.equal(all);
  };

  it('row 25: suspended in the middle of a batch: the rest is neither sent nor charged', async () => {
    const suspend = `/organisations/${tenant.organisationId}/suspend`;
    const body = await batchDuring(() => world.admin('POST', suspend, {}));
    const { status: later, body: refusal } = await world.send(tenant);
    expect([later, refusal.code]).to.deep.equal([403, 'ORG_SUSPENDED']);
    await expectRestLeftOut(body);
  });

  for (const verb of ['revoke', 'deactivate']) {
    it(`row 25: ${verb}d in the middle of a batch: the rest is neither sent nor charged`, async () => {
      const [id] = await keysOf();
      const body = await batchDuring(() => world.admin('POST', `/keys/${id}/${verb}`));
      expect((await world.send(tenant)).status).to.equal(401);
      await expectRestLeftOut(body);
    });
  }

  it('row 25: expired in the middle of a batch: the rest is neither sent nor charged', async () => {
    const expiresAt = new Date(world.waybill.clock.now() + 1000).toISOString();
    const { key } = await newKey({ expiresAt });
    tenant = { ...tenant, apiKey: key };
    await expectRestLeftOut(await batchDuring(async () => world.waybill.clock.advance(1000)));
  });

  it('row 25: another key revoked in the middle of a batch: the batch goes on', async () => {
    const { id } = await newKey();
    const { sent } = await batchDuring(() => world.admin('POST', `/keys/${id}/revoke`));
    expect(sent).to.equal(300);
  });
});

describe("other tenants' ids @long", () => {
  useRealConnections();
  let world: World;
  let own: Tenant;
  let other: Tenant;
  let theirs: { message: string; template: string; bot: string; conversation: string };
  before(async () => {
    world = await openWorld();
    own = await world.tenant();
    other = await world.tenant();
    const token = other.apiKey;
    for (const tenant of [own, other]) expect((await world.send(tenant)).status).to.equal(200);
    await world.simulator.inbound('919812345678', {
      phoneNumberId: other.phoneNumberId,
      text: 'Hi',
    });
    const listed = `/v1/templates?phoneNumberId=${other.phoneNumberId}`;
    const bot = await world.call('POST', '/v1/bots', { token, body: { name: 'Theirs' } });
    theirs = {
      message: world.sendsOf(other)[0]!.messageId!,
      template: (await world.call('GET', listed, { token })).body[0].id,
      bot: bot.body.id,
      conversation: await conversationOf(world.waybill, other),
    };
    for (const path of [
      `/v1/messages/${encodeURIComponent(theirs.message)}/timeline`,
      `/v1/templates/${theirs.template}`,
      `/v1/bots/${theirs.bot}`,
    ]) {
      expect((await world.call('GET', path, { token })).status, path).to.equal(200);
    }
  });
  after(() => world.close());

  /** Every place of the interface that takes an id, with the id in it. */
  const places: {
    name: string;
    id: () => string;
    call: (id: string) => [string, string, Json?];
  }[] = [
    ...['', '/timeline'].map((end) => ({
      name: `GET messages/:id${end}`,
      id: () => theirs.message,
      call: (id: string): [string, string] =>
        end === ''
          ? ['GET', `/v1/notifications/status/${encodeURIComponent(id)}`]
          : ['GET', `/v1/messages/${encodeURIComponent(id)}${end}`],
    })),
    ...['GET', 'PATCH', 'DELETE'].map((method) => ({
      name: `${method} bots/:id`,
      id: () => theirs.bot,
      call: (id: string): [string, string, Json?] =>
        method === 'PATCH'
          ? [method, `/v1/bots/${id}`, { name: 'Mine now' }]
          : [method, `/v1/bots/${id}`],
    })),
    {
      name: 'GET bots/:id/runs',
      id: () => theirs.bot,
      call: (id) => ['GET', `/v1/bots/${id}/runs`],
    },
    ...['validate', 'simulate'].map((verb) => ({
      name: `POST bots/:id/${verb}`,
      id: () => theirs.bot,
      call: (id: string): [string, string, Json] => [
        'POST',
        `/v1/bots/${id}/${verb}`,
        { messages: [{ text: 'Hi' }] },
      ],
    })),
    {
      name: 'GET templates/:id',
      id: () => theirs.template,
      call: (id) => ['GET', `/v1/templates/${id}`],
    },
    ...[
      '/v1/templates',
      '/v1/messages',
      '/v1/conversations',
      '/v1/notifications/events',
      `/v1/templates/1`,
    ].map((path) => ({
      name: `GET ${path}?phoneNumberId`,
      id: () => other.phoneNumberId,
      call: (id: string): [string, string] => ['GET', `${path}?phoneNumberId=${id}`],
    })),
    {
      name: 'GET messages?conversationId',
      id: () => theirs.conversation,
      call: (id) => ['GET', `/v1/messages?conversationId=${id}`],
    },
    {
      name: 'PATCH phones/:id/webhook',
      id: () => other.phoneNumberId,
      call: (id) => ['PATCH', `/v1/phones/${id}/webhook`, { webhookUrl: null }],
    },
    ...[
      [SEND, orderShipped()],
      [`${SEND}/batch`, { event: 'order_shipped', recipients: [{ to: '+919812345678' }] }],
      ['/v1/messages/send', { to: '+919812345678', type: 'text', text: { body: 'Hi' } }],
      ['/v1/notifications/templates/submit', {}],
      ['/v1/templates', { name: 'mine', category: 'UTILITY', components: [{ type: 'BODY' }] }],
      ['/v1/bots', { name: 'Mine' }],
    ].map(([path, body]) => ({
      name: `POST ${path} with phoneNumberId`,
      id: () => other.phoneNumberId,
      call: (phoneNumberId: string): [string, string, Json] => [
        'POST',
        path as string,
        { ...(body as object), phoneNumberId },
      ],
    })),
  ];

  const eventsOfOther = async () =>
    (await world.waybill.log()).filter(({ meta }) => meta.accountId === other.accountId).length;
  const ask = async ([method, path, body]: [string, string, Json?]) => {
    const how: Call = { token: own.apiKey, ...(body !== undefined && { body }) };
    return world.call(method, path, how);
  };

  for (const { name, id, call } of places) {
    it(`row 25: ${name}: as one that does not exist`, async () => {
      const before = await eventsOfOther();
      const sends = world.sendsOf(other).length;
      const unknown = id().replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 5) % 10));
      expect(unknown).not.to.equal(id());
      const [mine, nobodys] = [await ask(call(id())), await ask(call(unknown))];
      const plain = ({ status, body }: Answer, meant: string) =>
        JSON.stringify([status, body]).replaceAll(meant, 'ID');
      expect(plain(mine, id())).to.equal(plain(nobodys, unknown));
      expect(mine.status).not.to.equal(403);
      expect(JSON.stringify(mine.body)).not.to.contain(theirs.message);
      expect(await eventsOfOther()).to.equal(before);
      expect(world.sendsOf(other)).to.have.length(sends);
    });
  }

  it('row 25: lists show nothing of theirs', async () => {
    for (const path of [
      '/v1/messages',
      '/v1/conversations',
      '/v1/bots',
      '/v1/phones',
      '/v1/credits',
    ]) {
      const { status, body } = await ask(['GET', path]);
      expect(status).to.equal(200);
      const text = JSON.stringify(body);
      for (const word of [...Object.values(theirs), other.phoneNumberId, other.accountId]) {
        expect(text, path).not.to.contain(word);
      }
    }
  });

  it('row 25: the same idempotency key is another one', async () => {
    const headers = { 'idempotency-key': 'one-for-all' };
    const how = (token: string) => ({ token, headers, body: orderShipped() });
    const first = await world.call('POST', SEND, how(other.apiKey));
    const second = await world.call('POST', SEND, how(own.apiKey));
    expect([first.status, second.status]).to.deep.equal([200, 200]);
    expect(second.headers).not.to.have.property('idempotency-replayed');
    expect(second.body.messageId).not.to.equal(first.body.messageId);
    expect(await world.problems()).to.deep.equal([]);
  });
});
