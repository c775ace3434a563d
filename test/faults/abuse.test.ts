import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createByteBudget } from '../../src/http/edge/limits.ts';
import { startHere } from '../support/faults/here.ts';
import { openWorld, type World } from '../support/faults/world.ts';
import { temporaryFolder } from '../support/folder.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { until } from '../support/until.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  statusPayload,
  type Tenant,
  VERIFY_TOKEN,
} from '../support/waybill.ts';

const MEGABYTE = 1024 * 1024;
const SEND = '/v1/notifications/send';

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
    what: 'a gzip bomb',
    status: 415,
    raw: gzipSync(Buffer.alloc(50 * MEGABYTE, ' ')),
    headers: { 'content-encoding': 'gzip' },
  },
  { what: '500,000 brackets', status: 400, raw: '['.repeat(500_000) },
  {
    what: '15,000 times 31 brackets',
    status: 400,
    error: 'The body holds more than 150000 fields and items',
    raw: `[${new Array(15_000).fill('['.repeat(30) + ']'.repeat(30)).join()}]`,
  },
];

describe('bodies in bad faith @long', () => {
  useRealConnections();
  let tenant: Tenant;
  const world = inSuite(openWorld);
  before(async () => {
    tenant = await world.tenant();
    expect((await world.send(tenant)).status).to.equal(200);
  });
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
/** So small that the tests reach it; the service's own is 64 MB. */
const BODY_BYTES_MAX = 256 * KILOBYTE;

describe('callers without a credential @long', () => {
  useRealConnections();
  const budget = createByteBudget(BODY_BYTES_MAX);
  let world: World;
  let tenant: Tenant;
  let sockets: Socket[];
  beforeEach(async () => {
    sockets = [];
    world = await openWorld({ bodyBudget: budget });
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
});

describe('the operations port @long', () => {
  useRealConnections();

  it('row 32: shows health in parts and metrics, serves nothing else, and ends with the service', async () => {
    const folder = temporaryFolder();
    const running = await startHere({
      directory: folder.path,
      providerUrl: 'http://127.0.0.1:9',
      env: { WAYBILL_OPS_PORT: '0', WAYBILL_TRUST_PROXY: '1' },
    });
    const [operations, main] = [running.operations!, running.server].map(
      ({ port }) => `http://127.0.0.1:${port}`,
    );
    const get = (base: string | undefined, path: string) => fetch(`${base}${path}`);
    const shown = await get(operations, '/health/ready');
    expect(await shown.json()).to.have.all.keys('ok', 'checks');
    expect(await (await get(operations, '/metrics')).text()).to.include(
      'waybill_log_queued_events',
    );
    expect((await get(operations, '/api/v1/credits')).status).to.equal(404);
    expect((await get(main, '/metrics')).status, 'on the public port').to.equal(401);
    expect(await (await get(main, '/health/ready')).json()).to.have.all.keys('ok');
    await running.stop();
    expect(await get(operations, '/metrics').catch(({ name }) => name)).to.equal('TypeError');
    folder.remove();
  });
});
