import { expect } from 'chai';
import { createWorkerThread } from '../../src/shared/worker-thread.ts';
import type { Asked } from '../support/worker-thread-program.ts';

describe('A thread that answers calls', () => {
  const opened: { close(last: Asked): Promise<void> }[] = [];
  const open = (stuckMs?: number) => {
    const thread = createWorkerThread<Asked, string, string>({
      program: new URL('../support/worker-thread-program.ts', import.meta.url),
      data: {},
      name: 'test',
      callsMax: 3,
      ...(stuckMs !== undefined && { stuckMs }),
      errorOf: (failure) => new Error(`failed: ${failure}`),
      unavailable: (reason) => new Error(`unavailable: ${reason}`),
    });
    opened.push(thread);
    return thread;
  };
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close('end'))));
  const refusal = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => expect.fail('it was done'),
      (error: Error) => error,
    );

  it('answers, or tells of the failure', async () => {
    const { run } = open();
    expect(await run('answer')).to.equal('done');
    expect((await refusal(run('fail'))).message).to.equal('failed: as asked');
  });
  it('takes so many calls and no more', async () => {
    const { run, close } = open();
    const waiting = [run('wait'), run('wait'), run('wait')].map(refusal);
    expect((await refusal(run('answer'))).message).to.equal(
      'unavailable: too much is asked at once',
    );
    await close('end');
    for (const { message } of await Promise.all(waiting)) expect(message).to.contain('died');
  });
  it('rejects what was under way when it dies, and is started again by the next call', async () => {
    const { run } = open();
    const [waiting, died] = await Promise.all([refusal(run('wait')), refusal(run('die'))]);
    for (const { message } of [waiting, died]) expect(message).to.contain('its thread died');
    expect(await run('answer')).to.equal('done');
  });
  it('rejects a call that was called off, and goes on', async () => {
    const { run } = open(60_000);
    const calling = new AbortController();
    const waiting = refusal(run('wait', calling.signal));
    expect(await run('answer')).to.equal('done');
    const reason = new Error('no longer wanted');
    calling.abort(reason);
    expect(await waiting).to.equal(reason);
    expect(await run('answer')).to.equal('done');
    expect(await refusal(run('answer', calling.signal)), 'before it began').to.equal(reason);
  });
  it('is ended when it does not hear that a call was called off', async () => {
    const { run } = open(20);
    const calling = new AbortController();
    expect(await run('answer')).to.equal('done');
    const hanging = refusal(run('hang', calling.signal));
    const behind = refusal(run('answer'));
    calling.abort(new Error('no longer wanted'));
    expect((await hanging).message).to.equal('no longer wanted');
    expect((await behind).message).to.contain('its thread died');
    expect(await run('answer')).to.equal('done');
  });
  it('takes nothing once it is closed', async () => {
    const { run, close } = open();
    await run('answer');
    await close('end');
    expect((await refusal(run('answer'))).message).to.contain('closed');
  });
});
