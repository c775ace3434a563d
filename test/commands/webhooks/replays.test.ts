import { once } from 'node:events';
import { expect } from 'chai';
import type { Unsettled } from '../../../src/commands/core/reactor-checkpoints.ts';
import type { OpenReplay } from '../../../src/commands/webhooks/ports.ts';
import { createReplays } from '../../../src/commands/webhooks/replays.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { untilTrue } from '../../support/until.ts';

const ACCOUNTS = [...'abcdefghijklmnopqrst'];
const replay = (accountId: string, number: number): OpenReplay => ({
  endpointId: `wh_${accountId}${number}`,
  accountId,
  replayId: `${accountId}${number}`,
  since: '2026-01-01T00:00:00.000Z',
  topics: ['message.sent'],
});

/** A log of so many events for each account, which the account's replays deliver. */
const open = (count = 1, mayWrite = async (_: string) => true) => {
  const log = {
    loadSnapshot: async () => undefined,
    saveSnapshot: async () => undefined,
    async *follow(_: string, signal: AbortSignal) {
      const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'r' };
      const event = { id: 'e', type: 'MessageSent', data: {}, meta };
      const at = Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'));
      const events = at.map((index) => ({ ...event, position: `p${index}` }));
      yield { events, to: events.at(-1)!.position };
      if (!signal.aborted) await once(signal, 'abort');
    },
  } as unknown as EventStore;
  const offered: string[] = [];
  const ended: string[] = [];
  const letGo: (() => void)[] = [];
  const source = { eventId: 'e', topic: 'message.sent' as const, stream: 's', revision: 0 };
  const replays = createReplays({
    log,
    sourcesOf: async () =>
      ACCOUNTS.map((accountId) => ({ accountId, source: { ...source, orderKey: 's' } })),
    mayWrite,
    offer({ endpointId, source: { asked } }) {
      expect(asked).to.equal(true);
      offered.push(endpointId);
      if (count > 1) return Promise.resolve({ settled: Promise.resolve() });
      return new Promise<Unsettled>((resolve) => {
        letGo.push(() => resolve({ settled: Promise.resolve() }));
      });
    },
    async end({ replayId }) {
      ended.push(replayId);
    },
    onFailure: (...what) => {
      throw new Error(String(what));
    },
  });
  const drain = async () => {
    const drained = replays.drain();
    for (const go of letGo) go();
    await drained;
  };
  return { replays, offered, ended, drain };
};

describe('replays of webhooks', () => {
  it('row 68: that hang hold up none of another account', async () => {
    const { replays, offered, drain } = open();
    for (let number = 1; number <= 20; number += 1) replays.start(replay('a', number));
    replays.start(replay('b', 1));
    await untilTrue('that of another account', async () => offered.includes('wh_b1'));
    expect(offered).to.have.members(['wh_a1', 'wh_a2', 'wh_b1']);
    await drain();
  });

  it('row 68: run 16 at a time, two of an account and later one; one that ends makes room for the next account', async () => {
    const { replays, offered, drain } = open();
    for (const accountId of ACCOUNTS) {
      for (const number of [1, 2, 3]) replays.start(replay(accountId, number));
    }
    await untilTrue('as many as may', async () => offered.length === 16);
    const doubled = offered.filter((endpointId) => endpointId.endsWith('2'));
    expect(doubled).to.deep.equal(['wh_a2', 'wh_b2', 'wh_c2']);
    replays.stopOf('wh_d1');
    await untilTrue('the next', async () => offered.length === 17);
    expect(offered.at(-1)).to.equal('wh_n1');
    await drain();
  });

  it('row 69: end where the account has used up its free writes, and do not begin then', async () => {
    let looks = 0;
    const { replays, offered, ended, drain } = open(200, async (accountId) => {
      if (accountId === 'b') return false;
      looks += 1;
      return looks < 3;
    });
    replays.start(replay('a', 1));
    replays.start(replay('b', 1));
    await untilTrue('both ended', async () => ended.length === 2);
    expect(ended).to.have.members(['a1', 'b1']);
    expect(new Set(offered)).to.deep.equal(new Set(['wh_a1']));
    expect(offered).to.have.length(100);
    await drain();
  });
});
