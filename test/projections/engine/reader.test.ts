import { expect } from 'chai';
import { ALL_BUCKETS } from '../../../src/events/bucket.ts';
import { createReader, NotReached } from '../../../src/projections/engine/reader.ts';
import type { ViewsReader } from '../../../src/projections/views.ts';
import { fixedClock } from '../../support/ambient.ts';
import { failureOf } from '../../support/spec.ts';

const things = { name: 'things', version: 1 };
const bucketEnds = async () => ['3', '1'];

/** A reader of one collection with these checkpoints; no time passes unless a change says so. */
const readerAt = (
  checkpoints: () => readonly string[],
  change: Partial<Parameters<typeof createReader>[0]> = {},
) => {
  const views = {
    live: async () => ({ things: 'things_v1_1' }),
    halts: async () => ({}),
    checkpoints: async () => ({ things_v1_1: checkpoints() }),
  } as Partial<ViewsReader> as ViewsReader;
  return createReader({ views, clock: fixedClock(), monotonicMs: () => 0, ...change });
};

describe('a reader without an engine', () => {
  it('looks again after ever longer pauses, of 50 ms at most, until its time is over', async () => {
    let looks = 0;
    const { reached } = readerAt(() => {
      looks += 1;
      return ['1'];
    });
    const looksIn = async (timeoutMs: number) => {
      looks = 0;
      const refusal = await failureOf(reached([things], '2', timeoutMs));
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
    const slow = () => {
      nowMs += 2_000;
      return ['1'];
    };
    const { reached } = readerAt(slow, { monotonicMs: () => nowMs });
    expect(await failureOf(reached([things], '2'))).to.be.instanceOf(NotReached);
    expect(nowMs).to.equal(6_000);
  });

  it('waits for the last event of each bucket, wherever the log ends', async () => {
    const of = (...places: readonly string[]) => readerAt(() => places, { store: { bucketEnds } });
    await of('3', '1').reached([things], '9', 0);
    expect([...(await of('3', '1').shows([things], '9'))]).to.deep.equal(ALL_BUCKETS);
    const late = of('2', '1').reached([things], '9', 0);
    expect(await failureOf(late)).to.be.instanceOf(NotReached);
    expect([...(await of('2', '1').shows([things], '9'))]).to.deep.equal([1]);
  });

  it('tells of a halt, and of an older version, which it does not wait for', async () => {
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
    const both = [
      { name: 'others', version: 1 },
      { ...things, version: 2 },
    ];
    expect(await readerOf('things_v2_1', '3', '1').reached(both, '9')).to.equal('all');
    expect(await readerOf('things_v2_1', '2', '1').reached(both, '9')).to.equal('halted');
    expect(await readerOf('things_v1_1', '2', '1').reached(both, '9')).to.equal('older');
    expect(await readerOf('things_v1_1', '3', '1').reached(both, '9'), 'whole').to.equal('all');
    const behind = readerOf('things_v2_1', '2', '0').reached(both, '9');
    expect((await failureOf<NotReached>(behind)).projections).to.deep.equal(['things']);
  });

  it('asks the checkpoints once another process has taken over what was waited for', async () => {
    let isHeld = true;
    const local = {
      running: () => isHeld,
      serving: () => 'things_v1_1',
      async reached() {
        isHeld = false;
        return 'all' as const;
      },
    };
    const { reached } = readerAt(() => ['1'], { local });
    expect(await failureOf(reached([things], '2', 0))).to.be.instanceOf(NotReached);
  });
});
