import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  createSharedRateLimiter,
  type SharedRateLimiter,
} from '../../../src/http/edge/rate-limit-shared.ts';
import { runs } from '../../support/runs.ts';
import { until } from '../../support/until.ts';
import { createWindows } from '../../support/windows.ts';

/** Counts that answer late on a busy machine are no outage, unless a test wants one. */
const PATIENT: { answerMsMax?: number } = { answerMsMax: 60_000 };

describe('rate limits that instances share @long', () => {
  let now = 0;
  const opened: SharedRateLimiter[] = [];
  const instances = (count: number, turn?: () => Promise<void>, bounds = PATIENT) => {
    const shared = createWindows(() => now, turn);
    const limiters = Array.from({ length: count }, () =>
      createSharedRateLimiter({ windows: shared.windows, monotonicMs: () => now, ...bounds }),
    );
    opened.push(...limiters);
    return { ...shared, limiters };
  };
  const passed = async (limiters: readonly SharedRateLimiter[], count: number, limit: number) => {
    const standings = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        limiters[index % limiters.length]!.consume('key', limit),
      ),
    );
    return standings.filter(({ allowed }) => allowed).length;
  };
  beforeEach(() => {
    now = 1_000_000;
  });
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.stop())));

  it('let a single instance use the whole limit, and no more', async () => {
    const { limiters } = instances(1);
    expect(await passed(limiters, 200, 120)).to.equal(120);
  });
  it('let sequential requests use the whole limit', async () => {
    const { limiters } = instances(1);
    let allowed = 0;
    for (let request = 0; request < 130; request += 1) allowed += await passed(limiters, 1, 120);
    expect(allowed).to.equal(120);
  });
  it('let exactly 120 of 400 parallel requests over three instances pass', async () => {
    const { limiters } = instances(3);
    expect(await passed(limiters, 400, 120)).to.equal(120);
  });
  it('show the state of the bucket', async () => {
    const { limiters } = instances(2);
    const first = await limiters[0]!.consume('key', 120);
    expect(first).to.deep.equal({ allowed: true, limit: 120, remaining: 119, resetSeconds: 60 });
    now += 15_500;
    const second = await limiters[1]!.consume('key', 120);
    expect(second.resetSeconds).to.equal(45);
    expect(await limiters[0]!.peek('key', 120)).to.deep.include({ allowed: true, remaining: 119 });
  });
  it('begin a new window for all instances after 60 seconds', async () => {
    const { limiters } = instances(2);
    expect(await passed(limiters, 50, 20)).to.equal(20);
    now += 59_000;
    expect(await passed(limiters, 10, 20)).to.equal(0);
    now += 1_000;
    expect(await passed(limiters, 50, 20)).to.equal(20);
  });
  it('read the shared count once per slice, not per request', async () => {
    const { limiters, calls } = instances(1);
    expect(await passed(limiters, 1, 100_000)).to.equal(1);
    const before = calls();
    for (let request = 0; request < 2_000; request += 1) await limiters[0]!.consume('key', 100_000);
    expect(calls()).to.equal(before);
  });
  it('read a used-up window again only after a pause', async () => {
    const { limiters, calls } = instances(1);
    await passed(limiters, 40, 20);
    const before = calls();
    await passed(limiters, 500, 20);
    expect(calls()).to.equal(before);
    now += 200;
    await passed(limiters, 1, 20);
    expect(calls()).to.be.above(before);
  });
  it('return unused slices for other instances', async () => {
    const { limiters, taken } = instances(2);
    expect(await passed([limiters[0]!], 1, 160)).to.equal(1);
    expect(taken('key')).to.equal(10);
    now += 1_000;
    await until('it is given back', () => taken('key') === 1);
    expect(await passed([limiters[1]!], 200, 160)).to.equal(159);
  });
  it('apply to each instance alone during an outage of the counts, without a wait', async () => {
    let away = true;
    const { limiters } = instances(1, async () => {
      if (away) throw new Error('away');
    });
    expect(await passed(limiters, 200, 120)).to.equal(120);
    away = false;
    now += 60_000;
    expect(await passed(limiters, 200, 120)).to.equal(120);
  });
  it('let no request wait for ever for counts that hang', async () => {
    const { limiters } = instances(1, () => new Promise(() => undefined), {});
    expect(await passed(limiters, 20, 10)).to.equal(10);
  });
  for (const [numRuns, tag] of runs(10, 30)) {
    it(`are never exceeded by any order of requests${tag}`, async () => {
      const step = fc.record({
        instance: fc.nat(2),
        requests: fc.integer({ min: 1, max: 30 }),
        waitMs: fc.constantFrom(0, 0, 0, 200, 1_000),
      });
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 100 }), fc.array(step), async (limit, steps) => {
          const { limiters } = instances(3, () => pause(0));
          const until60 = now + 59_000;
          let allowed = 0;
          for (const { instance, requests, waitMs } of steps) {
            if (now + waitMs < until60) now += waitMs;
            allowed += await passed([limiters[instance]!], requests, limit);
          }
          expect(allowed).to.be.at.most(limit);
          const asked = steps.reduce((sum, { requests }) => sum + requests, 0);
          if (steps.every(({ instance }) => instance === 0)) {
            expect(allowed).to.equal(Math.min(limit, asked));
          }
          now += 120_000;
        }),
        { numRuns },
      );
    });
  }
});
