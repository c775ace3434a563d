import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createByteBudget } from '../../src/http/edge/limits.ts';
import { killChildren, startChild } from '../support/faults/child.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { temporaryFolder } from '../support/folder.ts';
import { useRealConnections } from '../support/network.ts';
import { until } from '../support/until.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  orderShipped,
  statusPayload,
  type Tenant,
  VERIFY_TOKEN,
} from '../support/waybill.ts';

const MEGABYTE = 1024 * 1024;
const SEND = '/v1/notifications/send';
const sending = JSON.stringify(orderShipped());

/** Bodies that nobody would send in good faith, and what they are answered. */
const bodies: {
  what: string;
  status: number;
  /** The text of the error, where another check would refuse the body too. */
  error?: string;
  raw: string | Buffer;
  headers?: Record<string, string>;
}[] = [
  {
    what: '1 MB and one byte',
    status: 413,
    raw: ' '.repeat(MEGABYTE - sending.length + 1) + sending,
  },
  {
    what: 'a gzip bomb',
    status: 415,
    raw: gzipSync(Buffer.alloc(50 * MEGABYTE, ' ')),
    headers: { 'content-encoding': 'gzip' },
  },
  { what: '500,000 brackets', status: 400, raw: '['.repeat(500_000) },
  {
    what: '500,000 brackets that close',
    status: 400,
    raw: '['.repeat(250_000) + ']'.repeat(250_000),
  },
  {
    what: '60,000 keys',
    status: 400,
    raw: `{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join()}}`,
  },
  {
    what: '15,000 times 31 brackets',
    status: 400,
    error: 'The body holds more than 20000 fields and items',
    raw: `[${new Array(15_000).fill('['.repeat(30) + ']'.repeat(30)).join()}]`,
  },
  {
    what: 'an object of 1,001 fields',
    status: 400,
    error: 'An object in the body has more than 1000 fields',
    raw: `{"a":{${Array.from({ length: 1001 }, (_, index) => `"k${index}":1`).join()}}}`,
  },
  {
    what: '201 variables',
    status: 400,
    raw: JSON.stringify(
      orderShipped({
        variables: Object.fromEntries(
          Array.from({ length: 201 }, (_, index) => [`v${index}`, '1']),
        ),
      }),
    ),
  },
  {
    what: 'a variable of 5 KB',
    status: 400,
    raw: JSON.stringify(orderShipped({ variables: { orderId: 'x'.repeat(5000) } })),
  },
  {
    what: 'bytes that are no UTF-8',
    status: 400,
    raw: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x7d]),
  },
  { what: 'JSON cut short', status: 400, raw: sending.slice(0, -5) },
  {
    what: 'a form',
    status: 415,
    raw: 'to=1',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  },
  { what: 'text', status: 415, raw: sending, headers: { 'content-type': 'text/plain' } },
  { what: 'an array', status: 400, raw: '[]' },
  {
    what: '__proto__',
    status: 400,
    raw: '{"__proto__":{"to":"+919812345678","event":"order_shipped"}}',
  },
];

