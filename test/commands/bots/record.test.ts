import { expect } from 'chai';
import { compileGraph } from '../../../src/commands/bots/graph.ts';
import { advance, createRun } from '../../../src/commands/bots/interpreter.ts';
import {
  endFact,
  evolveBots,
  noBots,
  recentMessages,
  startFact,
  turnFacts,
} from '../../../src/commands/bots/record.ts';
import { NOW } from '../../support/samples.ts';
import { contact, graph, node } from './graphs.ts';
import { inbound, sent } from './runs.ts';

const owner = { accountId: 'acc_1', phoneNumberId: '100000000000001', botRevision: 3, link: 1 };
const at = { accountId: 'acc_1', now: NOW };
const first = { ...inbound('hello'), revision: 7 };
const run = createRun({ runId: 'run_1', botId: 'bot_1' }, contact, first);
const started = startFact(run, first, owner);

const stored = graph(
  [
    node('v', 'set_variable', { assignments: [{ name: 'x', value: '{{message.text}}' }] }),
    node('q', 'question', { text: '?', validation: { kind: 'number' }, saveAs: 'n' }),
    node('h', 'handoff', { minutes: 5 }),
  ],
  'v -> q',
  'q -> h',
);
const world = { graph: compileGraph(stored), now: NOW, recentMessages: 0 };
const ids = { runId: 'run_1', botId: 'bot_1' };

describe('bots: the record of a run', () => {
  it('says node by node what was done', () => {
    const begun = advance(run, { type: 'begin' }, world)!;
    const noted = { messageId: null, httpStatus: null, detail: null };
    expect(turnFacts({ type: 'begin' }, begun, at)).to.deep.equal([
      {
        type: 'BotRunStepped',
        data: {
          ...ids,
          ...noted,
          nodeId: 'v',
          nodeType: 'set_variable',
          outcome: 'default',
          nextNodeId: 'q',
          variables: { x: 'hello' },
        },
      },
      {
        type: 'BotActionStarted',
        data: {
          ...ids,
          nodeId: 'q',
          kind: 'send',
          attempts: 0,
          startedAt: '2026-11-21T12:00:00.000Z',
        },
      },
    ]);
    const asked = advance(begun.run, sent, world)!;
    expect(turnFacts(sent, asked, at)).to.deep.equal([
      {
        type: 'BotRunWaiting',
        data: {
          ...ids,
          nodeId: 'q',
          kind: 'reply',
          until: '2026-11-21T12:30:00.000Z',
          attempts: 0,
          messageId: 'wamid.out',
        },
      },
    ]);
    const answer = { ...inbound('42'), revision: 9 };
    const reply = { type: 'reply' as const, inbound: answer };
    expect(turnFacts(reply, advance(asked.run, reply, world)!, at)).to.deep.equal([
      {
        type: 'BotRunAnswered',
        data: { ...ids, messageId: 'wamid.1', messageRevision: 9, text: '42' },
      },
      {
        type: 'BotRunStepped',
        data: {
          ...ids,
          ...noted,
          nodeId: 'q',
          nodeType: 'question',
          outcome: 'default',
          nextNodeId: 'h',
          variables: { n: '42' },
        },
      },
      {
        type: 'BotRunStepped',
        data: {
          ...ids,
          ...noted,
          nodeId: 'h',
          nodeType: 'handoff',
          outcome: null,
          nextNodeId: null,
          variables: {},
        },
      },
      {
        type: 'BotRunEnded',
        data: { ...ids, accountId: 'acc_1', nodeId: 'h', reason: 'handoff', detail: null },
      },
      { type: 'BotsSilenced', data: { ...ids, until: '2026-11-21T12:05:00.000Z' } },
    ]);
  });

  it('keeps invalid answers in mind across a restart', () => {
    const wrong = { type: 'reply' as const, inbound: { ...inbound('x'), revision: 9 } };
    const begun = advance(run, { type: 'begin' }, world)!;
    const asked = advance(begun.run, sent, world)!;
    const retried = advance(asked.run, wrong, world)!;
    const facts = [
      started,
      ...turnFacts({ type: 'begin' }, begun, at),
      ...turnFacts(sent, asked, at),
      ...turnFacts(wrong, retried, at),
    ];
    const state = facts.reduce(evolveBots, noBots);
    expect(state.run?.phase).to.deep.equal({ kind: 'sending', attempts: 1 });
    expect(state.takenRevision).to.equal(9);
    const resumed = advance(state.run!, { type: 'unknown' }, world);
    expect(resumed?.next).to.deep.include({ kind: 'wait', attempts: 1, messageId: null });
  });

  it('counts messages of a minute, across runs, and no more than it must', () => {
    const begun = advance(run, { type: 'begin' }, world)!;
    const [, action] = turnFacts({ type: 'begin' }, begun, at);
    const many = Array.from({ length: 30 }, () => action!);
    const state = [started, ...many, endFact(run, 'superseded', owner), started].reduce(
      evolveBots,
      noBots,
    );
    expect(state.sentAt).to.have.length(20);
    expect(recentMessages(state, NOW + 59_999)).to.equal(20);
    expect(recentMessages(state, NOW + 60_000)).to.equal(0);
  });

  it("ends for reasons that are not the run's own", () => {
    const end = endFact(run, 'bot_deleted', owner);
    expect(end.data).to.deep.include({ reason: 'bot_deleted', accountId: 'acc_1', nodeId: null });
    expect([started, end].reduce(evolveBots, noBots)).to.deep.include({ run: null, owner: null });
  });

  it('stands between two nodes at the one that comes next', () => {
    const begun = advance(run, { type: 'begin' }, world)!;
    const [step] = turnFacts({ type: 'begin' }, begun, at);
    const { run: folded } = [started, step!].reduce(evolveBots, noBots);
    expect(folded).to.deep.include({ nodeId: 'q', phase: { kind: 'ready' }, steps: 1 });
  });

  it('passes over what belongs to another run', () => {
    const other = endFact({ ...run, runId: 'run_0' }, 'superseded', owner);
    expect([started, other].reduce(evolveBots, noBots).run).to.deep.equal(run);
  });
});
