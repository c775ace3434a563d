import { expect } from 'chai';
import fc from 'fast-check';
import { startFact, turnFacts } from '../../../src/commands/bots/bot.ts';
import { compileGraph } from '../../../src/commands/bots/graph.ts';
import { advance, createRun, type Input } from '../../../src/commands/bots/interpreter.ts';
import type { Next, Turn } from '../../../src/commands/bots/run.ts';
import { type BotsState, evolveBots, noBots, worldOf } from '../../../src/commands/bots/state.ts';
import { validateGraph } from '../../../src/commands/bots/validate.ts';
import { Content } from '../../../src/events/content.ts';
import { type BotRunFact, botRunEvents } from '../../../src/events/conversation.ts';
import { NOW } from '../../support/samples.ts';
import { simulateAtOnce } from '../../support/simulate.ts';
import { anyChain, anyGraph, anyMessage, anyResponses } from './arbitraries.ts';
import { contact } from './graphs.ts';
import { inbound, owner } from './runs.ts';

/** As the log gives it back: written as JSON, read through its schema. */
const reread = (fact: BotRunFact): BotRunFact => {
  const definition = botRunEvents.find(({ type }) => type === fact.type)!;
  const data = definition.decode(definition.version, JSON.parse(JSON.stringify(fact.data)));
  return { type: fact.type, data } as BotRunFact;
};

/** What may come of what a run asks for; which of it comes is drawn. */
const resultOf = (next: Next, draw: number, now: number): { input: Input; now: number } => {
  const pick = <T>(values: readonly T[]) => values[draw % values.length]!;
  switch (next.kind) {
    case 'send':
      return {
        input: pick<Input>([
          { type: 'sent', messageId: `wamid.${draw}` },
          { type: 'sent', messageId: 'wamid.x' },
          { type: 'not_sent', detail: 'no' },
          { type: 'unknown' },
        ]),
        now: now + draw,
      };
    case 'request':
      return {
        input: pick<Input>([
          { type: 'response', status: 200, body: '{"0":"x"}' },
          { type: 'response', status: 500, body: 'oops' },
          { type: 'no_response', detail: 'refused' },
          { type: 'unknown' },
        ]),
        now: now + draw,
      };
    case 'wait':
      return draw % 3 === 0
        ? { input: { type: 'due' }, now: next.until + draw }
        : { input: { type: 'reply', inbound: inbound('a', { revision: draw }) }, now: now + draw };
    default:
      throw new Error('nothing comes after the end');
  }
};

describe('bots: invariants @long', () => {
  const talk = [anyGraph, fc.array(anyMessage, { maxLength: 12 }), anyResponses] as const;
  const draws = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 1, maxLength: 60 });

  it('the events alone give the run again, whatever happens', () =>
    fc.assert(
      fc.property(anyGraph, draws, (stored, choices) => {
        const graph = compileGraph(stored);
        const run = createRun({ runId: 'run_1', botId: 'bot_1' }, contact, inbound('hello'));
        let now = NOW;
        let state: BotsState = noBots;
        let log: BotRunFact[] = [reread(startFact(run, inbound('hello'), owner, NOW))];
        state = log.reduce(evolveBots, noBots);
        const held = { ...owner, isErased: false, sealedUnder: null };
        expect(state).to.deep.include({ run, owner: held, takenRevision: 0 });
        let turn: Turn | undefined;
        let input: Input = { type: 'begin' };
        for (const draw of choices) {
          turn = advance(state.run!, input, worldOf(state, graph, now));
          if (!turn) break;
          log = [...log, ...turnFacts(input, turn, { ...owner, now }).map(reread)];
          state = log.reduce(evolveBots, noBots);
          if (turn.next.kind === 'end') {
            expect(state.run).to.equal(null);
            expect(state.silentUntil).to.equal(turn.next.silentUntil);
            break;
          }
          expect(state.run).to.deep.equal(turn.run);
          ({ input, now } = resultOf(turn.next, draw, now));
        }
      }),
      { numRuns: 150 },
    ));

  it('a hundred nodes for a message at most, and twenty messages in a minute', () =>
    fc.assert(
      fc.property(...talk, (graph, messages, httpResponses) => {
        // What has been left before a message was taken stays left, so lengths tell them apart.
        let before = 0;
        for (let taken = 1; taken <= messages.length; taken += 1) {
          const played = { graph, messages: messages.slice(0, taken), httpResponses };
          const { steps, transcript } = simulateAtOnce({ ...played, contact, now: NOW });
          expect(steps.length - before).to.be.at.most(100);
          before = steps.length;
          const times = transcript
            .filter(({ direction }) => direction === 'outbound')
            .map(({ at }) => Date.parse(at));
          for (const time of times) {
            const inMinute = times.filter((other) => other > time - 60_000 && other <= time);
            expect(inMinute.length).to.be.at.most(20);
          }
        }
      }),
      { numRuns: 150 },
    ));

  it('the same talk gives the same simulation, and nothing given to it is changed', () =>
    fc.assert(
      fc.property(...talk, (graph, messages, httpResponses) => {
        const request = { graph, messages, contact, httpResponses, now: NOW };
        const before = structuredClone(request);
        const first = simulateAtOnce(request);
        expect(simulateAtOnce(request)).to.deep.equal(first);
        expect(request).to.deep.equal(before);
        const { transcript, path, ended, reason } = first;
        const ids = graph.nodes.map(({ id }) => id);
        expect(path.every((nodeId) => ids.includes(nodeId) || reason === 'failed')).to.equal(true);
        if (!ended) expect(['reply', 'delay', null]).to.include(reason);
        for (const { direction, content } of transcript) {
          if (direction === 'outbound') expect(() => Content.parse(content)).not.to.throw();
        }
      }),
      { numRuns: 200 },
    ));

  it('a valid graph never fails for its own sake', () =>
    fc.assert(
      fc.property(anyChain, fc.array(anyMessage, { maxLength: 8 }), (graph, messages) => {
        fc.pre(validateGraph(graph.nodes, graph.edges).valid);
        const played = simulateAtOnce({ graph, messages, contact, httpResponses: {}, now: NOW });
        expect(played.reason, played.detail ?? '').not.to.equal('failed');
      }),
    ));

  it('nodes and edges of any kind at all are survived', () =>
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('id', 'type', 'data', 'x'), fc.jsonValue())),
        fc.array(
          fc.dictionary(fc.constantFrom('source', 'target', 'sourceHandle'), fc.jsonValue()),
        ),
        fc.array(anyMessage, { maxLength: 3 }),
        (nodes, edges, messages) => {
          const graph = { nodes, edges };
          simulateAtOnce({ graph, messages, contact, httpResponses: {}, now: NOW });
        },
      ),
    ));
});