describe('bodies in bad faith @long', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  before(async () => {
    world = await openWorld();
    tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
  });
  after(() => world.close());
  afterEach(async () => {
    expect(await world.charges(tenant)).to.deep.equal({ reserved: 1, refunded: 0, sent: 1 });
    expect(await world.problems()).to.deep.equal([]);
  });

  const expectRefusal = ({ status, headers, body }: Answer, expected: number) => {
    expect(status).to.equal(expected);
    expect(String(headers['content-type'])).to.match(/^application\/json/);
    expect(body).to.have.property('error');
    expect(JSON.stringify(body)).not.to.match(/\bat .+:\d+:\d+/);
    for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']) {
      expect(headers[name], name).to.match(/^\d+$/);
    }
  };

  for (const { what, status, error, raw, headers } of bodies) {
    it(`row 24: ${what} is ${status}, with the rate limit, and costs nothing`, async () => {
      for (const path of [SEND, `${SEND}/batch`, '/v1/messages/send']) {
        const how = { token: tenant.apiKey, raw, ...(headers && { headers }) };
        const answer = await world.call('POST', path, how);
        expectRefusal(answer, status);
        if (error !== undefined) expect(answer.body.error).to.equal(error);
      }
      const stranger = await world.call('POST', SEND, { raw, ...(headers && { headers }) });
      expectRefusal(stranger, 401);
    });
  }

  it('row 24: NUL and other control characters reach the customer as spaces, or not at all', async () => {
    const own = await world.tenant();
    const variables = { orderId: 'A\u0000B', awbCode: '\u0007', trackingLink: '\ud800' };
    const { status } = await world.send(own, { variables });
    expect(status).to.be.oneOf([200, 400]);
    const texts = JSON.stringify(world.sendsOf(own).map(({ body }) => body));
    expect(texts).not.to.match(/\\u0000|\\u0007|\\ud800/);
  });

  it('row 24: chunks without end are cut, with an answer', async () => {
    const { hostname, port } = new URL(world.waybill.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST /api${SEND} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.apiKey}\r\n` +
        'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
    let isOver = false;
    const answered = once(socket, 'data').then(([bytes]) => {
      isOver = true;
      return String(bytes);
    });
    for (let sent = 0; sent < 400 && !isOver; sent += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain'), answered]);
      await new Promise(setImmediate);
    }
    const answer = await answered;
    expect(answer).to.match(/^HTTP\/1.1 413 /);
    expect(answer.toLowerCase()).to.match(/content-type: application\/json/);
    expect(answer.toLowerCase()).to.match(/ratelimit-limit: \d+/);
    socket.destroy();
  });

  it('row 24: others are served meanwhile', async () => {
    const own = await world.tenant();
    const raw = '['.repeat(500_000);
    const bad = Array.from({ length: 20 }, () =>
      world.call('POST', SEND, { token: tenant.apiKey, raw }),
    );
    const good = Array.from({ length: 20 }, () => world.send(own));
    for (const { status } of await Promise.all(good)) expect(status).to.equal(200);
    for (const { status } of await Promise.all(bad)) expect(status).to.equal(400);
  });
});

const KILOBYTE = 1024;
/** So small that the tests reach them; the service's own are 64 MB and 256. */
const BODY_BYTES_MAX = 256 * KILOBYTE;
const CONNECTIONS_OF_ONE_MAX = 40;
const CONNECTIONS_MAX = 60;
const ADDRESS_LIMIT = 120;

describe('callers without a credential @long', () => {
  useRealConnections();
  const budget = createByteBudget(BODY_BYTES_MAX);
  let world: World;
  let tenant: Tenant;
  let sockets: Socket[];
  beforeEach(async () => {
    sockets = [];
    world = await openWorld({
      bodyBudget: budget,
      server: {
        connectionsMax: CONNECTIONS_MAX,
        connectionsPerAddressMax: CONNECTIONS_OF_ONE_MAX,
      },
    });
    tenant = await world.tenant();
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    expect(await world.problems()).to.deep.equal([]);
    await world.close();
  });

  const dial = async () => {
    const { hostname, port } = new URL(world.waybill.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const get = async (path: string, headers: Record<string, string> = {}) =>
    fetch(`${world.waybill.url}${path}`, { headers });
  const inbound = (id: string) =>
    world.waybill.webhook(statusPayload(tenant, { id, status: 'delivered' }));
  const wrongSignature = `sha256=${'0'.repeat(64)}`;

  it('row 32: unsigned bodies that never end are bounded in bytes, and keep no signed one out', async () => {
    const sent = await world.send(tenant);
    const part = Buffer.alloc(20 * KILOBYTE, ' ');
    let most = 0;
    const look = () => {
      most = Math.max(most, budget.heldBytes());
    };
    for (let index = 0; index < 30; index += 1) {
      const socket = await dial();
      socket.write(
        `POST /api/provider/webhook HTTP/1.1\r\nHost: x\r\nContent-Length: ${3 * MEGABYTE}\r\n` +
          `X-Hub-Signature-256: ${wrongSignature}\r\n\r\n`,
      );
      socket.write(part);
      look();
    }
    await until('the budget is taken', () => {
      look();
      return budget.heldBytes() > BODY_BYTES_MAX - 4 * part.length;
    });
    for (let index = 0; index < 20; index += 1) {
      const { status } = await inbound(sent.body.messageId);
      expect(status).to.equal(200);
      look();
    }
    expect((await world.send(tenant)).status).to.equal(200);
    expect(most).to.be.at.most(BODY_BYTES_MAX);
    for (const socket of sockets) socket.destroy();
    await until('all is given back', () => budget.heldBytes() === 0);
  });

  it('row 32: no body of a stranger is waited for, and over the limit of the address it is 429', async () => {
    const statuses: string[] = [];
    for (let index = 0; index < ADDRESS_LIMIT + 5; index += 1) {
      const socket = await dial();
      socket.write(
        `POST /api${SEND} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wb_live_guess\r\n` +
          'Content-Type: application/json\r\nContent-Length: 830000\r\n\r\n{',
      );
      const [bytes] = await once(socket, 'data');
      statuses.push(String(bytes).slice(9, 12));
      socket.destroy();
    }
    expect(statuses.slice(0, ADDRESS_LIMIT)).to.deep.equal(Array(ADDRESS_LIMIT).fill('401'));
    expect(statuses.slice(ADDRESS_LIMIT)).to.deep.equal(Array(5).fill('429'));
    expect((await world.send(tenant)).status).to.equal(200);
  });

  it('row 32: idle connections of one address or of many lock nobody out', async () => {
    for (let index = 0; index < 2 * CONNECTIONS_MAX; index += 1) await dial();
    expect((await world.send(tenant)).status).to.equal(200);
    await until(
      'the oldest are closed',
      () => sockets.filter(({ destroyed }) => !destroyed).length <= CONNECTIONS_OF_ONE_MAX,
    );
    expect((await get('/health/live')).status).to.equal(200);
  });

  it('row 32: every secret is limited by address, and a right one always passes', async () => {
    const sent = await world.send(tenant);
    const handshake = (token: string) =>
      get(`/api/provider/webhook?hub.mode=subscribe&hub.challenge=7&hub.verify_token=${token}`);
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const guesses: Record<string, () => Promise<{ status: number }>> = {
      'a key': () => get('/api/v1/credits', bearer(`wb_live_${'0'.repeat(8)}_${'0'.repeat(32)}`)),
      'an administrator': () => get('/api/admin/v1/plans', bearer('root-administrator-guess')),
      'an administrator, by the parts of the health': () => get('/health/ready', bearer('guess')),
      'an administrator, by the metrics': () => get('/metrics', bearer('guess')),
      'the verify token': () => handshake('guess'),
      'the app secret': () =>
        world.call('POST', '/provider/webhook', {
          raw: '{}',
          headers: { 'x-hub-signature-256': wrongSignature },
        }),
    };
    for (const [what, guess] of Object.entries(guesses)) {
      expect((await guess()).status, what).to.be.oneOf([401, 403]);
    }
    while ((await guesses['a key']!()).status !== 429);
    for (const [what, guess] of Object.entries(guesses)) {
      expect((await guess()).status, what).to.equal(429);
    }
    expect((await world.send(tenant)).status, 'a key').to.equal(200);
    expect(await world.balance(tenant), 'the administrator').to.be.a('number');
    expect((await get('/metrics', bearer(ADMIN_TOKEN))).status, 'metrics').to.equal(200);
    expect((await handshake(VERIFY_TOKEN)).status, 'the verify token').to.equal(200);
    expect((await inbound(sent.body.messageId)).status, 'a signature').to.equal(200);
  });

  it('row 32: what a probe or a collector asks for is made once a second, and shown to operators', async () => {
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    const ready = await get('/health/ready', stranger);
    expect([ready.status, await ready.json()]).to.deep.equal([200, { ok: true }]);
    expect((await get('/metrics', stranger)).status).to.equal(401);
    const texts = await Promise.all(
      Array.from({ length: 16 }, async () => (await get('/metrics')).text()),
    );
    expect(new Set(texts).size, 'the same text, though requests were counted').to.be.at.most(2);
  });
});

describe('the operations port @long', () => {
  useRealConnections();
  afterEach(killChildren);

  it('row 32: shows health in parts and metrics, serves nothing else, and ends with the service', async () => {
    const folder = temporaryFolder();
    const child = await startChild({
      directory: folder.path,
      providerUrl: 'http://127.0.0.1:9',
      env: { WAYBILL_OPS_PORT: '0', WAYBILL_TRUST_PROXY: '1' },
    });
    const address = () => /are at (http:\/\/[\d.:]+)/.exec(child.output())?.[1];
    await until('its address', () => address() !== undefined);
    const get = (base: string, path: string) => fetch(`${base}${path}`);
    const shown = await get(address()!, '/health/ready');
    expect(await shown.json()).to.have.all.keys('ok', 'checks');
    expect(await (await get(address()!, '/metrics')).text()).to.include(
      'waybill_log_queued_events',
    );
    expect((await get(address()!, '/api/v1/credits')).status).to.equal(404);
    expect((await get(child.url, '/metrics')).status, 'on the public port').to.equal(401);
    expect(await (await get(child.url, '/health/ready')).json()).to.have.all.keys('ok');
    expect(await child.stop()).to.equal(0);
    folder.remove();
  });
});
