import { expect } from 'chai';
import type { Act } from '../../../src/commands/bots/actions.ts';
import { createUnlinkedRuns } from '../../../src/commands/bots/unlinked-runs.ts';
import type { OpenRun } from '../../../src/commands/core/lookups.ts';
import type { NumberLinks } from '../../../src/commands/numbers/number-links.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { type BotStage, openBotStage, said } from '../../support/bot-stage.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { react } from '../../support/react.ts';
import { graph, node } from './graphs.ts';

const ASKS = graph([node('ask', 'question', { text: 'Well?', saveAs: 'x' })]);
const CALLS = graph([node('call', 'http_request', { url: 'https://shop.example/' })]);

describe('runs of bots at a number that is unlinked', () => {
  let store: EventStore;
  let stage: BotStage;
  /** What was sent or called. */
  let acted: string[];
  const act: Act = async (_run, _owner, next) => {
    acted.push(next.kind);
    return next.kind === 'send'
      ? { type: 'sent', messageId: `wamid.B${acted.length}` }
      : { type: 'response', status: 200, body: '{}' };
  };
  beforeEach(async () => {
    store = await openOwnStore();
    acted = [];
  });
  afterEach(async () => {
    expect(stage.faults).to.deep.equal([]);
    await store.close();
  });

  const ends = async () =>
    (await stage.facts()).flatMap((one) => (one.type === 'BotRunEnded' ? [one.data.reason] : []));
  /** Unlinks the number when its owner is asked for the n-th time, before the answer. */
  const unlinkingAt = (nth: number) => (links: NumberLinks) => {
    let asked = 0;
    return {
      async linkOf(phoneNumberId: string) {
        asked += 1;
        if (asked === nth) await stage.unlink();
        return links.linkOf(phoneNumberId);
      },
    };
  };

  /** A run of a bot of this graph has begun with a message. */
  const begin = async (definition: typeof ASKS, around?: Parameters<BotStage['start']>[1]) => {
    stage = await openBotStage(store, definition, 'Mia');
    const instance = stage.start(act, around);
    await stage.take(instance, await stage.receive(said('hello')));
    return instance;
  };

  it('begin no run for a message that was written before', async () => {
    stage = await openBotStage(store, ASKS, 'Mia');
    const instance = stage.start(act);
    const message = await stage.receive(said('hello'));
    await stage.unlink();
    await stage.take(instance, message);
    await stage.link('acc_other');
    await stage.take(instance, message);
    expect(await stage.facts()).to.deep.equal([]);
  });

  it('do nothing that was begun when the number went in the middle of a turn', async () => {
    await begin(CALLS, unlinkingAt(2));
    expect(acted).to.deep.equal([]);
    expect(await ends()).to.deep.equal(['number_unlinked']);
  });

  it('do not wait when the number went while they asked', async () => {
    await begin(ASKS, unlinkingAt(3));
    expect(acted).to.deep.equal(['send']);
    expect(await ends()).to.deep.equal(['number_unlinked']);
    expect((await stage.state()).run).to.equal(null);
  });

  it('are over also when the number has come back meanwhile', async () => {
    const instance = await begin(ASKS);
    expect((await stage.state()).run?.phase.kind).to.equal('waiting');
    await stage.unlink();
    await stage.link();
    await stage.take(instance, await stage.receive(said('an answer')));
    expect(await ends()).to.deep.equal(['number_unlinked']);
    expect(acted).to.deep.equal(['send']);
  });

  it('are not woken', async () => {
    const instance = await begin(graph([node('d', 'delay', { seconds: 60 })]));
    await stage.unlink();
    stage.clock.advance(61_000);
    await instance.wake();
    await instance.runs.reactor.drain?.();
    expect(await ends()).to.deep.equal(['number_unlinked']);
  });

  describe('and the reactor that ends them', () => {
    const unlinked = (position: string) =>
      ({
        id: 'e',
        type: 'PhoneUnlinked',
        stream: 'phone-1',
        revision: 1,
        position,
        meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'r' },
        data: { phoneNumberId: '1', accountId: 'acc_1' },
      }) as unknown as KnownEvent;

    it('ends each once, however often the event comes', async () => {
      const instance = await begin(ASKS);
      const { runId } = (await stage.state()).run!;
      const { conversationId } = stage;
      const openRuns = async () => [{ runId, conversationId, order: '1' }];
      const reactor = createUnlinkedRuns({ writer: instance.writer, lookups: { openRuns } });
      // The name under which its checkpoint is kept.
      expect(reactor.name).to.equal('unlinked-runs');
      expect(Object.keys(reactor.on)).to.deep.equal(['PhoneUnlinked']);
      await Promise.all([react(reactor, unlinked('9')), react(reactor, unlinked('9'))]);
      await react(reactor, unlinked('9'));
      expect(await ends()).to.deep.equal(['number_unlinked']);
      const { meta } = (await stage.facts()).at(-1) as unknown as KnownEvent;
      expect(meta).to.include({ requestId: 'r', accountId: 'acc_1', cause: 'e' });
    });

    it('goes through all pages, up to the event and no further', async () => {
      stage = await openBotStage(store, ASKS, 'Mia');
      const instance = stage.start(act);
      const all = Array.from({ length: 200 }, (_, index) => ({
        runId: `run_${index}`,
        conversationId: `acc_1.1.${index}`,
        order: String(index).padStart(4, '0'),
      }));
      const asked: string[] = [];
      const openRuns = async (of: { after: string; upTo: string; limit: number }) => {
        asked.push(`${of.after}-${of.upTo}`);
        const found: OpenRun[] = all.filter(({ order }) => order > of.after && order <= of.upTo);
        return found.slice(0, of.limit);
      };
      const reactor = createUnlinkedRuns({ writer: instance.writer, lookups: { openRuns } });
      await react(reactor, unlinked('0149'));
      expect(asked).to.deep.equal(['-0149', '0063-0149', '0127-0149']);
    });
  });
});
