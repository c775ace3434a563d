import { expect } from 'chai';
import { compileGraph } from '../../../src/commands/bots/graph.ts';
import { advance, type Input } from '../../../src/commands/bots/interpreter.ts';
import { NOW } from '../../support/samples.ts';
import { around, graph, hi, node } from './graphs.ts';
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

  it('spends a bounded amount on patterns', () => {
    const rule = { variable: 'vars.x', op: 'matches', value: '(a|b)*a(a|b){50}[c-d]' };
    const rules = Array.from({ length: 20 }, () => rule);
    const nodes = [
      node('s', 'set_variable', { assignments: [{ name: 'x', value: 'ab'.repeat(1000) }] }),
      node('c', 'condition', { match: 'any', rules }),
    ];
    const { turn } = given(graph(nodes, 's -> c', 'c -> c'));
    expect(turn.next).to.include({ reason: 'bounds', detail: 'the patterns cost too much' });
  });
});
