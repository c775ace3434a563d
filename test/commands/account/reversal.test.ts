import { mock } from 'node:test';
import { expect } from 'chai';
import { reverseOnHangUp } from '../../../src/commands/sending/send.ts';
import type { SendOutcome } from '../../../src/provider/provider.ts';
import { untilTrue } from '../../support/until.ts';

/** Longer than any test. */
const NEVER_MS = 3_600_000;
const accepted: SendOutcome = { kind: 'accepted', messageId: 'wamid.1', recipientWaId: null };
const refused: SendOutcome = {
  kind: 'refused',
  refusal: { code: 131026, subcode: null, message: 'no', httpStatus: 400 },
};

describe('the reversal for a caller who hangs up', () => {
  const begin = (wordWithinMs = NEVER_MS) => {
    const caller = new AbortController();
    const reversals: string[] = [];
    const sending = Promise.withResolvers<SendOutcome>();
    const reverse = async () => void reversals.push('reversed');
    const over = reverseOnHangUp(caller.signal, sending.promise, reverse, { wordWithinMs });
    return { caller, reversals, over, sending };
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

  it('reverses what the provider does not answer in time, once', async () => {
    const { caller, reversals, over, sending } = begin(1);
    caller.abort();
    await untilTrue('the reversal', async () => reversals.length === 1);
    sending.resolve(accepted);
    await over();
    expect(reversals).to.deep.equal(['reversed']);
  });

  it('waits two seconds for the provider', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const caller = new AbortController();
      const reversals: string[] = [];
      const silence = new Promise<SendOutcome>(() => undefined);
      const over = reverseOnHangUp(caller.signal, silence, async () => void reversals.push('it'));
      caller.abort();
      mock.timers.tick(1999);
      await settled();
      expect(reversals).to.deep.equal([]);
      mock.timers.tick(1);
      await settled();
      expect(reversals).to.deep.equal(['it']);
      await over();
    } finally {
      mock.timers.reset();
    }
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
    const { reversals, over, sending } = begin();
    sending.resolve(accepted);
    await over();
    const reverse = async () => void reversals.push('reversed');
    await reverseOnHangUp(undefined, Promise.resolve(accepted), reverse)();
    await settled();
    expect(reversals).to.deep.equal([]);
  });
});
