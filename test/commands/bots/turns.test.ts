import { expect } from 'chai';
import type { Act } from '../../../src/commands/bots/actions.ts';
import type { Conversation } from '../../../src/commands/bots/conversation-log.ts';
import { compileGraph } from '../../../src/commands/bots/graph.ts';
import { type BotsState, evolveBots, noBots } from '../../../src/commands/bots/state.ts';
import { createTurns } from '../../../src/commands/bots/turns.ts';
import type { BotRunFact, FlowReply } from '../../../src/events/conversation.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { NOW } from '../../support/samples.ts';
import { graph, node } from './graphs.ts';
import { conversation, inbound, owner, runIn } from './runs.ts';

const held = { ...owner, isErased: false, sealedUnder: null };
const slept = runIn({ kind: 'delaying', until: 7 });
const sleeping = { ...slept, runId: 'run_old', botId: 'bot_old', nodeId: 'd' };
const waits = graph([node('d', 'delay', { seconds: 60 })]);

/** Turns over a conversation in this state, with a bot of these fields. */
const given = (
  bots: Partial<BotsState>,
  bot: object | null = { isActive: true },
  act: Act = async () => ({ type: 'unknown' }),
  { continuesIn = null as string | null, isCurrent = (): boolean => true } = {},
) => {
  const recorded: [number, readonly BotRunFact[]][] = [];
  const asked: [string, number][] = [];
  const ended: string[] = [];
  const turns = createTurns({
    clock: fixedClock(),
    ids: countedIds(),
    isCurrent,
    act,
    log: {
      retry: (work: () => Promise<unknown>) => work().catch(work),
      withKey: async () => conversation,
      load: async () => ({ bots: { ...noBots, ...bots }, botFacts: 5, continuesIn }),
      linkOf: async () => ({ accountId: 'acc_1', link: 1 }),
      endRun: async (_: Conversation, runId: string, reason: string) =>
        ended.push(`${runId}: ${reason}`),
      record: async (_: Conversation, basis: number, facts: readonly BotRunFact[]) => {
        recorded.push([basis, facts]);
        return true;
      },
    } as never,
    repository: {
      current: async () => bot && ({ accountId: 'acc_1', bot, revision: 9 } as never),
      async graphAt(_: string, botId: string, revision: number) {
        asked.push([botId, revision]);
        return compileGraph(waits);
      },
    } as never,
  });
  const start = (revision: number, supersedes: typeof sleeping | null, flow?: FlowReply) => {
    const received = inbound('hello', { revision, ...(flow && { flow }) });
    const message = { inbound: received, writtenAt: NOW };
    return turns.start(conversation, { botId: 'bot_new', link: 4 }, message, supersedes);
  };
  return { ...turns, start, recorded, asked, ended };
};
const told = (facts: readonly BotRunFact[]) =>
  facts.map(({ type, data }) => [type, data.runId?.replace(/^run_(?!old).*/, 'run_new')]);

