import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { openWorld, type World } from '../support/faults.world.ts';
import { useRealConnections } from '../support/network.ts';
import { type Answer, orderShipped, type Tenant } from '../support/waybill.ts';

const MEGABYTE = 1024 * 1024;
const SEND = '/v1/notifications/send';
const sending = JSON.stringify(orderShipped());

/** Bodies that nobody would send in good faith, and what they are answered. */
const bodies: {
  what: string;
  status: number;
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

describe('bodies in bad faith', () => {
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

  for (const { what, status, raw, headers } of bodies) {
    it(`row 24: ${what} is ${status}, with the rate limit, and costs nothing`, async () => {
      for (const path of [SEND, `${SEND}/batch`, '/v1/messages/send']) {
        const how = { token: tenant.apiKey, raw, ...(headers && { headers }) };
        expectRefusal(await world.call('POST', path, how), status);
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
