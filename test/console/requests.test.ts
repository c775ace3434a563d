import { createRequire } from 'node:module';
import { join } from 'node:path';
import { mock } from 'node:test';
import { expect } from 'chai';
import type { Json } from '../support/waybill.ts';

const source = join(import.meta.dirname, '../../console/src');
// By computed paths: these files are checked with the console's own types.
const load: (path: string) => Json = createRequire(import.meta.url);
const { createOnce } = load(join(source, 'api/idempotency.ts'));
const { Problem } = load(join(source, 'api/problem.ts'));
const { createRefresh, queryClient, readFilled } = load(join(source, 'api/queries.ts'));
const { outcomeOf } = load(join(source, 'parts/attempts/outcome.ts'));
const { withMessages } = load(join(source, 'parts/attempts/read.ts'));
const { outcomeWords } = load(join(source, 'ui/approval.ts'));

describe('A request of the console that does something', () => {
  const once = createOnce();
  let sent: string[];
  let answered: Error | undefined;
  /** Tries content whose body may differ, as that of a send with a quote; resolves to key and body. */
  const attempt = async (content: string, body: string, answer?: Error) => {
    sent = [];
    answered = answer;
    await once(content, async (key: string) => {
      sent = [key, body];
      if (answered) throw answered;
    }).catch(() => undefined);
    return sent;
  };
  const problem = (status: number, code?: string) => new Problem(status, { error: 'no', code });

  it('is the same again after a lost answer, and a new one after a success', async () => {
    for (const lost of [new Error('lost'), problem(429), problem(504)]) {
      const first = await attempt('a', 'quote 1', lost);
      expect(await attempt('b', 'quote 1')).not.to.deep.equal(first);
      expect(await attempt('a', 'quote 2')).to.deep.equal(first);
      expect(await attempt('a', 'quote 3')).not.to.include(first[0]);
    }
  });

  it('is a new one after an answer that its key would get for ever', async () => {
    for (const code of ['SEND_FAILED', 'OUTCOME_UNKNOWN', 'QUOTE_EXPIRED', 'QUOTE_CHANGED']) {
      const [key] = await attempt(code, 'quote 1', problem(502, code));
      const [other, body] = await attempt(code, 'quote 2');
      expect(other, code).not.to.equal(key);
      expect(body).to.equal('quote 2');
    }
  });

  it('is not called done while it waits for another administrator', () => {
    expect(outcomeWords({ data: { id: 'one' } }, 'Granted')).to.equal('Granted');
    const waiting = { data: { approval: { id: 'one', state: 'waiting' } } };
    expect(outcomeWords(waiting, 'Granted')).to.match(/waits for another administrator/);
  });
});

describe('The lists of the console', () => {
  it('are read on over pages without rows, so far and no farther', async () => {
    const asked: (string | undefined)[] = [];
    const pages = (filledAt: number) => async (cursor: string | undefined) => {
      asked.push(cursor);
      const at = Number(cursor ?? 0);
      return { rows: at === filledAt ? ['row'] : [], nextCursor: String(at + 1) };
    };
    expect(await readFilled(pages(2))).to.deep.equal({ rows: ['row'], nextCursor: '3' });
    expect(asked.splice(0)).to.deep.equal([undefined, '1', '2']);
    expect(await readFilled(pages(-1), '7')).to.deep.equal({ rows: [], nextCursor: '27' });
    expect(asked).to.have.length(20);
    const end = async () => ({ rows: [], nextCursor: null });
    expect(await readFilled(end)).to.deep.equal({ rows: [], nextCursor: null });
  });

  it('fail without a network, instead of looking empty', async () => {
    // By a computed name, too: its types bring those of a browser.
    const { onlineManager } = await import('@tanstack/react-query' as string);
    onlineManager.setOnline(false);
    try {
      const queryFn = () => Promise.reject(new Problem(403, {}));
      const read = queryClient.fetchQuery({ queryKey: ['offline'], queryFn });
      expect(await read.catch((error: Error) => error)).to.be.instanceOf(Problem);
    } finally {
      onlineManager.setOnline(true);
    }
  });

  it('are read again at most once in 3 s while news come, and not during a read', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: Date.UTC(2026, 10, 20) });
    try {
      let reads = 0;
      let isFetching = 0;
      const invalidateQueries = async () => {
        reads += 1;
      };
      const refresh = createRefresh({ isFetching: () => isFetching, invalidateQueries }, ['one']);
      const newsFor = (ms: number) => {
        for (let left = ms; left > 0; left -= 500) {
          refresh();
          mock.timers.tick(500);
        }
      };
      newsFor(500);
      expect(reads).to.equal(1);
      newsFor(6_000);
      expect(reads).to.equal(3);
      isFetching = 1;
      newsFor(6_000);
      expect(reads).to.equal(3);
      isFetching = 0;
      mock.timers.tick(3_000);
      expect(reads, 'what came during the read').to.equal(4);
      mock.timers.tick(60_000);
      expect(reads).to.equal(4);
    } finally {
      mock.timers.reset();
    }
  });
});

describe('What became of attempts', () => {
  const attempt = (id: string, at: string) => ({
    id,
    at,
    state: 'accepted',
    error: null,
    metaMessageId: `wamid.${id}`,
  });
  const sends = [
    attempt('b', '2026-11-20T10:00:00.000Z'),
    attempt('a', '2026-11-20T09:00:00.000Z'),
    { ...attempt('c', '2026-11-20T08:00:00.000Z'), state: 'refused', metaMessageId: null },
  ];
  const message = (chargeId: string) => ({ chargeId, status: 'delivered', errorCode: null });

  it('is read from the messages of their time, page by page until all are found', async () => {
    const asked: Json[] = [];
    const found = await withMessages(sends, async (one: Json) => {
      asked.push(one);
      const [id, nextCursor] = one.cursor === undefined ? ['b', 'next'] : ['a', 'more'];
      return { messages: [message('other'), message(id!)], nextCursor };
    });
    const time = { since: '2026-11-20T09:00:00.000Z', until: '2026-11-20T10:05:00.000Z' };
    expect(asked).to.deep.equal([
      { ...time, cursor: undefined },
      { ...time, cursor: 'next' },
    ]);
    expect(found.map((one: Json) => one.message?.status)).to.deep.equal([
      'delivered',
      'delivered',
      undefined,
    ]);
  });

  it('is not guessed where no message is found', async () => {
    let pages = 0;
    const [first] = await withMessages(sends, async () => {
      pages += 1;
      return { messages: [], nextCursor: 'more' };
    });
    expect(pages).to.equal(5);
    expect(outcomeOf(first)).to.deep.include({ word: 'sent', code: null });
    const sent = { ...first, message: { ...message('b'), status: 'sent' } };
    expect(outcomeOf(sent).code).to.equal('NOT_YET');
  });
});
