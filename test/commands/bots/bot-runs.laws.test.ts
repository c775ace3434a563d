import { expect } from 'chai';
import fc from 'fast-check';
import type { Act } from '../../../src/commands/bots/actions.ts';
import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import type {
  SimulatedMessage,
  SimulatedResponses,
  Simulation,
} from '../../../src/commands/bots/simulation.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { type BotStage, openBotStage, said } from '../../support/bot-stage.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { runs } from '../../support/runs.ts';
import { until, untilTrue } from '../../support/until.ts';
import { anyChain, anyGraph, anyMessage, anyResponses } from './arbitraries.ts';
import { contact, graph, hi, node, play } from './graphs.ts';

const TOO_MUCH = 'the bot computes too much';

type Played = Pick<Simulation, 'steps' | 'reason' | 'detail' | 'ended'> & { outbound: unknown[] };

const outboundOf = ({ transcript }: Simulation) =>
  transcript
    .filter(({ direction }) => direction === 'outbound')
    .map(({ text, nodeId, content, at }) => ({ text, nodeId, content, at }));

/** The provider's message for what a customer does in a simulation. */
const messageOf = (message: SimulatedMessage, title: string) => {
  if ('text' in message) return said(message.text);
  const type = 'buttonId' in message ? 'button_reply' : 'list_reply';
  const id = 'buttonId' in message ? message.buttonId : 'rowId' in message ? message.rowId : '';
  return { type: 'interactive', interactive: { type, [type]: { id, title } } };
};

/** Sends everything, and notes by which node. */
const noting =
  (sent: string[]): Act =>
  async (_run, _owner, next) => {
    sent.push(next.nodeId);
    return { type: 'sent', messageId: `wamid.${sent.length}` };
  };

/** Plays the same live: over the log, with a provider and URLs that answer as the simulated ones. */
const playLive = async (
  store: EventStore,
  stored: StoredGraph,
  messages: readonly SimulatedMessage[],
  how: { responses: SimulatedResponses; titles: (string | null)[]; restarts: boolean },
): Promise<Played> => {
  const stage = await openBotStage(store, stored, contact.name);
  const outbound: Record<string, unknown>[] = [];
  let entries = 0;
  const act: Act = async (_run, _owner, next) => {
    if (next.kind === 'send') {
      entries += 1;
      const { text, content } = next.message;
      const at = new Date(stage.clock.now()).toISOString();
      outbound.push({ text, nodeId: next.nodeId, content, at });
      return { type: 'sent', messageId: `simulated-${entries}` };
    }
    const given = Object.hasOwn(how.responses, next.nodeId) && how.responses[next.nodeId];
    if (!given) return { type: 'no_response', detail: 'no answer is given in this simulation' };
    const body = typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? '');
    return { type: 'response', status: given.status, body };
  };
  let instance = stage.start(act);
  const isQuiet = async () => {
    const { run } = await stage.state();
    return !run || ('until' in run.phase && run.phase.until > stage.clock.now());
  };
  const wait = async (seconds: number) => {
    const end = stage.clock.now() + Math.round(seconds * 1000);
    for (;;) {
      const { run } = await stage.state();
      if (!run || !('until' in run.phase) || run.phase.until > end) break;
      stage.clock.advance(run.phase.until - stage.clock.now());
      // An earlier look may still be under way, which began before that time.
      await untilTrue('the run to go on', async () => {
        await instance.wake();
        return isQuiet();
      });
    }
    stage.clock.advance(end - stage.clock.now());
  };
  for (const message of messages) {
    if (how.restarts) instance = stage.start(act);
    if ('wait' in message) {
      await wait(message.wait);
      continue;
    }
    entries += 1;
    await stage.take(instance, await stage.receive(messageOf(message, how.titles.shift() ?? '')));
  }
  expect(stage.faults).to.deep.equal([]);
  return { outbound, ...(await outcomeOf(stage)) };
};

