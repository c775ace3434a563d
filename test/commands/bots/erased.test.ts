import { expect } from 'chai';
import type { Act } from '../../../src/commands/bots/actions.ts';
import { inboundOf } from '../../../src/commands/bots/bot-runs.ts';
import { evolveBots, noBots } from '../../../src/commands/bots/state.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import {
  BotActionStarted,
  BotRunAnswered,
  type BotRunFact,
} from '../../../src/events/conversation.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { type BotStage, openBotStage, said } from '../../support/bot-stage.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { botRunStarted, botRunWaiting } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';
import { graph, hi, node } from './graphs.ts';

const AT = '2026-11-21T12:00:00.000Z';
const DAY_MS = 24 * 60 * 60_000;

describe('bots and contacts who were erased', () => {
  let store: EventStore;
  let stage: BotStage;
  let sends: number;
  beforeEach(async () => {
    store = await openOwnStore();
    sends = 0;
  });
  afterEach(async () => {
    expect(stage.faults).to.deep.equal([]);
    await store.close();
  });

  const question = node('q', 'question', { text: 'Your name?', saveAs: 'name' });
  const asks = graph([node('s', 'start'), question], 's -> q');
  const act: Act = async () => {
    sends += 1;
    return { type: 'sent', messageId: `wamid.out${sends}` };
  };
  const open = async () => {
    stage = await openBotStage(store, asks, 'Mia');
    return stage.start(act);
  };
  const ends = async () =>
    (await stage.facts()).flatMap((fact) => (fact.type === 'BotRunEnded' ? [fact.data] : []));

  it('answer no message of theirs, and say nothing of it', async () => {
    const instance = await open();
    const event = await stage.receive(said('hello'));
    stage.erase();
    await stage.take(instance, event);
    expect(sends).to.equal(0);
    expect(await stage.facts()).to.deep.equal([]);
    const { data } = event as Extract<typeof event, { type: 'MessageReceived' }>;
    const erased = { ...event, data: { ...data, message: null, waId: null, text: null } };
    expect(inboundOf(event)).to.include({ text: 'hello' });
    expect(inboundOf(erased as typeof event)).to.equal(undefined);
  });

  it('end a run that waits, when its time comes, with the reason in clear and nothing else', async () => {
    const instance = await open();
    await stage.take(instance, await stage.receive(said('hello')));
    expect(sends).to.equal(1);
    stage.erase();
    stage.clock.advance(2 * DAY_MS);
    await instance.wake();
    await instance.runs.reactor.drain?.();
    const [end, ...others] = await ends();
    expect(end).to.include({ reason: 'erased', detail: null, steps: null, stepCount: 0 });
    expect(others).to.deep.equal([]);
    expect(sends).to.equal(1);
  });

  it('end a run before its next message, where the contact is erased in the middle of it', async () => {
    stage = await openBotStage(store, graph([hi('a'), hi('b')], 'a -> b'), 'Mia');
    const instance = stage.start((...what) => {
      stage.erase();
      return act(...what);
    });
    await stage.take(instance, await stage.receive(said('hello')));
    expect(sends).to.equal(1);
    expect((await ends()).map(({ reason }) => reason)).to.deep.equal(['erased']);
  });

  it('end a run whose beginning is older than the account keeps, and begin anew', async () => {
    await stage.take(await open(), await stage.receive(said('hello')));
    // Another instance, which folds the run from the log of today.
    const sparse: EventStore = {
      ...store,
      loadSnapshot: async () => undefined,
      async read(...what) {
        const events = await store.read(...what);
        return events.map(({ sealed, ...event }) =>
          event.type === 'BotRunStarted'
            ? { ...event, isErased: true }
            : { ...event, ...(sealed && { sealed }) },
        ) as typeof events;
      },
    };
    const later = stage.start(act, undefined, sparse);
    await stage.take(later, await stage.receive(said('Mia')));
    expect((await ends()).map(({ reason }) => reason)).to.deep.equal(['erased']);
    expect(sends).to.equal(1);
  });
});

