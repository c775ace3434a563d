import { once } from 'node:events';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { z } from 'zod';
import { createByteBudget } from '../../../src/http/edge/limits.ts';
import { reply } from '../../../src/http/edge/respond.ts';
import { defineRoute } from '../../../src/http/route/route.ts';
import { answered } from '../../support/answered.ts';
import { aKey, type Edge, type EdgeOptions, openEdge, toy, useEdges } from '../../support/edge.ts';
import { until } from '../../support/until.ts';

const MB = 1_048_576;
/** More than the kernel takes of a response that nobody reads. */
const PAGE_BYTES = 16 * MB;
const page = 'x'.repeat(PAGE_BYTES);

describe('Responses that callers do not read @long', () => {
  useEdges();

  let served: string[];
  const pageRoute = defineRoute({
    ...toy,
    path: '/v1/page/:name',
    responses: { 200: z.object({ page: z.string() }) },
    handle({ params }) {
      served.push(params.name);
      return { page };
    },
  });
  const keys = {
    one: aKey({ keyId: 'key_1', accountId: 'acc_1' }),
    other: aKey({ keyId: 'key_2', accountId: 'acc_2' }),
  };
  const open = async (options: EdgeOptions = {}, bytesMax = 100 * MB) => {
    served = [];
    const budget = createByteBudget(bytesMax);
    const own = { routes: [pageRoute], keys, checkResponses: false, responseBudget: budget };
    return { budget, edge: await openEdge({ ...own, ...options }) };
  };
  const head = (name: string, token: string) =>
    `GET /api/v1/page/${name} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  /** Asks for pages on one connection and reads nothing. */
  const ask = async (edge: Edge, token: string, ...names: string[]): Promise<Socket> => {
    const socket = await edge.dial();
    socket.on('error', () => {});
    socket.pause();
    socket.write(names.map((name) => head(name, token)).join(''));
    return socket;
  };
  /** The length of everything that still arrives until the server closes or all pages are there. */
  const readAll = async (socket: Socket, bytesMax: number): Promise<number> => {
    let bytes = 0;
    const isOver = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
      socket.on('data', (chunk) => {
        bytes += chunk.length;
        if (bytes >= bytesMax) resolve();
      });
    });
    socket.resume();
    await isOver;
    socket.destroy();
    return bytes;
  };

  /** Reads a page slowly: it takes more than the time in which it must take some, and arrives. */
  const readSlowly = async (socket: Socket, timeoutMs: number, times: number) => {
    const startedAt = performance.now();
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
      socket.pause();
      const due = startedAt + (bytes / PAGE_BYTES) * times * timeoutMs;
      setTimeout(() => socket.resume(), Math.max(0, due - performance.now()));
    });
    socket.resume();
    await until('the page has arrived', () => bytes >= PAGE_BYTES);
    expect(performance.now() - startedAt).to.be.above(timeoutMs);
  };

  it('row 39: end their connection after a time without progress', async () => {
    const { edge, budget } = await open({ responseTimeoutMs: 50 });
    const socket = await ask(edge, 'one', 'unread');
    await until('the page waits', () => budget.heldBytes() > 0);
    await until('the page is dropped', () => budget.heldBytes() === 0);
    expect(await readAll(socket, PAGE_BYTES)).to.be.below(PAGE_BYTES);
  });

  it('row 39: arrive whole where the caller reads slowly', async () => {
    const timeoutMs = 1_000;
    const { edge, budget } = await open({ responseTimeoutMs: timeoutMs });
    const socket = await ask(edge, 'one', 'slow');
    await until('the page waits', () => budget.heldBytes() > 0);
    await readSlowly(socket, timeoutMs, 2.5);
    expect(budget.heldBytes()).to.equal(0);
    socket.destroy();
  });

  it('row 39: take no more than the budget: the account with the most loses its oldest', async () => {
    const { edge, budget } = await open({}, 3.5 * PAGE_BYTES);
    const modest = await ask(edge, 'other', 'modest');
    await until('the modest page waits', () => budget.heldBytes() > 0);
    const greedy: Socket[] = [];
    for (let index = 0; index < 8; index += 1) {
      greedy.push(await ask(edge, 'one', `greedy${index}`));
      await until('the page was served', () => served.length === index + 2);
      expect(budget.heldBytes()).to.be.at.most(3.5 * PAGE_BYTES);
    }
    expect(await readAll(greedy[0]!, PAGE_BYTES), 'the oldest').to.be.below(PAGE_BYTES);
    expect(await readAll(modest, PAGE_BYTES), 'the other account').to.be.at.least(PAGE_BYTES);
    expect(await readAll(greedy[7]!, PAGE_BYTES), 'the newest').to.be.at.least(PAGE_BYTES);
    for (const socket of greedy) socket.destroy();
    await until('nothing waits', () => budget.heldBytes() === 0);
  });

  it('row 39: hold back the next requests of their connection', async () => {
    const { edge, budget } = await open();
    const socket = await ask(edge, 'one', 'a', 'b', 'c');
    await until('the first page waits', () => budget.heldBytes() > 0);
    const beside = await ask(edge, 'other', 'beside');
    await until('another connection is served', () => served.length === 2);
    expect(served).to.deep.equal(['a', 'beside']);
    expect(await readAll(socket, 3 * PAGE_BYTES)).to.be.at.least(3 * PAGE_BYTES);
    expect(served).to.deep.equal(['a', 'beside', 'b', 'c']);
    beside.destroy();
  });

  it('row 39: end their connection where too many requests follow', async () => {
    const { edge } = await open();
    const socket = await ask(edge, 'one', ...Array.from({ length: 40 }, (_, i) => `n${i}`));
    socket.resume();
    await once(socket, 'close');
    expect(served.length).to.be.below(40);
    await answered(200, edge.call('GET', '/api/v1/page/next', { token: 'one' }));
  });

  describe('as streams', () => {
    /** Chunks that were made for the caller of a stream. */
    let made: number;
    /** Holds the stream up after its first chunk. */
    let mayGoOn: Promise<void>;
    beforeEach(() => {
      made = 0;
      mayGoOn = Promise.resolve();
    });
    const CHUNK = 65_536;
    async function* chunks() {
      for (let bytes = 0; bytes < PAGE_BYTES; bytes += CHUNK) {
        made += 1;
        yield Buffer.alloc(CHUNK, 'x');
        await mayGoOn;
      }
    }
    const streamRoute = defineRoute({
      ...toy,
      path: '/v1/page/:name',
      responses: { 200: z.string() },
      download: 'file',
      handle: () => reply(200, Readable.from(chunks()) as never),
    });
    const openStreams = (options: EdgeOptions = {}) => open({ routes: [streamRoute], ...options });

    it('row 41: end their connection after a time without progress, and free their share', async () => {
      const { edge, budget } = await openStreams({ responseTimeoutMs: 50 });
      const socket = await ask(edge, 'one', 'unread');
      await until('the stream has begun', () => budget.heldBytes() > 0);
      expect(budget.heldBytes()).to.be.at.most(MB);
      await until('the stream is dropped', () => budget.heldBytes() === 0);
      expect(await readAll(socket, PAGE_BYTES)).to.be.below(PAGE_BYTES);
      expect(made * CHUNK).to.be.below(PAGE_BYTES);
    });

    it('row 41: arrive whole where the caller reads slowly', async () => {
      const timeoutMs = 2_500;
      const { edge } = await openStreams({ responseTimeoutMs: timeoutMs });
      const socket = await ask(edge, 'one', 'slow');
      await readSlowly(socket, timeoutMs, 1.3);
      socket.destroy();
    });

    it('row 41: wait for what the service itself waits for', async () => {
      const gate = Promise.withResolvers<void>();
      mayGoOn = gate.promise;
      const timeoutMs = 500;
      const { edge } = await openStreams({ responseTimeoutMs: timeoutMs });
      const socket = await ask(edge, 'one', 'late');
      socket.resume();
      await once(socket, 'data');
      const reading = readAll(socket, PAGE_BYTES - CHUNK);
      await new Promise((resolve) => setTimeout(resolve, 2 * timeoutMs));
      gate.resolve();
      expect(await reading).to.be.at.least(PAGE_BYTES - CHUNK);
    });

    it('row 41: are read no further once the caller has gone', async () => {
      const { edge, budget } = await openStreams();
      const socket = await ask(edge, 'one', 'gone');
      await until('the stream has begun', () => budget.heldBytes() > 0);
      socket.destroy();
      await until('nothing is held', () => budget.heldBytes() === 0);
      expect(made * CHUNK).to.be.below(PAGE_BYTES);
    });
  });
});
