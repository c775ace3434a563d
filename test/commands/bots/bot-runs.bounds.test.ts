import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Act } from '../../../src/commands/bots/actions.ts';
import { createBotRuns } from '../../../src/commands/bots/bot-runs.ts';
import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import type { DueRun } from '../../../src/commands/bots/waking.ts';
import type { Writer } from '../../../src/commands/core/execute.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { openBotStage, said } from '../../support/bot-stage.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { react } from '../../support/react.ts';
import { botDefinition, inboundMessage, NOW } from '../../support/samples.ts';
import { memorySubjects } from '../../support/subjects.ts';
import { until, untilTrue } from '../../support/until.ts';
import { graph, hi, node } from './graphs.ts';

const DAY_MS = 86_400_000;
const act: Act = async () => ({ type: 'sent', messageId: 'wamid.B' });

type Deps = Parameters<typeof createBotRuns>[0];
/** Runs over a log that holds nothing. */
const runsOf = (lookups: Partial<Deps['lookups']>, change: Partial<Deps> = {}) =>
  createBotRuns({
    act,
    clock: fixedClock(),
    ids: countedIds(),
    store: {} as never,
    subjects: memorySubjects,
    repository: {} as never,
    writer: { load: async () => ({ state: conversationDecider.initial, revision: -1 }) } as never,
    links: { linkOf: async (accountId) => ({ accountId, link: 1, moved: false }) },
    lookups: { bots: async () => [], dueRuns: {} as never, ...lookups },
    mayAct: async () => true,
    onFault: () => undefined,
    onLag: () => undefined,
    onBound: () => undefined,
    onLookFailed: () => undefined,
    ...change,
  });

describe('bots and time', () => {
  let store: EventStore;
  beforeEach(async () => {
    store = await openOwnStore();
  });
  afterEach(() => store.close());

  const afterWait = async (waitMs: number, stored: StoredGraph = graph([hi('m')])) => {
    const stage = await openBotStage(store, stored, 'Mia');
    const instance = stage.start(act);
    const event = await stage.receive(said('hello'));
    stage.clock.advance(waitMs);
    await stage.take(instance, event);
    const { name, on } = instance.runs.reactor;
    const types = ['MessageReceived', 'PreferenceReceived', 'BotChanged', 'BotRunWaiting'];
    expect([name, Object.keys(on)]).to.deep.equal(['bots', types]);
    return { stage, instance };
  };

  it('answer a message for 24 hours', async () => {
    const inTime = await afterWait(DAY_MS - 1);
    expect((await inTime.stage.facts()).length).to.be.above(0);
    const late = await afterWait(DAY_MS);
    expect(await late.stage.facts()).to.deep.equal([]);
  });

  it('report no failure that another attempt cures', async () => {
    const stage = await openBotStage(store, graph([hi('m')]), 'Mia');
    let failures = 0;
    const instance = stage.start(act, (links) => ({
      async linkOf(phoneNumberId) {
        failures += 1;
        if (failures === 1) throw new Error('late');
        return links.linkOf(phoneNumberId);
      },
    }));
    await stage.take(instance, await stage.receive(said('hello')));
    expect((await stage.facts()).at(-1)).to.have.property('type', 'BotRunEnded');
    expect(stage.faults).to.deep.equal([]);
  });

  it('wake what they let wait, and say that a timer made them act', async () => {
    const { stage, instance } = await afterWait(0, graph([node('d', 'delay', { seconds: 60 })]));
    const [waits] = (await stage.facts()).filter(({ type }) => type === 'BotRunWaiting');
    await react(instance.runs.reactor, waits as unknown as KnownEvent);
    stage.clock.advance(60_000);
    instance.runs.tick();
    await untilTrue('the end', async () => (await stage.state()).run === null);
    const causes = ((await stage.facts()) as unknown as KnownEvent[]).map(({ meta }) => meta.cause);
    expect(causes.slice(0, -2)).not.to.include('bot-timer');
    expect(causes.at(-1)).to.equal('bot-timer');
  });
});

