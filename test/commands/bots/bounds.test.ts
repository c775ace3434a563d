import { expect } from 'chai';
import { compileGraph, type StoredGraph } from '../../../src/commands/bots/graph.ts';
import { advance, type Input } from '../../../src/commands/bots/interpreter.ts';
import { turnFacts } from '../../../src/commands/bots/record.ts';
import type { Run } from '../../../src/commands/bots/run.ts';
import { NOW } from '../../support/samples.ts';
import { around, graph, hi, node, play } from './graphs.ts';
import { given, inbound, sent } from './runs.ts';

const message = around('message', { text: 'Hi' }, 'default');

describe('bots: bounds of a run', () => {
  it('leaves a hundred nodes for a message, and not one more', () => {
    const set = node('v', 'set_variable', { assignments: [{ name: 'x', value: '1' }] });
    const { turn } = given(graph([node('s', 'start'), set], 's -> v', 'v -> v'));
    expect(turn.steps).to.have.length(100);
    expect(turn.next).to.include({ kind: 'end', reason: 'bounds', detail: 'more than 100 steps' });
  });

  it('counts nodes across messages and delays, until the contact speaks again', () => {
    const round = graph(
      [
        node('s', 'start'),
        hi('m'),
        node('d', 'delay', { seconds: 1 }),
        node('q', 'question', { text: '?' }),
      ],
      's -> m',
      'm -> d',
      'd -> q',
      'q -> m',
    );
    const { turn, when } = given(round, sent);
    expect(turn.run.steps).to.equal(2);
    const due = when({ type: 'due' }, { now: NOW + 1000 })!;
    expect(due.run.steps).to.equal(3);
    const compiled = compileGraph(round);
    const world = { graph: compiled, now: NOW, recentMessages: 0 };
    const asked = advance(due.run, sent, world)!;
    expect(asked.run.steps).to.equal(3);
    const answered = advance(asked.run, { type: 'reply', inbound: inbound('x') }, world)!;
    expect(answered.run.steps).to.equal(1);
  });

  it('sends no more than twenty messages a minute', () => {
    const bounds = { kind: 'end', reason: 'bounds', detail: 'more than 20 messages in a minute' };
    expect(given(message).when(sent, { recentMessages: 19 })?.next).to.include({ kind: 'send' });
    expect(given(message).when(sent, { recentMessages: 20 })?.next).to.include(bounds);
    const strict = around('question', { text: '?', validation: { kind: 'number' } });
    const wrong: Input = { type: 'reply', inbound: inbound('x') };
    expect(given(strict, sent).when(wrong, { recentMessages: 20 })?.next).to.include(bounds);
  });

  it('keeps a bounded amount in variables', () => {
    const grow = { name: 'x', value: '{{vars.x}}{{vars.x}}ab' };
    const many = Array.from({ length: 51 }, (_, index) => ({ name: `v${index}`, value: '1' }));
    const sets = (assignments: object[]) => node('v', 'set_variable', { assignments });
    const doubled = given(graph([node('s', 'start'), sets([grow])], 's -> v', 'v -> v')).turn;
    expect(String(doubled.run.variables.x).length).to.equal(4096);
    const chain = graph(
      [
        node('s', 'start'),
        ...[0, 20, 40].map((at) => ({ ...sets(many.slice(at, at + 20)), id: `v${at}` })),
      ],
      's -> v0',
      'v0 -> v20',
      'v20 -> v40',
    );
    expect(given(chain).turn.next).to.include({
      reason: 'bounds',
      detail: 'more than 50 variables',
    });
    const large = many.slice(0, 9).map(({ name }) => ({ name, value: 'x'.repeat(4096) }));
    expect(given(graph([sets(large)])).turn.next).to.include({ reason: 'bounds' });
  });

  it('keeps what a turn did small enough for one append', () => {
    const id = (letter: string) => letter + '€'.repeat(199);
    const value = '€'.repeat(4000);
    const nodes = ['a', 'b'].map((letter) =>
      node(id(letter), 'set_variable', { assignments: [{ name: 'x', value }] }),
    );
    const edges = [
      { source: 'start', target: id('a') },
      { source: id('a'), target: id('b') },
      { source: id('b'), target: id('a') },
    ];
    const { turn } = given({ nodes: [node('start', 'start'), ...nodes], edges });
    expect(turn.steps.length).to.be.within(20, 40);
    const facts = turnFacts({ type: 'begin' }, turn, { accountId: 'acc_1', now: NOW });
    expect(Buffer.byteLength(JSON.stringify(facts))).to.be.below(1024 * 1024);
  });

  it('computes a bounded amount with long texts', () => {
    const rule = { variable: 'vars.x', op: 'contains', value: '{{vars.x}}z' };
    const nodes = [
      node('s', 'set_variable', { assignments: [{ name: 'x', value: 'e\u0301'.repeat(2000) }] }),
      node('c', 'condition', { match: 'any', rules: Array.from({ length: 20 }, () => rule) }),
    ];
    const { turn } = given(graph(nodes, 's -> c', 'c -> c'));
    expect(turn.next).to.include({ reason: 'bounds', detail: 'the bot computes too much' });
    expect(turn.steps.length).to.be.within(2, 20);
  });

  it('counts every node, its texts, and what a URL answers', () => {
    const costOf = (run: Run, input: Input, stored: StoredGraph) => {
      let cost = 0;
      const budget = { spend: (units: number) => (cost += units) };
      advance(run, input, { graph: compileGraph(stored), now: NOW, recentMessages: 0, budget });
      return cost;
    };
    const called = (change = {}) =>
      graph(
        [
          node('h', 'http_request', { url: 'https://a.example', saveAs: 'r' }),
          { ...hi('m'), ...change },
        ],
        'h -> m',
      );
    const { run } = given(called()).turn;
    const response = (body: string): Input => ({ type: 'response', status: 200, body });
    const base = costOf(run, response(''), called());
    expect(base).to.be.above(2 * 2000);
    expect(costOf(run, response(''), called({ note: 'x'.repeat(5000) }))).to.be.at.least(
      base + 5000,
    );
    expect(costOf(run, response(`[${' '.repeat(9000)}]`), called())).to.be.at.least(base + 9000);
  });

  it('computes a bounded amount in all turns of a simulation', () => {
    const stored = graph(
      [node('s', 'start'), node('q', 'question', { text: '?' }), hi('m')],
      's -> q',
      'q -> m',
      'm -> q',
    );
    const talk = (times: number) =>
      Array.from({ length: times }, () => [{ text: 'x' }, { wait: 60 }]).flat();
    expect(play(stored, talk(100))).to.include({ ended: false, reason: 'reply' });
    expect(play(stored, talk(2000))).to.include({ ended: true, reason: 'bounds' });
  });

  it('computes a bounded amount on patterns', () => {
    const rule = { variable: 'vars.x', op: 'matches', value: '(a|b)*a(a|b){50}[c-d]' };
    const rules = Array.from({ length: 20 }, () => rule);
    const nodes = [
      node('s', 'set_variable', { assignments: [{ name: 'x', value: 'ab'.repeat(1000) }] }),
      node('c', 'condition', { match: 'any', rules }),
    ];
    const { turn } = given(graph(nodes, 's -> c', 'c -> c'));
    expect(turn.next).to.include({ reason: 'bounds', detail: 'the bot computes too much' });
  });
});
