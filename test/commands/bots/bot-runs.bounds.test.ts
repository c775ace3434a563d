import { expect } from 'chai';
import type { Act } from '../../../src/commands/bots/actions.ts';
import { createBotRuns } from '../../../src/commands/bots/bot-runs.ts';
import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import type { Writer } from '../../../src/commands/core/execute.ts';
import type { DueRun } from '../../../src/commands/core/lookups.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { openSqliteStore } from '../../../src/events/sqlite/store.ts';
import type { EventStore } from '../../../src/events/store.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { openBotStage } from '../../support/bot-stage.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { NOW } from '../../support/samples.ts';
import { memorySubjects } from '../../support/subjects.ts';
import { until } from '../../support/until.ts';
import { graph, hi, node } from './graphs.ts';

const DAY_MS = 86_400_000;
const said = (body: string) => ({ type: 'text', text: { body } });
const act: Act = async () => ({ type: 'sent', messageId: 'wamid.B' });

describe('bots and time', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: EventStore;
  beforeEach(async () => {
    folder = temporaryFolder();
    store = await openSqliteStore({ directory: folder.path });
  });
  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  const afterWait = async (waitMs: number, stored: StoredGraph = graph([hi('m')])) => {
    const stage = await openBotStage(store, stored, 'Mia');
    const instance = stage.start(act);
    const event = await stage.receive(said('hello'));
    stage.clock.advance(waitMs);
    await stage.take(instance, event);
    const { name, interest } = instance.runs.reactor;
    expect([name, [...interest.keys()]]).to.deep.equal([
      'bots',
      ['MessageReceived', 'PreferenceReceived', 'BotChanged'],
    ]);
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

  it('say that a timer made them act', async () => {
    const { stage, instance } = await afterWait(0, graph([node('d', 'delay', { seconds: 60 })]));
    stage.clock.advance(60_000);
    await instance.runs.wakeDue();
    await instance.runs.reactor.drain?.();
    const causes = ((await stage.facts()) as unknown as KnownEvent[]).map(({ meta }) => meta.cause);
    expect(causes.slice(0, -2)).not.to.include('bot-timer');
    expect(causes.at(-1)).to.equal('bot-timer');
  });
});

describe('a message that comes when the time of a question is over', () => {
  it('answers the question that follows then', async () => {
    const folder = temporaryFolder();
    const store = await openSqliteStore({ directory: folder.path });
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
    folder.remove();
  });
});

