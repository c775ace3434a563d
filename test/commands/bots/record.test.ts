import { expect } from 'chai';
import { endFact, startFact, turnFacts } from '../../../src/commands/bots/bot.ts';
import { compileGraph } from '../../../src/commands/bots/graph.ts';
import { advance, createRun } from '../../../src/commands/bots/interpreter.ts';
import { evolveBots, noBots, worldOf } from '../../../src/commands/bots/state.ts';
import { type BotRunFact, BotRunStepped, expandSteps } from '../../../src/events/conversation.ts';
import { NOW } from '../../support/samples.ts';
import { contact, graph, node } from './graphs.ts';
import { inbound, owner, sent, thread } from './runs.ts';

const at = { ...thread, now: NOW };
const first = inbound('hello', { revision: 7 });
const run = createRun({ runId: 'run_1', botId: 'bot_1' }, contact, first);
const started = startFact(run, first, owner, NOW);

const stored = graph(
  [
    node('v', 'set_variable', { assignments: [{ name: 'x', value: '{{message.text}}' }] }),
    node('q', 'question', { text: '?', validation: { kind: 'number' }, saveAs: 'n' }),
    node('h', 'handoff', { minutes: 5 }),
  ],
  'v -> q',
  'q -> h',
);
const world = worldOf(noBots, compileGraph(stored), NOW);
const ids = { runId: 'run_1', botId: 'bot_1' };
const ofRun = { ...ids, contactRef: 'ref_1' };
const begin = { type: 'begin' as const };
const begun = advance(run, begin, world)!;
const asked = advance(begun.run, sent, world)!;
/** The contact says this. */
const reply = (text: string) => ({
  type: 'reply' as const,
  inbound: inbound(text, { revision: 9 }),
});