describe('a message that comes when the time of a question is over', () => {
  it('answers the question that follows then', async () => {
    const store = await openOwnStore();
    const asks = (id: string) => node(id, 'question', { text: `${id}?`, saveAs: id });
    const stored = graph([node('s', 'start'), asks('a'), asks('b')], 's -> a', 'a -timeout-> b');
    const stage = await openBotStage(store, stored, 'Mia');
    const instance = stage.start(act);
    await stage.take(instance, await stage.receive(said('hello')));
    stage.clock.advance(DAY_MS);
    await stage.take(instance, await stage.receive(said('late')));
    const steps = (await stage.facts()).flatMap((one) =>
      'steps' in one.data ? (one.data.steps ?? []) : [],
    );
    expect(steps.map(({ nodeId, outcome }) => [nodeId, outcome])).to.deep.equal([
      ['s', 'default'],
      ['a', 'timeout'],
      ['b', 'default'],
    ]);
    expect(steps.at(-1)!.variables).to.deep.equal({ b: 'late' });
    expect(stage.faults).to.deep.equal([]);
    await store.close();
  });
});

describe('runs that are due', () => {
  /** So many runs wait, each of a contact of its own, in accounts of so many. */
  const open = (
    count: number,
    {
      perAccount = 10_000,
      load = () => never as Promise<void>,
      phase = 'waiting' as DueRun['phase'],
      dueInMs = 0,
    } = {},
  ) => {
    const clock = fixedClock();
    const looks: string[] = [];
    const loaded: string[] = [];
    const faults: unknown[] = [];
    const dueAt = clock.now() + dueInMs;
    const rows = Array.from({ length: count }, (_, index): DueRun => {
      const accountId = `acc_${Math.floor(index / perAccount)}`;
      const place = { due: `due ${String(index).padStart(6, '0')}`, dueAt };
      const thread = { accountId, phoneNumberId: '1', contactRef: `ref_${index}`, phase };
      const conversationId = `${accountId}.1.9198${index}`;
      return { ...thread, ...place, runId: `run_${index}`, conversationId };
    });
    const accounts = [...new Set(rows.map(({ accountId }) => accountId))];
    const writer = {
      async load(_: unknown, id: string) {
        loaded.push(id);
        await load();
        return { state: conversationDecider.initial, revision: -1 };
      },
    } as unknown as Writer;
    const dueRuns: Deps['lookups']['dueRuns'] = {
      reachHead: async () => undefined,
      lanes: async ({ after }) => accounts.filter((one) => one > after),
      async waiting({ lane, after, limit }) {
        if (after === '') looks.push(lane);
        const found = rows.filter(({ accountId, due }) => accountId === lane && due > after);
        return found.slice(0, limit);
      },
    };
    const note = (error: unknown) => faults.push(error);
    const runs = runsOf({ dueRuns }, { writer, clock, onFault: note, onLookFailed: note });
    const tick = async (times = 1) => {
      for (let count = 0; count < times; count += 1) {
        runs.tick();
        await turn();
        await turn();
      }
    };
    /** This process gets the accounts. */
    const begin = () => runs.reactor.prepare?.(() => true);
    return { tick, begin, runs, clock, looks, loaded, faults };
  };
  const never = new Promise<never>(() => undefined);

  it('are looked for when the first of an account is due, and not before', async () => {
    const { tick, begin, clock, looks, loaded } = open(2, { dueInMs: 5_000 });
    await tick(20);
    expect(looks).to.deep.equal([]);
    await begin();
    await tick(20);
    expect(looks).to.deep.equal(['acc_0']);
    clock.advance(4_999);
    await tick(20);
    expect([looks.length, loaded.length]).to.deep.equal([1, 0]);
    clock.advance(1);
    await tick(20);
    expect([looks.length, loaded.length]).to.deep.equal([2, 2]);
  });

  it('wait in the log where their account has no room, and no other account waits for them', async () => {
    const { tick, begin, looks, loaded } = open(1_300, { perAccount: 1_200 });
    await begin();
    await tick(10);
    // Of one account so many contacts are served at a time.
    expect(loaded).to.have.length(64);
    expect(looks).to.deep.equal(['acc_0', 'acc_1']);
    await tick(2);
    expect(looks).to.deep.equal(['acc_0', 'acc_1', 'acc_0']);
  });

  it('are woken again a minute after they failed', async () => {
    const { tick, begin, clock, loaded, faults } = open(1, {
      load: () => Promise.reject(new Error('broken')),
    });
    await begin();
    await tick(3);
    expect([loaded.length, faults.length]).to.deep.equal([1, 1]);
    await begin();
    clock.advance(59_999);
    await tick(3);
    expect(loaded).to.have.length(1);
    clock.advance(1);
    await tick(3);
    expect(loaded).to.have.length(2);
  });

  it('include those that another process left during an action, and those of this one after 10 minutes', async () => {
    const acting = (dueInMs: number) =>
      open(1, { phase: 'acting', dueInMs, load: async () => undefined });
    const left = acting(0);
    await left.begin();
    await left.tick(3);
    expect(left.loaded).to.have.length(1);

    const own = acting(1);
    await own.begin();
    own.clock.advance(600_000);
    await own.tick(3);
    expect(own.loaded).to.have.length(0);
    own.clock.advance(1);
    await own.tick(3);
    expect(own.loaded).to.have.length(1);
  });
});