describe('the first turn of a run', () => {
  const begins = [
    ['BotRunStarted', 'run_new'],
    ['BotRunWaiting', 'run_new'],
  ];

  const mustTakeNone = async ({ start, recorded }: ReturnType<typeof given>) => {
    expect(await start(7, null)).to.equal(undefined);
    expect(recorded).to.deep.equal([]);
  };

  it('is recorded with its start, by the graph of the bot as it is', async () => {
    const { start, recorded, asked } = given({ takenRevision: 6 });
    const begun = await start(7, null);
    expect(begun?.owner).to.deep.equal({ ...owner, botRevision: 9, link: 4 });
    expect(asked).to.deep.equal([['bot_new', 9]]);
    expect(recorded.map(([basis, facts]) => [basis, told(facts)])).to.deep.equal([[5, begins]]);
  });

  it('ends the run that sleeps, if that is still the one', async () => {
    const open = given({ run: sleeping, owner: held });
    await open.start(7, sleeping);
    const [[, facts]] = open.recorded as [(typeof open.recorded)[number]];
    expect(told(facts)).to.deep.equal([['BotRunEnded', 'run_old'], ...begins]);
    expect(facts[0]!.data).to.include({ reason: 'superseded', botId: 'bot_old', nodeId: 'd' });
    for (const run of [null, { ...sleeping, runId: 'run_other' }]) {
      const gone = given({ run, owner: held });
      await gone.start(7, sleeping);
      expect(told(gone.recorded[0]![1])).to.deep.equal(begins);
    }
    const none = given({ run: sleeping, owner: held });
    await none.start(7, null);
    expect(told(none.recorded[0]![1])).to.deep.equal(begins);
  });

  it('is not taken for a message that was taken, nor for a bot that is off or gone', async () => {
    await mustTakeNone(given({ takenRevision: 7 }));
    await mustTakeNone(given({ takenRevision: 8 }));
    await mustTakeNone(given({}, { isActive: false }));
    await mustTakeNone(given({}, null));
  });

  it('keeps the reply to a flow that it begins with', async () => {
    const { start, recorded } = given({});
    const flow = { name: 'flow', response: { size: '42' } };
    await start(7, null, flow);
    const { run } = recorded[0]![1].reduce(evolveBots, noBots);
    expect(run?.flow).to.deep.equal(flow);
  });

  it('is not taken once a person has taken over, or another conversation goes on', async () => {
    await mustTakeNone(given({ silentUntil: NOW + 1 }));
    const moved = { continuesIn: 'acc_1.10.ref_2' };
    await mustTakeNone(given({}, { isActive: true }, undefined, moved));
    const resumed = given({ silentUntil: NOW });
    expect(await resumed.start(7, null)).not.to.equal(undefined);
  });
});

describe('a run that waits', () => {
  it('goes on by the graph that it began with', async () => {
    const { give, asked } = given({ run: sleeping, owner: held });
    await give(conversation, 'run_old', { type: 'due' });
    expect(asked).to.deep.equal([['bot_old', 3]]);
  });

  it('does not take for its action what an earlier one came to, once others have gone on', async () => {
    const late = given({ run: sleeping, owner: held });
    const giveAt = (botFacts: number) =>
      late.give(conversation, 'run_old', { type: 'due' }, { botFacts });
    expect(await giveAt(4)).to.equal(undefined);
    expect(late.recorded).to.deep.equal([]);
    const own = await giveAt(5);
    const [[basis, facts]] = late.recorded as [(typeof late.recorded)[number]];
    expect([basis, own?.botFacts]).to.deep.equal([5, 5 + facts.length]);
  });

  it('ends where its bot is off, gone or without its number', async () => {
    const endOf = async (bot: object | null, change: object = {}) => {
      const { endIfStopped, ended } = given({}, bot);
      const isEnded = await endIfStopped(conversation, sleeping, { ...held, ...change });
      expect(ended).to.have.length(isEnded ? 1 : 0);
      return ended[0];
    };
    expect(await endOf({ isActive: true })).to.equal(undefined);
    expect(await endOf({ isActive: false })).to.equal('run_old: bot_inactive');
    expect(await endOf(null)).to.equal('run_old: bot_deleted');
    expect(await endOf({ isActive: true }, { link: 2 })).to.equal('run_old: number_unlinked');
    expect(await endOf({ isActive: true }, { isErased: true })).to.equal('run_old: erased');
  });
});

describe('a turn that sends', () => {
  const sends = { turn: { run: sleeping, next: { kind: 'send' } } as never, owner, botFacts: 5 };

  it('row 63: tries again what a store that is unavailable kept from beginning', async () => {
    let tries = 0;
    const { perform } = given({}, null, async () => {
      tries += 1;
      if (tries === 1) throw new StoreUnavailable('away');
      return { type: 'unknown' };
    });
    await perform(conversation, sends);
    expect(tries).to.equal(2);
  });

  it('row 60: sends nothing while another process may have the run', async () => {
    let looks = 0;
    let calls = 0;
    const isCurrent = () => {
      looks += 1;
      return looks > 1;
    };
    const act: Act = async () => {
      calls += 1;
      expect(looks).to.equal(2);
      return { type: 'unknown' };
    };
    const { perform } = given({}, null, act, { isCurrent });
    await perform(conversation, sends);
    expect(calls).to.equal(1);
  });
});
