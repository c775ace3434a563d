import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { createTimers, NEVER } from '../../../src/commands/core/timers.ts';
import { fixedClock } from '../../support/ambient.ts';

describe('timers of what waits', () => {
  const stage = (answers: (number | undefined | Error)[]) => {
    const clock = fixedClock(1000);
    const taken: string[] = [];
    const failures: unknown[] = [];
    const timers = createTimers({
      clock,
      onFailure: (error) => failures.push(error),
      async take(name) {
        taken.push(name);
        const answer = answers.length > 0 ? answers.shift() : NEVER;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    const tick = async (times = 1) => {
      for (let count = 0; count < times; count += 1) {
        timers.tick();
        await turn();
      }
    };
    return { clock, timers, taken, failures, tick };
  };

  it('are looked at when the earliest of them is due, and not before', async () => {
    const { clock, timers, taken, tick } = stage([5000]);
    timers.expect('a', 3000);
    timers.expect('a', 2000);
    timers.expect('a', 4000);
    await tick(3);
    expect(taken).to.deep.equal([]);
    clock.advance(1000);
    await tick(3);
    expect(taken).to.deep.equal(['a']);
    clock.advance(3000);
    await tick(3);
    expect(taken).to.deep.equal(['a', 'a']);
    clock.advance(1e9);
    await tick(20);
    expect(taken).to.have.length(2);
  });

  it('rest where there is no room, or a look fails', async () => {
    const { timers, taken, failures, tick } = stage([undefined, new Error('away')]);
    timers.expect('a', 0);
    await tick(11);
    expect(taken).to.have.length(1);
    await tick(1);
    expect(taken).to.have.length(2);
    expect(failures).to.have.length(1);
    await tick(11);
    expect(taken).to.have.length(3);
  });

  it('hear of what comes during a look', async () => {
    const { clock, timers, taken, tick } = stage([NEVER]);
    timers.expect('a', 0);
    timers.tick();
    timers.expect('a', 1500);
    await turn();
    clock.advance(500);
    await tick();
    expect(taken).to.deep.equal(['a', 'a']);
  });
});
