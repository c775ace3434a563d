import { expect } from 'chai';
import { openJobStage } from '../../support/job-stage.ts';
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
});