describe('runs that are due', () => {
  /** So many runs are due, each of a contact of its own, in accounts of so many. */
  const open = (
    count: number,
    { perAccount = 10_000, load = () => never as Promise<void> } = {},
  ) => {
    const clock = fixedClock();
    const questions: unknown[] = [];
    const loaded: string[] = [];
    const faults: unknown[] = [];
    let due = Array.from({ length: count }, (_, index): DueRun => {
      const accountId = `acc_${Math.floor(index / perAccount)}`;
      const thread = {
        accountId,
        phoneNumberId: '1',
        contactRef: `ref_${index}`,
        phase: 'waiting' as const,
      };
      return { ...thread, runId: `run_${index}`, conversationId: `${accountId}.1.9198${index}` };
    });
    const writer = {
      async load(_: unknown, id: string) {
        loaded.push(id);
        await load();
        return { state: conversationDecider.initial, revision: -1 };
      },
    } as unknown as Writer;
    const runs = createBotRuns({
      writer,
      subjects: memorySubjects,
      clock,
      ids: countedIds(),
      act,
      store: {} as never,
      repository: {} as never,
      links: {} as never,
      lookups: {
        bots: async () => [],
        async dueRuns({ limit, waitingUntil, actingSince }, { fresh }) {
          const since = (text: string) => clock.now() - Date.parse(text);
          questions.push([limit, since(waitingUntil), since(actingSince), fresh]);
          return due.slice(0, limit);
        },
      },
      mayAct: async () => true,
      onFault: (error) => faults.push(error),
      onBound: () => undefined,
      onLag: () => undefined,
    });
    const look = async () => {
      await runs.wakeDue();
      return (questions.at(-1) as [number])[0];
    };
    const none = () => {
      due = [];
    };
    return { look, runs, clock, questions, loaded, faults, none };
  };
  const never = new Promise<never>(() => undefined);

  it('are looked for with all that act until one look finds few enough, then those of 10 minutes', async () => {
    const { look, questions, none, loaded } = open(250);
    await look();
    // Of one account so many contacts are served at a time.
    expect(loaded).to.have.length(32);
    await look();
    none();
    await look();
    expect(questions).to.deep.equal([
      [200, 0, 0, true],
      [400, 0, 0, true],
      [450, 0, 600_000, false],
    ]);
  });

  it('are passed over while they are being woken, up to 5000', async () => {
    const { look } = open(6000, { perAccount: 10 });
    const limits: number[] = [];
    for (let one = 0; one < 27; one += 1) limits.push(await look());
    expect(limits.slice(0, 3)).to.deep.equal([200, 400, 600]);
    expect(limits.slice(23)).to.deep.equal([4800, 5000, 5000, 5000]);
  });

  it('are tried again after 2 s where their account has no room', async () => {
    const { look, clock } = open(3000);
    const limits: number[] = [];
    for (let one = 0; one < 7; one += 1) limits.push(await look());
    expect(limits).to.deep.equal([200, 400, 600, 800, 1000, 1200, 1400]);
    clock.advance(1999);
    expect(await look()).to.equal(1600);
    clock.advance(1);
    // Those of the first 1000, and those that had no room 1 ms ago.
    expect(await look()).to.equal(1400);
    clock.advance(2000);
    expect(await look()).to.equal(1200);
  });

  it('are woken again at once after they went well, and after a minute where they failed', async () => {
    const well = open(1, { load: async () => undefined });
    await well.look();
    await until('it is woken', () => well.loaded.length === 1);
    await new Promise(setImmediate);
    await well.look();
    await until('it is woken again', () => well.loaded.length === 2);

    const bad = open(1, { load: () => Promise.reject(new Error('broken')) });
    await bad.look();
    await until('the failure', () => bad.faults.length === 1);
    await new Promise(setImmediate);
    bad.clock.advance(59_999);
    await bad.look();
    await new Promise(setImmediate);
    expect(bad.loaded).to.have.length(1);
    bad.clock.advance(1);
    await bad.look();
    await until('it is woken again', () => bad.loaded.length === 2);
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
      data: {
        accountId,
        phoneNumberId: accountId,
        contactRef: 'ref_1',
        contactName: null,
        waId: '919812345678',
        userId: null,
        messageId: 'wamid.1',
        message: said('hi'),
        receivedAt: isoTime(NOW),
      },
    }) as unknown as KnownEvent;

  it('are chosen from eight times at most where the chosen one is gone', async () => {
    const asked: string[] = [];
    const runs = createBotRuns({
      act,
      clock: fixedClock(),
      ids: countedIds(),
      store: {} as never,
      subjects: memorySubjects,
      repository: {
        async current(_, botId) {
          asked.push(botId);
          return undefined;
        },
        graphAt: () => Promise.reject(new Error('there is none')),
      },
      writer: {
        load: async () => ({ state: conversationDecider.initial, revision: -1 }),
      } as never,
      links: { linkOf: async (accountId) => ({ accountId, link: 1, moved: false }) },
      lookups: {
        bots: async () => [
          {
            botId: 'bot_gone',
            trigger: 'ANY_MESSAGE',
            triggerKeywords: [],
            triggerMatchType: 'EXACT',
            phoneNumberId: null,
            isActive: true,
            createdAt: isoTime(0),
          },
        ],
        dueRuns: async () => [],
      },
      mayAct: async () => true,
      onFault: (error) => {
        throw error;
      },
      onLag: () => undefined,
      onBound: () => undefined,
    });
    await (await runs.reactor.handle(received('acc_1')))?.settled;
    expect(asked).to.deep.equal(Array(8).fill('bot_gone'));
  });

  it('are remembered for 1000 accounts, until one of them changes or cannot be read', async () => {
    const asked: string[] = [];
    let isAway = false;
    const runs = createBotRuns({
      act,
      clock: fixedClock(),
      ids: countedIds(),
      store: {} as never,
      subjects: memorySubjects,
      repository: {} as never,
      writer: {
        load: async () => ({ state: conversationDecider.initial, revision: -1 }),
      } as never,
      links: { linkOf: async (accountId) => ({ accountId, link: 1, moved: false }) },
      lookups: {
        async bots(accountId) {
          asked.push(accountId);
          if (isAway) throw new Error('away');
          return [];
        },
        dueRuns: async () => [],
      },
      mayAct: async () => true,
      onFault: () => undefined,
      onLag: () => undefined,
      onBound: () => undefined,
    });
    const take = async (accountId: string) =>
      (await runs.reactor.handle(received(accountId)))?.settled;
    for (let account = 0; account < 1000; account += 1) await take(`acc_${account}`);
    await take('acc_0');
    expect(asked).to.have.length(1000);
    await take('acc_1000');
    await take('acc_0');
    await take('acc_1');
    expect(asked.slice(1000)).to.deep.equal(['acc_1000', 'acc_1']);
    const changed = { type: 'BotChanged', data: { accountId: 'acc_0' } } as unknown as KnownEvent;
    await runs.reactor.handle(changed);
    isAway = true;
    const taking = take('acc_0');
    await until('it has failed', () => asked.length === 1003);
    isAway = false;
    await taking;
    expect(asked.slice(1002)).to.deep.equal(['acc_0', 'acc_0']);
  });
});
