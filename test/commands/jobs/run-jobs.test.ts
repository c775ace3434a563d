import { expect } from 'chai';
import { openJobStage, undeliverable } from '../../support/job-stage.ts';
import { until, untilTrue } from '../../support/until.ts';

describe('jobs that run @long', () => {
  it('send no further row within a second of the suspension of their organisation', async () => {
    const { clock, sends, startProcess } = await openJobStage([[1, 2, 3, 4, 5, 6, 7, 8]], {
      perSecond: 5,
    });
    const { world, run, load } = startProcess('one');
    const tick = await run();
    tick();
    await until('the first is sent', () => sends.length === 1);
    world.mayAct = false;
    await untilTrue('it runs no more', async () => {
      clock.advance(1000);
      tick();
      return (await load()).status !== 'running';
    });
    expect(await load()).to.include({ status: 'paused' });
    expect(sends.length).to.be.at.most(6);
  });

  it('go on for 100 messages when they are resumed after a pause for failures', async () => {
    const numbers = (from: number) => Array.from({ length: 100 }, (_, at) => from + at);
    const parts = [numbers(1), numbers(101), numbers(201)];
    const { clock, decide, sends, startProcess } = await openJobStage(parts);
    const { world, run, load } = startProcess('one');
    world.refuse = (row) => {
      if (row <= 60) throw undeliverable();
    };
    const untilOver = async () => {
      const tick = await run();
      await untilTrue('it runs no more', async () => {
        clock.advance(1000);
        tick();
        return !['queued', 'running'].includes((await load()).status!);
      });
      return [(await load()).status, sends.length];
    };
    expect(await untilOver()).to.deep.equal(['paused', 40]);
    await decide({ type: 'Resume' });
    expect(await untilOver()).to.deep.equal(['paused', 140]);
    await decide({ type: 'Resume' });
    expect(await untilOver()).to.deep.equal(['done', 240]);
  });
});
