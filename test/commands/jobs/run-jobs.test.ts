import { expect } from 'chai';
import { pause } from '../../../src/shared/timing.ts';
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

  it('look every ten seconds, and write no outcome, while it is not known whether a row went out', async () => {
    const { clock, events, sends, startProcess } = await openJobStage([[1, 2]], { perSecond: 100 });
    const [one, two] = ['one', 'two'].map((name) => startProcess(name));
    // It is killed.
    void one!.turn(0, async () => sends.length === 0 || new Promise<boolean>(() => undefined));
    await until('one is sent', () => sends.length === 1);
    one!.freeze();
    const { world, run, load } = two!;
    world.open = [1];
    const tick = await run();
    const second = async () => {
      clock.advance(1000);
      tick();
      await pause(5);
    };
    const count = (type: string) => events.filter((event) => event.type === type).length;
    const before = count('RequestClaimed');
    for (let left = 30; left > 0; left -= 1) await second();
    expect(count('RequestClaimed') - before).to.be.within(2, 4);
    expect(count('JobRowsSettled')).to.equal(0);
    world.open = [];
    await untilTrue('it is done', async () => {
      await second();
      return (await load()).status === 'done';
    });
    expect(sends.map(({ row }) => row)).to.deep.equal([1, 2]);
  });
});