describe('bots: the record of a run', () => {
  it('says node by node what was done', () => {
    const left = { nodeId: 'v', nodeType: 'set_variable', outcome: 'default', nextNodeId: 'q' };
    expect(turnFacts(begin, begun, at)).to.deep.equal([
      {
        type: 'BotActionStarted',
        data: {
          ...ofRun,
          nodeId: 'q',
          kind: 'send',
          attempts: 0,
          stepCount: 1,
          startedAt: '2026-11-21T12:00:00.000Z',
          steps: [{ ...left, variables: { x: 'hello' } }],
        },
      },
    ]);
    expect(turnFacts(sent, asked, at)).to.deep.equal([
      {
        type: 'BotRunWaiting',
        data: {
          ...ofRun,
          nodeId: 'q',
          kind: 'reply',
          until: '2026-11-21T12:30:00.000Z',
          attempts: 0,
          messageId: 'wamid.out',
          steps: null,
          stepCount: 0,
        },
      },
    ]);
    const answer = reply('42');
    expect(turnFacts(answer, advance(asked.run, answer, world)!, at)).to.deep.equal([
      {
        type: 'BotRunAnswered',
        data: {
          ...ofRun,
          messageId: 'wamid.1',
          messageRevision: 9,
          text: '42',
          waId: '919812345678',
          userId: null,
          takenAt: '2026-11-21T12:00:00.000Z',
        },
      },
      {
        type: 'BotRunEnded',
        data: {
          ...ofRun,
          stepCount: 2,
          accountId: 'acc_1',
          nodeId: 'h',
          reason: 'handoff',
          detail: null,
          steps: [
            { nodeId: 'q', nodeType: 'question', outcome: 'default', variables: { n: '42' } },
            { nodeId: 'h', nodeType: 'handoff' },
          ],
        },
      },
      { type: 'BotsSilenced', data: { ...thread, ...ids, until: '2026-11-21T12:05:00.000Z' } },
    ]);
  });

  it('keeps invalid answers in mind across a restart', () => {
    const wrong = reply('x');
    const retried = advance(asked.run, wrong, world)!;
    const facts = [
      started,
      ...turnFacts(begin, begun, at),
      ...turnFacts(sent, asked, at),
      ...turnFacts(wrong, retried, at),
    ];
    const before = facts.slice(0, -2).reduce(evolveBots, noBots);
    expect(before.run).to.include({ steps: 1 });
    const counted = { ...before, run: { ...before.run!, requests: 3 } };
    expect(evolveBots(counted, facts.at(-2)!).run).to.include({ steps: 0, requests: 0, text: 'x' });
    const state = facts.reduce(evolveBots, noBots);
    expect(state.run?.phase).to.deep.equal({ kind: 'sending', attempts: 1 });
    expect(state.takenRevision).to.equal(9);
    const resumed = advance(state.run!, { type: 'unknown' }, world);
    expect(resumed?.next).to.deep.include({ kind: 'wait', attempts: 1, messageId: null });
  });

  it('counts messages of a minute, across runs, and no more than it must', () => {
    const [action] = turnFacts(begin, begun, at);
    const many = Array.from({ length: 30 }, () => action!);
    const facts = [started, ...many, endFact(run, 'superseded', owner), started];
    const state = facts.reduce(evolveBots, noBots);
    expect(state.sentAt).to.have.length(20);
    const recentAt = (now: number) => worldOf(state, world.graph, now).recentMessages;
    expect(recentAt(NOW + 59_999)).to.equal(20);
    expect(recentAt(NOW + 60_000)).to.equal(0);
  });

  it("ends for reasons that are not the run's own", () => {
    const end = endFact(run, 'bot_deleted', owner);
    expect(end.data).to.deep.include({ reason: 'bot_deleted', accountId: 'acc_1', nodeId: null });
    expect([started, end].reduce(evolveBots, noBots)).to.deep.include({ run: null, owner: null });
  });

  const toldSteps = {
    nodeId: 'v',
    nodeType: 'set_variable',
    outcome: 'default',
    nextNodeId: 'q',
    messageId: null,
    httpStatus: null,
    detail: null,
    variables: { x: 'hello' },
  };

  it('gives the steps of an event back one by one', () => {
    const facts = turnFacts(begin, begun, at);
    const [step, action] = facts.flatMap<BotRunFact>(expandSteps);
    expect(step).to.deep.equal({ type: 'BotRunStepped', data: { ...ids, ...toldSteps } });
    expect(action).to.equal(facts[0]);
  });

  it('continues at the next node after a step that is an event of its own, as in old logs', () => {
    const step = BotRunStepped.of({ ...ids, ...toldSteps });
    const { run: folded } = [started, step].reduce(evolveBots, noBots);
    expect(folded).to.deep.include({ nodeId: 'q', phase: { kind: 'ready' }, steps: 1 });
    expect(folded?.variables).to.deep.equal({ x: 'hello' });
  });

  describe('its limits in bytes', () => {
    const limitAfter = (facts: readonly BotRunFact[], now = NOW) =>
      worldOf(facts.reduce(evolveBots, noBots), world.graph, now).record;
    const fat = (kilobytes: number): BotRunFact => {
      const variables = { x: 'x'.repeat(kilobytes * 1024) };
      const steps = [{ nodeId: 'v', nodeType: 'set_variable', outcome: 'default', variables }];
      return { ...endFact(run, 'completed', owner), data: { ...end.data, steps } } as BotRunFact;
    };
    const end = endFact(run, 'completed', owner);
    const again = (now: number) => startFact(run, first, owner, now);

    it('are 80 KB for each message', () => {
      const { bytes, detail } = limitAfter([started]);
      expect(bytes).to.equal(80 * 1024);
      expect(detail).to.equal('more than 80 KB to record for one message');
      expect(limitAfter([started, fat(30)]).bytes).to.be.within(49 * 1024, 50 * 1024);
      expect(limitAfter([started, fat(30), again(NOW)]).bytes).to.equal(80 * 1024);
    });

    it('count the data of each event and 400 bytes for what is around it', () => {
      const bytes = 400 + JSON.stringify(end.data).length;
      expect(limitAfter([started, end]).bytes).to.equal(80 * 1024 - bytes);
      expect(limitAfter([started, end, end]).bytes).to.equal(80 * 1024 - 2 * bytes);
      expect(limitAfter([]).bytes).to.equal(80 * 1024);
    });

    const ofEnd = { nodeId: 'q', reason: 'completed' as const, detail: null, silentUntil: null };
    const over = { run, steps: [], next: { kind: 'end' as const, ...ofEnd } };
    const replied = (now: number) => turnFacts(reply('x'), over, { ...thread, now })[0]!;
    const ofHour = 'more than 256 KB to record in an hour';

    it('begin anew with an answer, which is a message too', () => {
      expect(limitAfter([started, fat(30), replied(NOW)]).bytes).to.equal(80 * 1024);
    });

    it('of an hour begin anew with an answer or an action after it, and when it is over', () => {
      const full = [started, fat(70), again(NOW), fat(70), again(NOW), fat(70), again(NOW)];
      const [inHour, after] = [NOW + 3_599_999, NOW + 3_600_000];
      expect(limitAfter(full, inHour)).to.include({ detail: ofHour });
      expect(limitAfter(full, after).bytes).to.equal(80 * 1024);
      expect(limitAfter([...full, replied(inHour)], inHour).bytes).to.be.below(46 * 1024);
      expect(limitAfter([...full, replied(after)], after).bytes).to.equal(80 * 1024);
      const [action] = turnFacts(begin, begun, { ...thread, now: after });
      // The hour begins with the action; another answer comes in it.
      const left = limitAfter([...full, action!, fat(70), replied(after)], after);
      expect(left.bytes).to.equal(80 * 1024);
    });

    it('are those of the message where both are equal', () => {
      const kept = (facts: readonly BotRunFact[]) => facts.reduce(evolveBots, noBots).recorded;
      const before = [started, fat(60), again(NOW), fat(60)];
      const missing = 176 * 1024 - kept([...before, fat(0), again(NOW)]).inHour;
      const filled = (length: number) =>
        ({ ...fat(0), data: { ...fat(0).data, detail: 'x'.repeat(length) } }) as BotRunFact;
      const sizeOf = ({ data }: BotRunFact) => JSON.stringify(data).length;
      const filler = filled(missing - (sizeOf(filled(1)) - sizeOf(fat(0))) + 1);
      const facts = [...before, filler, again(NOW)];
      expect(kept(facts)).to.include({ forMessage: 0, inHour: 176 * 1024 });
      expect(limitAfter(facts)).to.deep.equal({ bytes: 80 * 1024, detail: ofHour });
    });

    it('are 256 KB in an hour, which begins with the first event after the last one', () => {
      const three = [started, fat(70), again(NOW), fat(70), again(NOW + 3_599_999), fat(70)];
      const left = limitAfter([...three, again(NOW + 3_599_999)], NOW + 3_599_999);
      expect(left).to.include({ detail: ofHour });
      expect(left.bytes).to.be.within(40 * 1024, 46 * 1024);
      expect(limitAfter(three, NOW + 3_600_000).bytes).to.be.below(10 * 1024 + 400);
      const next = limitAfter([...three, again(NOW + 3_600_000)], NOW + 3_600_000);
      expect(next.bytes).to.equal(80 * 1024);
    });

    it('count no text of the customer', () => {
      const many = (text: string): BotRunFact[] =>
        Array(100).fill({ ...started, data: { ...started.data, text } });
      expect(limitAfter(many('x'.repeat(8192)))).to.deep.equal(limitAfter(many('')));
      expect(limitAfter(many('')).bytes).to.equal(80 * 1024);
    });

    it('count nothing for a time that the log does not say, as in old logs', () => {
      const old = { ...started, data: { ...started.data, takenAt: null } } as BotRunFact;
      expect(limitAfter([old, fat(70), old, fat(70), old, fat(70), old]).bytes).to.equal(80 * 1024);
    });
  });

  it('passes over what belongs to another run', () => {
    const other = endFact({ ...run, runId: 'run_0' }, 'superseded', owner);
    expect([started, other].reduce(evolveBots, noBots).run).to.deep.equal(run);
  });

  it('counts no attempts of calls', () => {
    const calls = graph([node('h', 'http_request', { url: 'https://a.example' })]);
    const calling = { ...world, graph: compileGraph(calls) };
    const [fact] = turnFacts(begin, advance(run, begin, calling)!, at);
    expect(fact!.data).to.include({ kind: 'request', nodeId: 'h', attempts: 0 });
  });
});
