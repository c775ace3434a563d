import { expect } from 'chai';
import { createWorkerThread, type WorkerThreadOptions } from '../../src/shared/worker-thread.ts';
import { failureOf, messageOf } from '../support/spec.ts';
import { untilTrue } from '../support/until.ts';
import type { Asked } from '../support/worker-thread-program.ts';

type Report = { kind: 'ready' };

const opened: { close(last: Asked): Promise<void> }[] = [];
const open = (options: Partial<WorkerThreadOptions<string, Report>> = {}) => {
  const thread = createWorkerThread<Asked, string, string, Report>({
    program: new URL('../support/worker-thread-program.ts', import.meta.url),
    data: { opens: true },
    name: 'test',
    callsMax: 3,
    errorOf: (failure) => new Error(`failed: ${failure}`),
    unavailable: (reason) => new Error(`unavailable: ${reason}`),
    ...options,
  });
  opened.push(thread);
  return thread;
};
const closeAll = () => Promise.all(opened.splice(0).map((one) => one.close('end')));
describe('A thread that answers calls', () => {
  afterEach(closeAll);

  it('answers with a value or a failure', async () => {
    const { run } = open();
    expect(await run('answer')).to.equal('done');
    expect(await messageOf(run('fail'))).to.equal('failed: as asked');
  });
  it('refuses more concurrent calls than its bound', async () => {
    const { run, close } = open();
    const waiting = [run('wait'), run('wait'), run('wait')].map(messageOf);
    expect(await messageOf(run('answer'))).to.equal('unavailable: too much is asked at once');
    await close('end');
    for (const message of await Promise.all(waiting)) expect(message).to.contain('died');
  });
  it('rejects pending calls when it dies, and is started again by the next call', async () => {
    const { run } = open();
    const both = await Promise.all([messageOf(run('wait')), messageOf(run('die'))]);
    for (const message of both) expect(message).to.contain('its thread died');
    expect(await run('answer')).to.equal('done');
  });
  it('rejects a cancelled call, and answers later ones', async () => {
    const { run } = open({ stuckMs: 60_000 });
    const calling = new AbortController();
    const waiting = failureOf(run('wait', calling.signal));
    expect(await run('answer')).to.equal('done');
    const reason = new Error('no longer wanted');
    calling.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await run('answer')).to.equal('done');
    expect(await failureOf(run('answer', calling.signal)), 'before it began').to.equal(reason);
  });
  it('is terminated when it ignores a cancelled call', async () => {
    const { run } = open({ stuckMs: 20 });
    const calling = new AbortController();
    expect(await run('answer')).to.equal('done');
    const hanging = messageOf(run('hang', calling.signal));
    const behind = messageOf(run('answer'));
    calling.abort(new Error('no longer wanted'));
    expect(await hanging).to.equal('no longer wanted');
    expect(await behind).to.contain('its thread died');
    expect(await run('answer')).to.equal('done');
  });
  it('refuses calls once it is closed', async () => {
    const { run, close } = open();
    await run('answer');
    await close('end');
    expect(await messageOf(run('answer'))).to.contain('closed');
  });
});

describe('A thread that is started again after a pause', () => {
  afterEach(closeAll);

  it('rejects calls while it is down, and reports when it is ready again', async () => {
    const reports: Report[] = [];
    const deaths: string[] = [];
    const { open: start, run } = open({
      onReport: (report) => reports.push(report),
      restartMs: (cause) => deaths.push(cause),
    });
    expect(await messageOf(run('answer'))).to.contain('being started');
    await start();
    expect(await messageOf(run('die'))).to.contain('it was asked to');
    expect(await messageOf(run('answer'))).to.contain('being started');
    await untilTrue('it is ready again', async () => reports.length === 2);
    expect(await run('answer')).to.equal('done');
    expect(deaths).to.deep.equal(['it was asked to']);
  });
  it('is started again after a crash, and stays down after a kill', async () => {
    const pauses: number[] = [];
    const reports: Report[] = [];
    const thread = open({
      onReport: (report) => reports.push(report),
      restartMs: () => pauses.push(1),
    });
    await thread.open();
    thread.crash();
    await untilTrue('it is ready again', async () => reports.length === 2);
    await thread.kill();
    expect(thread.ready()).to.equal(false);
    expect(pauses).to.have.length(1);
  });
  it('fails to open with the cause, and is not started again', async () => {
    const pauses: number[] = [];
    const thread = open({ data: { opens: false }, restartMs: () => pauses.push(1) });
    expect(await messageOf(thread.open())).to.equal('it cannot open its file');
    expect(pauses).to.deep.equal([]);
  });
});
