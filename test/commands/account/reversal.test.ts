import { mock } from 'node:test';
import { expect } from 'chai';
import { reverseOnHangUp } from '../../../src/commands/sending/send.ts';
import type { SendOutcome } from '../../../src/provider/provider.ts';

const accepted: SendOutcome = { kind: 'accepted', messageId: 'wamid.1', recipientWaId: null };
const refused: SendOutcome = {
  kind: 'refused',
  refusal: { code: 131026, subcode: null, message: 'no', httpStatus: 400 },
};

describe('the reversal for a caller who hangs up', () => {
  const begin = () => {
    const [caller, stopping] = [new AbortController(), new AbortController()];
    const sends = { reversing: () => undefined, stopping: stopping.signal };
    const reversals: string[] = [];
    const sending = Promise.withResolvers<SendOutcome>();
    const reverse = async () => void reversals.push('reversed');
    const over = reverseOnHangUp(caller.signal, sending.promise, reverse, sends);
    return { caller, stopping, sends, reversals, over, sending };
  };
  /** All that was ready to run has run. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('waits for the provider, and reverses what it accepted', async () => {
    const { caller, reversals, over, sending } = begin();
    caller.abort();
    await settled();
    expect(reversals).to.deep.equal([]);
    sending.resolve(accepted);
    await over();
    expect(reversals).to.deep.equal(['reversed']);
  });

  it('leaves what the provider did not accept to the send', async () => {
    for (const outcome of [refused, { kind: 'unknown', reason: 'silence' } as const]) {
      const { caller, reversals, over, sending } = begin();
      caller.abort();
      sending.resolve(outcome);
      await over();
      expect(reversals).to.deep.equal([]);
    }
  });

  describe('of a provider that is slow', () => {
    beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
    afterEach(() => mock.timers.reset());
    /** In small steps: what a timer wakes may set another one. */
    const pass = async (ms: number) => {
      for (let leftMs = ms; leftMs > 0; leftMs -= 1_000) {
        mock.timers.tick(Math.min(leftMs, 1_000));
        await settled();
      }
    };

    it('waits for its answer as long as a call may take, so that a late refusal is none', async () => {
      for (const answerAfterMs of [15_000, 59_999]) {
        const { caller, reversals, over, sending } = begin();
        caller.abort();
        await pass(answerAfterMs);
        sending.resolve(refused);
        await over();
        expect(reversals).to.deep.equal([]);
      }
    });

    it('reverses in the end what it never answers, once', async () => {
      const { caller, reversals, over, sending } = begin();
      caller.abort();
      await pass(61_999);
      expect(reversals).to.deep.equal([]);
      await pass(1);
      expect(reversals).to.deep.equal(['reversed']);
      sending.resolve(accepted);
      await over();
      expect(reversals).to.deep.equal(['reversed']);
    });

    it('waits two seconds more when the service stops', async () => {
      for (const isStopped of [false, true]) {
        const { caller, reversals, over, stopping } = begin();
        if (isStopped) stopping.abort();
        caller.abort();
        await settled();
        stopping.abort();
        await settled();
        await pass(1_999);
        expect(reversals).to.deep.equal([]);
        await pass(1);
        await over();
        expect(reversals).to.deep.equal(['reversed']);
      }
    });
  });

  it('reverses a send that ended in a fault, because it may have gone out', async () => {
    const { caller, reversals, over, sending } = begin();
    caller.abort();
    sending.reject(new Error('unexpected'));
    await over();
    expect(reversals).to.deep.equal(['reversed']);
  });

  it('comes for an answer that could not be written any more', async () => {
    const { caller, reversals, over, sending } = begin();
    sending.resolve(accepted);
    await settled();
    expect(reversals).to.deep.equal([]);
    caller.abort();
    await over();
    expect(reversals).to.deep.equal(['reversed']);
  });

  it('never comes for a caller who waits, nor without a signal', async () => {
    const { reversals, over, sending, sends } = begin();
    sending.resolve(accepted);
    await over();
    const reverse = async () => void reversals.push('reversed');
    await reverseOnHangUp(undefined, Promise.resolve(accepted), reverse, sends)();
    await settled();
    expect(reversals).to.deep.equal([]);
  });
});