describe('the state of a run', () => {
  const run = { runId: 'run_1', botId: 'bot_1', contactRef: 'ref_1' };
  const cause = { messageId: 'm1', messageRevision: 0, takenAt: AT };
  const ids = { waId: '919812345678', userId: null };
  const steps = [{ nodeId: 'a', nodeType: 'set_variable', variables: { name: 'Mia' } }];
  const flow = { name: 'flow', response: { street: 'Elm Street' } };
  const sealed = (fact: BotRunFact, month?: string): BotRunFact => ({
    ...fact,
    ...(month && { sealedMonth: month }),
  });
  const started = (month?: string) =>
    sealed(botRunStarted({ ...cause, ...ids, contactName: 'Mia', text: 'hello', flow }), month);
  const action = { nodeId: 'q', kind: 'send' as const, attempts: 0, startedAt: AT };
  const acted = (month?: string) =>
    sealed(BotActionStarted.of({ ...run, ...action, steps, stepCount: 1 }), month);
  const waits = botRunWaiting();
  const answer = BotRunAnswered.of({ ...run, ...cause, ...ids, text: 'yes', flow });
  const answered = sealed(answer, '2026-12');
  const erased = ({ data, type }: BotRunFact): BotRunFact =>
    ({
      type,
      isErased: true,
      sealedMonth: '2026-11',
      data: {
        ...data,
        steps: null,
        ...(type === 'BotRunStarted' && { waId: null, contactName: null, text: null, flow: null }),
      },
    }) as unknown as BotRunFact;
  const { snapshot } = conversationDecider;
  const { split, join, lasting } = snapshot!.personal!;
  const stateOf = (...facts: BotRunFact[]) => ({
    ...conversationDecider.initial,
    bots: facts.reduce(evolveBots, noBots),
  });

  it('names the oldest key of what it holds', () => {
    const under = (...facts: BotRunFact[]) => stateOf(...facts).bots.owner?.sealedUnder;
    expect(under(started())).to.equal(null);
    const keyOf = (month: string) => ({ ref: 'ref_1', month });
    const [october, november] = [started('2026-10'), acted('2026-11')];
    expect(under(october)).to.deep.equal(keyOf('2026-10'));
    expect(under(october, november, waits, answered)).to.deep.equal(keyOf('2026-10'));
    expect(under(started(), november)).to.deep.equal(keyOf('2026-11'));
    expect(under(erased(started()), answered)).to.deep.equal(keyOf('2026-12'));
  });

  it('has its personal part apart, and whole again', () => {
    const state = stateOf(started('2026-10'), acted('2026-11'), waits, answered);
    const parts = split(state)!;
    expect(JSON.stringify(parts.clear)).not.to.match(/Mia|919812345678|yes|hello|Elm/);
    expect(parts.under).to.deep.equal({ ref: 'ref_1', month: '2026-10' });
    expect(join(parts.clear, parts.hidden)).to.deep.equal(state);
    expect(split(conversationDecider.initial)).to.equal(null);
    expect(split(stateOf(erased(started('2026-11'))))).to.equal(null);
  });

  it('is the same in what lasts, with keys or without', () => {
    const facts = [started('2026-11'), acted('2026-11'), waits];
    const state = stateOf(...facts);
    const left = stateOf(...facts.map((fact) => (fact === waits ? fact : erased(fact))));
    expect(left.bots.run).to.include({ steps: 1, nodeId: 'q' });
    expect(left.bots.owner).to.include({ isErased: true, sealedUnder: null });
    expect(lasting(left)).to.deep.equal(lasting(state));
    expect(lasting(split(state)!.clear)).to.deep.equal(lasting(state));
    expect(JSON.stringify(lasting(state))).not.to.match(/Mia|Elm/);
  });

  it('ends by a fact that needs no key', () => {
    const { decide } = conversationDecider;
    const end = { type: 'EndRun' as const, runId: 'run_1', reason: 'erased' as const };
    const [fact] = decide(end, stateOf(erased(started('2026-11'))));
    expect(fact!.data).to.include({ reason: 'erased', detail: null, steps: null });
    spec(conversationDecider)().when(end).thenNothing();
  });
});