describe('the bots of an account', () => {
  const received = (accountId: string) =>
    ({
      id: 'e',
      type: 'MessageReceived',
      revision: 0,
      position: 'p',
      version: 1,
      stream: `conversation-${accountId}.${accountId}.919812345678`,
      meta: { at: isoTime(NOW), requestId: 'r' },
      data: inboundMessage({ accountId, phoneNumberId: accountId, message: said('hi') }),
    }) as unknown as KnownEvent;

  it('are chosen from eight times at most where the chosen one is gone', async () => {
    const asked: string[] = [];
    const gone = {
      ...botDefinition({ trigger: 'ANY_MESSAGE', triggerKeywords: [] }),
      botId: 'bot_gone',
      createdAt: isoTime(0),
    };
    const repository: Deps['repository'] = {
      async current(_, botId) {
        asked.push(botId);
        return undefined;
      },
      graphAt: () => Promise.reject(new Error('there is none')),
    };
    const onFault = (error: unknown) => {
      throw error;
    };
    const runs = runsOf({ bots: async () => [gone] }, { repository, onFault });
    await (await react(runs.reactor, received('acc_1')))?.settled;
    expect(asked).to.deep.equal(Array(8).fill('bot_gone'));
  });

  it('are remembered for 1000 accounts, until one of them changes or cannot be read', async () => {
    const asked: string[] = [];
    let isAway = false;
    const bots = async (accountId: string) => {
      asked.push(accountId);
      if (isAway) throw new Error('away');
      return [];
    };
    const runs = runsOf({ bots });
    const take = async (accountId: string) =>
      (await react(runs.reactor, received(accountId)))?.settled;
    for (let account = 0; account < 1000; account += 1) await take(`acc_${account}`);
    await take('acc_0');
    expect(asked).to.have.length(1000);
    await take('acc_1000');
    await take('acc_0');
    await take('acc_1');
    expect(asked.slice(1000)).to.deep.equal(['acc_1000', 'acc_1']);
    const changed = { type: 'BotChanged', data: { accountId: 'acc_0' } } as unknown as KnownEvent;
    await react(runs.reactor, changed);
    isAway = true;
    const taking = take('acc_0');
    await until('it has failed', () => asked.length === 1003);
    isAway = false;
    await taking;
    expect(asked.slice(1002)).to.deep.equal(['acc_0', 'acc_0']);
  });

  it('are asked however long the read models lag behind the message', async () => {
    const asked: string[] = [];
    const bots = async (accountId: string) => {
      asked.push(accountId);
      return [];
    };
    // As often as a message is tried after any other failure.
    let lags = 4;
    const mayAct = async () => {
      lags -= 1;
      if (lags >= 0) throw new StoreUnavailable('the newest events are not known');
      return true;
    };
    const faults: unknown[] = [];
    const runs = runsOf({ bots }, { mayAct, onFault: (error) => faults.push(error) });
    await (await react(runs.reactor, received('acc_1')))?.settled;
    expect([asked, faults]).to.deep.equal([['acc_1'], []]);
  });
});
