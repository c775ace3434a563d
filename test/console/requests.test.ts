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
const { createRefresh } = load(join(source, 'api/queries.ts'));
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
