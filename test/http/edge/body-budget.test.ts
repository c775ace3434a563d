import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ByteBudget,
  createByteBudget,
  createBytePace,
} from '../../../src/http/edge/limits.ts';
import { reply } from '../../../src/http/edge/respond.ts';
import { defineRawRoute } from '../../../src/http/route/raw-route.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { answered } from '../../support/answered.ts';
import { type Edge, openEdge, readToEnd, useEdges } from '../../support/edge.ts';
import { until } from '../../support/until.ts';

describe('The budget of unknown bodies', () => {
  const open = (budget: ByteBudget, address: string) => {
    const body = { address, isCut: false, ...budget.open(address, () => (body.isCut = true)) };
    return body;
  };

  it('counts held bytes until a body is read or abandoned', () => {
    const budget = createByteBudget(100);
    const [one, two] = [open(budget, 'a'), open(budget, 'b')];
    one.take(40);
    two.take(60);
    expect(budget.heldBytes()).to.equal(100);
    one.close();
    one.close();
    expect(budget.heldBytes()).to.equal(60);
    expect([one.isCut, two.isCut]).to.deep.equal([false, false]);
  });

  it('cuts the oldest body of the address that holds the most', () => {
    const budget = createByteBudget(100);
    const hoard = [open(budget, 'a'), open(budget, 'a')];
    const other = open(budget, 'b');
    hoard[0]!.take(30);
    hoard[1]!.take(30);
    other.take(40);
    open(budget, 'c').take(1);
    expect([...hoard, other].map(({ isCut }) => isCut)).to.deep.equal([true, false, false]);
    expect(budget.heldBytes()).to.equal(71);
  });

  it('cuts as many bodies as necessary, the newest included', () => {
    const budget = createByteBudget(100);
    const small = Array.from({ length: 10 }, () => open(budget, 'a'));
    for (const body of small) body.take(10);
    const large = open(budget, 'b');
    large.take(95);
    expect(small.some(({ isCut }) => isCut)).to.equal(true);
    expect(budget.heldBytes()).to.be.at.most(100);
    const endless = open(budget, 'c');
    endless.take(101);
    expect(endless.isCut).to.equal(true);
    endless.take(101);
    expect(budget.heldBytes()).to.be.at.most(100);
  });

  it('is never exceeded, and never cuts the sender with the fewest bytes', () => {
    const step = fc.record({ sender: fc.nat(4), bytes: fc.integer({ min: 1, max: 60 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const budget = createByteBudget(100);
        const modest = open(budget, 'modest');
        modest.take(1);
        for (const { sender, bytes } of steps) {
          open(budget, `hoarder ${sender}`).take(bytes);
          expect(budget.heldBytes()).to.be.at.most(100);
        }
        expect(modest.isCut).to.equal(false);
      }),
    );
  });
});

describe('Bodies of strangers', () => {
  useEdges();
  const LIMIT = 3_000;
  const route = defineRawRoute({
    method: 'POST',
    path: '/hook',
    limitBytes: LIMIT,
    handle: ({ rawBody }) => reply(200, { got: rawBody.toString() }),
  });
  const head = (address: string, length: number) =>
    `POST /hook HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\nContent-Length: ${length}\r\n\r\n`;
  const openWith = async (bytesMax: number) => {
    const budget = createByteBudget(bytesMax);
    const bounds = { bodyBudget: budget, bodyTimeoutMs: 60_000 };
    const edge = await openEdge({ rawRoutes: [route], trustProxyHops: 1, ...bounds });
    return { edge, budget };
  };
  /** Sends a part of a body and no more; `answer` is what comes of it. */
  const hold = async (edge: Edge, address: string, bytes: number) => {
    const socket = await edge.dial();
    const answer = readToEnd(socket);
    socket.write(head(address, LIMIT) + 'x'.repeat(bytes));
    return { socket, answer };
  };

  it('that never end stay within the budget and lock no caller out', async () => {
    const { edge, budget } = await openWith(10_000);
    const held = [];
    for (let index = 0; index < 10; index += 1) {
      held.push(await hold(edge, `203.0.113.${index % 2}`, 1_000));
      await until('it is held', () => budget.heldBytes() === 1_000 * (index + 1));
    }
    const body = 'y'.repeat(2_500);
    const headers = { 'x-forwarded-for': '198.51.100.1' };
    const { status, text } = await edge.call('POST', '/hook', { body, headers });
    expect([status, text]).to.deep.equal([200, JSON.stringify({ got: body })]);
    for (const { answer } of held.slice(0, 2)) {
      expect(await answer)
        .to.match(/^HTTP\/1\.1 503 /)
        .and.match(/retry-after: 1\r\n/i)
        .and.match(/content-type: application\/json/i);
    }
    expect(edge.lines.join(''), 'nor do they fill the log').not.to.include('"level":"warn"');
    expect(budget.heldBytes()).to.be.at.most(8_000);
    for (const { socket } of held) socket.destroy();
    await until('nothing is held any more', () => budget.heldBytes() === 0);
  });

  it('in many small pieces are held as one buffer', async () => {
    const { edge, budget } = await openWith(10_000);
    const socket = await edge.dial();
    const answer = readToEnd(socket);
    const text = Array.from({ length: 1_000 }, (_, index) => String(index % 10)).join('');
    socket.write(
      'POST /hook HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    for (const digit of text) socket.write(`1\r\n${digit}\r\n`);
    await until('all is held', () => budget.heldBytes() >= text.length);
    expect(budget.heldBytes()).to.be.at.most(2 * text.length);
    socket.write('0\r\n\r\n');
    expect(await answer).to.include(`{"got":"${text}"}`);
    expect(budget.heldBytes()).to.equal(0);
  });

  it('stop counting once they are read, abandoned, too long or too late', async () => {
    const budget = createByteBudget(10_000);
    const [hasty, patient] = await Promise.all(
      [30, 60_000].map((bodyTimeoutMs) =>
        openEdge({ rawRoutes: [route], bodyBudget: budget, bodyTimeoutMs }),
      ),
    );
    const late = await hold(hasty!, 'x', 100);
    expect(await late.answer).to.match(/^HTTP\/1\.1 408 /);
    const endless = await patient!.exchange(
      'POST /hook HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n' +
        `${(LIMIT + 1).toString(16)}\r\n${'x'.repeat(LIMIT + 1)}\r\n`,
    );
    expect(endless).to.match(/^HTTP\/1\.1 413 /);
    expect(budget.heldBytes()).to.equal(0);
  });
});

describe('Bytes that nobody wants @long', () => {
  useEdges();
  const LENGTH = 300_000;
  const body = 'x'.repeat(LENGTH);
  const openCounting = async () => {
    const paced = { bytes: 0 };
    const bytePace = (bytes: number) => {
      paced.bytes += bytes;
      return 0;
    };
    const guess = new AppError('webhook.signature', 'The signature does not match');
    const hook = defineRawRoute({
      method: 'POST',
      path: '/hook',
      limitBytes: LENGTH,
      authenticate({ headers }) {
        if (headers['x-secret'] !== 'right') throw guess;
      },
      handle: ({ rawBody }) => reply(200, { got: rawBody.length }),
    });
    const edge = await openEdge({ rawRoutes: [hook], bytePace });
    const post = (secret: string, content = body) =>
      edge.call('POST', '/hook', { body: content, headers: { 'x-secret': secret } });
    return { edge, paced, post };
  };

  it('are discarded at a limited rate', async () => {
    const { edge, paced } = await openCounting();
    await answered(401, edge.call('POST', '/api/v1/ping', { token: 'wrong', body }));
    await until('the rest is thrown away', () => paced.bytes === LENGTH);
  });

  it('are read at a limited rate only above the limit of their address', async () => {
    const { paced, post } = await openCounting();
    for (let guess = 0; guess < 120; guess += 1) await post('wrong', '{}');
    expect(paced.bytes).to.equal(0);
    expect((await post('wrong')).status).to.equal(429);
    expect(paced.bytes).to.equal(LENGTH);
    const right = await post('right');
    expect([right.status, right.body]).to.deep.equal([200, { got: LENGTH }]);
    const before = paced.bytes;
    expect((await post('right', '{}')).status, 'a short one is not').to.equal(200);
    expect(paced.bytes).to.equal(before);
  });

  it('are read at full rate for an address without wrong secrets', async () => {
    const { paced, post } = await openCounting();
    expect((await post('right')).status).to.equal(200);
    expect(paced.bytes).to.equal(0);
  });

  it('wait longer as the bytes of all callers grow', () => {
    let now = 0;
    const pace = createBytePace(1_000, () => now);
    expect([pace(500), pace(250)]).to.deep.equal([500, 750]);
    now = 600;
    expect(pace(100)).to.equal(250);
    now = 10_000;
    expect(pace(100), 'nothing is saved up').to.equal(100);
  });
});
