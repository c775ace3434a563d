import { expect } from 'chai';
import { Interrupted, retry } from '../../src/shared/retry.ts';
import { pause, untilWoken, withTimeout } from '../../src/shared/timing.ts';
import { failureOf, messageOf } from '../support/spec.ts';

const failing = (times: number) => {
  let calls = 0;
  return {
    work: async (): Promise<number> => {
      calls += 1;
      if (calls <= times) throw new Error(`attempt ${calls}`);
      return calls;
    },
    calls: () => calls,
  };
};

describe('a time limit', () => {
  const never = new Promise<string>(() => undefined);

  it('returns the result of work that ends in time', async () => {
    expect(await withTimeout(10_000, Promise.resolve('done'), () => 'late')).to.equal('done');
  });

  it('returns the replacement for late work', async () => {
    expect(await withTimeout(1, never, () => 'late')).to.equal('late');
  });

  it('throws the error for late work, and an error of the work itself', async () => {
    const late = () => {
      throw new Error('too late');
    };
    expect(await messageOf(withTimeout(1, never, late))).to.equal('too late');
    const failed = withTimeout(10_000, Promise.reject(new Error('broken')), late);
    expect(await messageOf(failed)).to.equal('broken');
  });
});

describe('a wait to be woken', () => {
  const setUp = () => {
    const heard = { wake: undefined as (() => void) | undefined };
    const listen = (wake: () => void) => {
      heard.wake = wake;
      return () => {
        heard.wake = undefined;
      };
    };
    return { heard, listen, stop: new AbortController() };
  };

  it('ends as woken by what it listens to, and listens no longer', async () => {
    const { heard, listen, stop } = setUp();
    const waiting = untilWoken(stop.signal, listen, 60_000);
    heard.wake?.();
    expect(await waiting).to.equal('woken');
    expect(heard.wake).to.equal(undefined);
  });

  it('ends as woken by the signal, also one from before', async () => {
    const { heard, listen, stop } = setUp();
    const waiting = untilWoken(stop.signal, listen);
    stop.abort();
    expect(await waiting).to.equal('woken');
    expect(heard.wake).to.equal(undefined);
    expect(await untilWoken(stop.signal, listen)).to.equal('woken');
    expect(heard.wake).to.equal(undefined);
  });

  it('ends as quiet when the time is over', async () => {
    const { heard, listen, stop } = setUp();
    expect(await untilWoken(stop.signal, listen, 1)).to.equal('quiet');
    expect(heard.wake).to.equal(undefined);
  });
});

describe('a pause', () => {
  it('ends when the signal fires, without an error', async () => {
    const stopping = new AbortController();
    const pausing = pause(3_600_000, stopping.signal);
    stopping.abort();
    await pausing;
    await pause(3_600_000, stopping.signal);
  });
});

describe('retry', () => {
  it('makes as many further attempts as there are delays, then throws the last error', async () => {
    const enough = failing(2);
    expect(await retry(enough.work, { delays: [0, 0] })).to.equal(3);
    const tooFew = failing(3);
    expect(await messageOf(retry(tooFew.work, { delays: [0, 0] }))).to.equal('attempt 3');
    expect(tooFew.calls()).to.equal(3);
  });

  it('makes no further attempt when none can help', async () => {
    const { work, calls } = failing(1);
    const options = { delays: [0], while: () => false };
    expect(await messageOf(retry(work, options))).to.equal('attempt 1');
    expect(calls()).to.equal(1);
  });

  it('reports each failure that another attempt follows', async () => {
    const failures: string[] = [];
    const onFailure = (error: unknown) => failures.push((error as Error).message);
    await failureOf(retry(failing(3).work, { delays: [0, 0], onFailure }));
    expect(failures).to.deep.equal(['attempt 1', 'attempt 2']);
  });

  it('is interrupted by its signal, while it waits and before', async () => {
    const stopping = new AbortController();
    const { work, calls } = failing(5);
    const onFailure = () => stopping.abort();
    const options = { delays: { minMs: 3_600_000, maxMs: 3_600_000 }, signal: stopping.signal };
    expect(await failureOf(retry(work, { ...options, onFailure }))).to.be.instanceOf(Interrupted);
    expect(calls()).to.equal(1);
    expect(await failureOf(retry(work, options))).to.be.instanceOf(Interrupted);
    expect(calls()).to.equal(2);
  });

  it('doubles growing delays up to their bound, and starts anew after progress', async () => {
    const delays: number[] = [];
    let attempt = 0;
    await retry(
      async (progressed) => {
        attempt += 1;
        if (attempt === 5) progressed();
        if (attempt < 7) throw new Error('again');
      },
      {
        delays: { minMs: 2, maxMs: 8, random: () => 0.5 },
        onFailure: (_, delayMs) => delays.push(delayMs),
      },
    );
    expect(delays).to.deep.equal([1.5, 3, 6, 6, 1.5, 3]);
  });
});