const outcomeOf = async (stage: BotStage) => {
  const facts = await stage.facts();
  const steps = facts.flatMap((fact) => {
    if (fact.type !== 'BotRunStepped') return [];
    const { runId: _, botId: __, ...step } = fact.data;
    return [step];
  });
  const last = facts.findLast(({ type }) => type !== 'BotsSilenced');
  const ended = last?.type === 'BotRunEnded';
  const waits = last?.type === 'BotRunWaiting' ? last.data.kind : null;
  return {
    steps,
    ended,
    reason: ended ? last.data.reason : waits,
    detail: ended ? last.data.detail : null,
  };
};

describe('bots, live: laws @long', () => {
  let store: EventStore;
  before(async () => {
    store = await openOwnStore();
  });
  after(() => store.close());

  for (const [numRuns, tag] of runs(15, 60)) {
    it(`do what the simulation does, whatever restarts come between${tag}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(anyGraph, anyChain),
          fc.array(anyMessage, { minLength: 1, maxLength: 6 }),
          anyResponses,
          fc.boolean(),
          async (stored, messages, httpResponses, restarts) => {
            const simulated = play(stored, messages, { httpResponses });
            // A simulation may compute more in one turn than a live bot, and less in all of them.
            fc.pre(simulated.detail !== TOO_MUCH);
            const titles = simulated.transcript
              .filter(({ direction }) => direction === 'inbound')
              .map(({ text }) => text);
            const how = { responses: httpResponses, titles, restarts };
            const { outbound, ...live } = await playLive(store, stored, messages, how);
            fc.pre(live.detail !== TOO_MUCH);
            const { steps, reason, detail, ended } = simulated;
            expect(outbound).to.deep.equal(outboundOf(simulated));
            expect(live).to.deep.equal({ steps, reason, detail, ended });
          },
        ),
        { numRuns },
      );
    });
  }

  const two = graph([hi('a'), hi('b')], 'a -> b');

  it('begin one run where two instances see the same message', async () => {
    const stage = await openBotStage(store, two, null);
    const sent: string[] = [];
    const event = await stage.receive(said('hi'));
    const instances = Array.from({ length: 4 }, () => stage.start(noting(sent)));
    await Promise.all(instances.map((instance) => stage.take(instance, event)));
    expect(sent).to.deep.equal(['a', 'b']);
    const started = (await stage.facts()).filter(({ type }) => type === 'BotRunStarted');
    expect(started).to.have.lengthOf(1);
  });

  it('wake a run once where two instances see that its time has come', async () => {
    const sleeper = graph([node('d', 'delay', { seconds: 60 }), hi('a')], 'd -> a');
    const stage = await openBotStage(store, sleeper, null);
    const sent: string[] = [];
    const instances = Array.from({ length: 4 }, () => stage.start(noting(sent)));
    const event = await stage.receive(said('hi'));
    await stage.take(instances[0]!, event);
    stage.clock.advance(60_000);
    await Promise.all(instances.map(({ wake }) => wake()));
    await untilTrue('the run to end', async () => (await stage.state()).run === null);
    expect(sent).to.deep.equal(['a']);
  });

  it('send nothing again that a dead process was about to send', async () => {
    const stage = await openBotStage(store, two, null);
    const begun: string[] = [];
    const dying: Act = (_run, _owner, next) => {
      begun.push(next.nodeId);
      return new Promise(() => undefined);
    };
    const event = await stage.receive(said('hi'));
    void stage.take(stage.start(dying), event);
    await until('the first message is on its way', () => begun.length === 1);
    const sent: string[] = [];
    const next = stage.start(noting(sent));
    // The log brings the message again, and the first look finds the run that was left.
    await stage.take(next, event);
    await next.wake();
    await untilTrue('the run to end', async () => (await stage.state()).run === null);
    expect(begun).to.deep.equal(['a']);
    expect(sent).to.deep.equal(['b']);
    const [step] = (await outcomeOf(stage)).steps;
    expect(step).to.include({ nodeId: 'a', messageId: null });
    expect(step?.detail).to.match(/nobody knows/);
  });
});
