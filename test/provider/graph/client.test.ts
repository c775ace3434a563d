import { expect } from 'chai';
import { createClient, type Reply } from '../../../src/provider/graph/client.ts';
import type { Exchange, HttpCall } from '../../../src/provider/graph/transport.ts';
import { fixedClock } from '../../support/ambient.ts';

const TIMEOUT_MS = 15_000;
const PATH = '/v25.0/100000000000001/messages?x=1';
const call: HttpCall = { method: 'POST', path: PATH, token: 'EAAsecret0123456789', body: '{}' };
const number = { key: '100000000000001', perSecond: 80 };

const answer = (status: number, body: unknown): Exchange => ({
  kind: 'answer',
  status,
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const throttled = answer(400, { error: { message: 'slow down', code: 130429 } });
const unreachable: Exchange = { kind: 'not_sent', reason: 'ECONNREFUSED' };

/** A client whose calls are answered so, one after the other, the last again and again. */
const open = (exchanges: readonly Exchange[], { slots = 100, msPerCall = 0 } = {}) => {
  const clock = fixedClock();
  const start = clock.now();
  const entered: number[] = [];
  const deadlines: number[] = [];
  const left: { after: number; strained: boolean }[] = [];
  const warned: unknown[] = [];
  const client = createClient({
    clock,
    timeoutMs: TIMEOUT_MS,
    log: { debug: () => undefined, warn: (fields, text) => warned.push([fields, text]) },
    transport: {
      async exchange(_, deadlineAt) {
        deadlines.push(deadlineAt - start);
        clock.advance(msPerCall);
        return exchanges[Math.min(deadlines.length, exchanges.length) - 1]!;
      },
      heard: () => ({ time: undefined, missed: undefined }),
      close: async () => undefined,
    },
    throttle: {
      enter(_key, _perSecond, latestAt) {
        entered.push(latestAt - start);
        return entered.length <= slots;
      },
      leave: (_, { enteredAt, strained }) => left.push({ after: enteredAt - start, strained }),
      takeSlot: async () => undefined,
    },
  });
  const ask = (change: Partial<HttpCall> = {}) => client.call(number, { ...call, ...change });
  return { ask, entered, deadlines, left, warned };
};
const codeOf = (reply: Reply) => (reply.kind === 'refused' ? reply.refusal.code : reply.kind);

describe('a call of the provider', () => {
  it('waits for half of its time limit at most, and keeps the rest for the answer', async () => {
    const { ask, entered, deadlines, left } = open([answer(200, { id: 1 })], { msPerCall: 10 });
    expect(await ask()).to.deep.equal({ kind: 'ok', status: 200, body: { id: 1 } });
    expect([entered, deadlines]).to.deep.equal([[7500], [15_000]]);
    expect(left).to.deep.equal([{ after: 0, strained: false }]);
  });

  it('retries a throttled call up to seven times within 2 s', async () => {
    const { ask, entered, deadlines, left } = open([throttled], { msPerCall: 100 });
    expect(codeOf(await ask())).to.equal(130429);
    expect(entered).to.deep.equal([7500, ...Array.from({ length: 7 }, () => 2100)]);
    expect(new Set(deadlines)).to.deep.equal(new Set([15_000]));
    expect(left.map(({ after }) => after)).to.deep.equal([0, 100, 200, 300, 400, 500, 600, 700]);
    expect(left.every(({ strained }) => strained)).to.equal(true);
  });

  it('does not extend its wait after a late throttling', async () => {
    const { ask, entered } = open([throttled, answer(200, {})], { msPerCall: 6000 });
    expect((await ask()).kind).to.equal('ok');
    expect(entered).to.deep.equal([7500, 7500]);
  });

  it('is made once when the provider counts attempts', async () => {
    const { ask, entered } = open([throttled]);
    expect(codeOf(await ask({ once: true }))).to.equal(130429);
    expect(entered).to.have.length(1);
  });

  it('is made twice without a connection, and then reports that', async () => {
    const { ask, entered } = open([unreachable]);
    expect(await ask()).to.deep.equal({ kind: 'unreachable', reason: 'ECONNREFUSED' });
    expect(entered).to.deep.equal([7500, 7500]);
    const better = open([unreachable, answer(200, {})]);
    expect((await better.ask()).kind).to.equal('ok');
    const mixed = open([unreachable, throttled, unreachable]);
    expect((await mixed.ask()).kind).to.equal('unreachable');
    expect(mixed.entered).to.have.length(3);
  });

  it('is not repeated once it may have arrived', async () => {
    const { ask, entered, left } = open([{ kind: 'broken', reason: 'ECONNRESET' }]);
    expect(await ask()).to.deep.equal({ kind: 'unknown', reason: 'ECONNRESET' });
    expect(entered).to.have.length(1);
    expect(left[0]!.strained).to.equal(false);
  });

  it('is refused without a free slot, by the throttle first and as the provider did later', async () => {
    const none = open([answer(200, {})], { slots: 0 });
    expect(await none.ask()).to.deep.equal({
      kind: 'refused',
      refusal: {
        code: 130429,
        subcode: null,
        httpStatus: null,
        message: 'Nothing was sent: no slot came free in time at 80 a second',
      },
    });
    expect(none.deadlines).to.deep.equal([]);
    const { ask, deadlines } = open([throttled], { slots: 1 });
    const reply = await ask();
    expect(reply.kind === 'refused' && reply.refusal.message).to.equal('slow down');
    expect(deadlines).to.have.length(1);
  });

  const strained: [number, unknown, boolean][] = [
    [400, { error: { code: 100 } }, false],
    [499, {}, false],
    [500, {}, true],
    [503, '', true],
    [429, {}, true],
    [400, { error: { code: 80007 } }, true],
  ];
  for (const [status, body, isStrained] of strained) {
    it(`tells of strain: ${status} ${JSON.stringify(body)} ${isStrained}`, async () => {
      const { ask, left } = open([answer(status, body)]);
      await ask();
      expect(left[0]!.strained).to.equal(isStrained);
    });
  }

  it('is a success from 200 to 299, unless the answer holds an error', async () => {
    for (const [status, body, kind] of [
      [200, {}, 'ok'],
      [299, {}, 'ok'],
      [300, {}, 'refused'],
      [199, {}, 'refused'],
      [200, { error: { code: 1 } }, 'refused'],
      [200, { error: 'none' }, 'ok'],
      [200, [], 'refused'],
      [200, 'not JSON', 'refused'],
    ] as const) {
      const reply = await open([answer(status, body)]).ask();
      expect(reply.kind, `${status} ${JSON.stringify(body)}`).to.equal(kind);
    }
  });

  it('logs an answer without a code: to a message without a word of it, else without ids and long words', async () => {
    const { ask, warned } = open([
      answer(502, 'Bad gateway 15550100001'),
      answer(502, 'Bad gateway 15550100001'),
    ]);
    expect(codeOf(await ask())).to.equal(null);
    expect(codeOf(await ask({ path: '/v25.0/1234/message_templates' }))).to.equal(null);
    const fields = { status: 502, path: '/v25.0/:id/messages', length: 23 };
    const other = { ...fields, path: '/v25.0/:id/message_templates', excerpt: 'Bad gateway *' };
    expect(warned).to.deep.equal([
      [fields, 'the provider gave an unreadable answer'],
      [other, 'the provider gave an unreadable answer'],
    ]);
    const clear = open([answer(400, { error: { message: 'no', code: 100 } })]);
    await clear.ask();
    expect(clear.warned).to.deep.equal([]);
  });
});
