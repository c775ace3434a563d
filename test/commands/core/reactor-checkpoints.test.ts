import { expect } from 'chai';
import { createCheckpoints } from '../../../src/commands/core/reactor-checkpoints.ts';
import type { Snapshot } from '../../../src/events/store.ts';

const COUNT = 64;
const positionOf = (nth: number) => String(nth).padStart(6, '0');

describe('the checkpoints of a reactor in many partitions', () => {
  let now: number;
  /** The partitions that were saved, with their places. */
  let saved: [string, unknown][];
  let checkpoints: ReturnType<typeof createCheckpoints>;
  let isAway: boolean;
  beforeEach(async () => {
    now = 0;
    isAway = false;
    const store = {
      loadSnapshot: async () => undefined,
      async saveSnapshot(stream: string, { state }: Snapshot) {
        if (isAway) throw new Error('the log is away');
        saved.push([stream, state]);
      },
    };
    saved = [];
    checkpoints = createCheckpoints('test', COUNT, store, () => now);
    await checkpoints.load(Array.from({ length: COUNT }, (_, partition) => partition));
    saved = [];
  });

  it('are not saved behind events of others, which their saves are themselves', async () => {
    for (let minute = 1; minute < 10; minute += 1) {
      now = minute * 60_000;
      checkpoints.moveTo(positionOf(minute * 256), 0);
      await checkpoints.save();
    }
    expect(saved).to.deep.equal([]);
    now = 600_000;
    await checkpoints.save();
    expect(saved).to.have.length(COUNT);
    expect(saved[0]).to.deep.equal(['reactor-test-0of64', positionOf(9 * 256)]);
    await checkpoints.save();
    expect(saved).to.have.length(COUNT);
  });

  it('are saved at once where something was done, and elsewhere after 500 events', async () => {
    for (let nth = 1; nth < 500; nth += 1) {
      const position = positionOf(nth);
      checkpoints.note(checkpoints.newTo(position, 7), undefined);
      checkpoints.moveTo(position, 1);
      await checkpoints.save();
    }
    expect(new Set(saved.map(([stream]) => stream))).to.deep.equal(new Set(['reactor-test-7of64']));
    expect(saved.at(-1)![1]).to.equal(positionOf(499));
    saved = [];
    checkpoints.moveTo(positionOf(500), 1);
    await checkpoints.save();
    expect(saved).to.have.length(COUNT - 1);
    expect(new Set(saved.map(([, place]) => place))).to.deep.equal(new Set([positionOf(500)]));
  });

  it('are saved again after a save that failed, where something was done', async () => {
    checkpoints.note(checkpoints.newTo(positionOf(1), 7), undefined);
    checkpoints.moveTo(positionOf(1), 1);
    isAway = true;
    await checkpoints.save().catch(() => undefined);
    expect(saved).to.deep.equal([]);
    isAway = false;
    await checkpoints.save();
    expect(saved).to.deep.equal([['reactor-test-7of64', positionOf(1)]]);
  });

  it('are all saved at the stop', async () => {
    checkpoints.moveTo(positionOf(1), 0);
    await checkpoints.save({ all: true });
    expect(saved).to.have.length(COUNT);
  });
});
