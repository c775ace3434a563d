import { expect } from 'chai';
import { ALL_BUCKETS } from '../../../src/events/bucket.ts';
import { createReader, NotReached } from '../../../src/projections/engine/reader.ts';
import type { ViewsReader } from '../../../src/projections/views.ts';
import { fixedClock } from '../../support/ambient.ts';

describe('a reader without an engine', () => {
  it('looks again after ever longer pauses, of 50 ms at most, until its time is over', async () => {
    let looks = 0;
    const views = {
      live: async () => ({ things: 'things_v1_1' }),
      halts: async () => ({}),
      checkpoints: async () => {
        looks += 1;
        return { things_v1_1: ['1'] };
      },
    } as Partial<ViewsReader> as ViewsReader;
    const { reached } = createReader({ views, clock: fixedClock(), monotonicMs: () => 0 });
    const looksIn = async (timeoutMs: number) => {
      looks = 0;
      const refusal = await reached([{ name: 'things', version: 1 }], '2', timeoutMs).catch(
        (error: unknown) => error,
      );
      expect(refusal).to.be.instanceOf(NotReached);
      return looks;
    };
    // After 5, 12.5, 23.8, 40.6, 65.9, 103.9, 153.9, 203.9 and 253.9 ms of pauses.
    expect(await looksIn(0)).to.equal(1);
    expect(await looksIn(5)).to.equal(2);
    expect(await looksIn(153)).to.equal(8);
    expect(await looksIn(204)).to.equal(10);
  });

  it('row 63: counts what slow looks take, so that a wait ends in its time', async () => {
    let nowMs = 0;
    const views = {
      live: async () => ({ things: 'things_v1_1' }),
      halts: async () => ({}),
      checkpoints: async () => {
        nowMs += 2_000;
        return { things_v1_1: ['1'] };
      },
    } as Partial<ViewsReader> as ViewsReader;
    const { reached } = createReader({ views, clock: fixedClock(), monotonicMs: () => nowMs });
    const refusal = await reached([{ name: 'things', version: 1 }], '2').catch((error) => error);
    expect(refusal).to.be.instanceOf(NotReached);
    expect(nowMs).to.equal(6_000);
  });

  it('waits for the last event of each bucket, wherever the log ends', async () => {
    const things = { name: 'things', version: 1 };
    const bucketEnds = async () => ['3', '1'];
    const options = { clock: fixedClock(), store: { bucketEnds }, monotonicMs: () => 0 };
    const readerAt = (...places: readonly string[]) => {
      const views = {
        live: async () => ({ things: 'things_v1_1' }),
        halts: async () => ({}),
        checkpoints: async () => ({ things_v1_1: places }),
      } as Partial<ViewsReader> as ViewsReader;
      return createReader({ ...options, views });
    };
    await readerAt('3', '1').reached([things], '9', 0);
    expect([...(await readerAt('3', '1').shows([things], '9'))]).to.deep.equal(ALL_BUCKETS);
    const late = await readerAt('2', '1')
      .reached([things], '9', 0)
      .catch((error) => error);
    expect(late).to.be.instanceOf(NotReached);
    expect([...(await readerAt('2', '1').shows([things], '9'))]).to.deep.equal([1]);
  });

  it('tells of a halt, and of an older version, which it does not wait for', async () => {
    const bucketEnds = async () => ['3', '1'];
    let nowMs = 0;
    const monotonicMs = () => {
      nowMs += 20;
      return nowMs;
    };
    const halt = { reason: 'cannot be read', position: '3', stream: null };
    const readerOf = (collection: string, ...places: readonly string[]) => {
      const views = {
        live: async () => ({ things: collection, others: 'others_v1_1' }),
        halts: async () => ({ [collection]: new Map([[0, halt]]) }),
        checkpoints: async () => ({ [collection]: places, others_v1_1: ['3', '1'] }),
      } as Partial<ViewsReader> as ViewsReader;
      return createReader({ views, clock: fixedClock(), store: { bucketEnds }, monotonicMs });
    };
    const things = { name: 'things', version: 2 };
    const both = [{ name: 'others', version: 1 }, things];
    expect(await readerOf('things_v2_1', '3', '1').reached(both, '9')).to.equal('all');
    expect(await readerOf('things_v2_1', '2', '1').reached(both, '9')).to.equal('halted');
    expect(await readerOf('things_v1_1', '2', '1').reached(both, '9')).to.equal('older');
    expect(await readerOf('things_v1_1', '3', '1').reached(both, '9'), 'whole').to.equal('all');
    const behind = readerOf('things_v2_1', '2', '0').reached(both, '9');
    expect(await behind.catch((error) => error.projections)).to.deep.equal(['things']);
  });

  it('asks the checkpoints once another process has taken over what was waited for', async () => {
    let isHeld = true;
    const views = {
      live: async () => ({ things: 'things_v1_1' }),
      halts: async () => ({}),
      checkpoints: async () => ({ things_v1_1: ['1'] }),
    } as Partial<ViewsReader> as ViewsReader;
    const local = {
      running: () => isHeld,
      serving: () => 'things_v1_1',
      async reached() {
        isHeld = false;
        return 'all' as const;
      },
    };
    const { reached } = createReader({ views, local, clock: fixedClock(), monotonicMs: () => 0 });
    const refusal = await reached([{ name: 'things', version: 1 }], '2', 0).catch((error) => error);
    expect(refusal).to.be.instanceOf(NotReached);
  });
});
