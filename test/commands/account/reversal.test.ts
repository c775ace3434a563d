import { expect } from 'chai';
import { reverseOnHangUp } from '../../../src/commands/account/reversal.ts';
import { untilTrue } from '../../support/until.ts';

/** Longer than any test. */
const NEVER_MS = 3_600_000;

describe('the reversal for a caller who hangs up', () => {
  const begin = (wordWithinMs = NEVER_MS) => {
    const caller = new AbortController();
    const given: string[] = [];
    const giveBack = async (cause: string) => void given.push(cause);
    const reversal = reverseOnHangUp(caller.signal, giveBack, wordWithinMs);
    return { caller, given, reversal };
  };
  /** All that was ready to run has run. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('says that nothing was sent, at once, before the provider is asked', async () => {
    const { caller, given } = begin();
    caller.abort();
    expect(given).to.deep.equal(['not_sent']);
  });

  it('waits for the provider, and says that it went out where it did', async () => {
    const { caller, given, reversal } = begin();
    reversal.asked();
    caller.abort();
    await settled();
    expect(given).to.deep.equal([]);
    reversal.heard(true);
    await settled();
    expect(given).to.deep.equal(['disconnected']);
  });

  it('leaves what the provider did not take to who heard so', async () => {
    const { caller, given, reversal } = begin();
    reversal.asked();
    caller.abort();
    reversal.heard(false);
    await settled();
    expect(given).to.deep.equal([]);
  });

  it('takes a word that does not come in time for a yes', async () => {
    const { caller, given, reversal } = begin(1);
    reversal.asked();
    caller.abort();
    await untilTrue('the reversal', async () => given.length === 1);
    expect(given).to.deep.equal(['disconnected']);
    reversal.heard(false);
    await settled();
    expect(given).to.deep.equal(['disconnected']);
  });

  it('comes for an answer that could not be written any more', async () => {
    const { caller, given, reversal } = begin();
    reversal.asked();
    reversal.heard(true);
    await settled();
    expect(given).to.deep.equal([]);
    caller.abort();
    await settled();
    expect(given).to.deep.equal(['disconnected']);
  });

  it('never comes for a caller who waits, or for who has no signal', async () => {
    const { given, reversal } = begin();
    reversal.asked();
    reversal.heard(true);
    await settled();
    expect(given).to.deep.equal([]);
    const giveBack = async (cause: string) => void given.push(cause);
    reverseOnHangUp(undefined, giveBack, 1).heard(true);
    await settled();
    expect(given).to.deep.equal([]);
  });
});
