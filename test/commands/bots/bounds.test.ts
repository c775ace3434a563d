import { expect } from 'chai';
import { turnFacts } from '../../../src/commands/bots/bot.ts';
import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import { advance, type Input } from '../../../src/commands/bots/interpreter.ts';
import type { Run } from '../../../src/commands/bots/run.ts';
import { NOW } from '../../support/samples.ts';
import { around, graph, hi, node, play } from './graphs.ts';
import { given, inbound, sent, thread, worldAt } from './runs.ts';

const message = around('message', { text: 'Hi' }, 'default');
const place = { ...thread, now: NOW };
const start = node('s', 'start');
const asks = node('q', 'question', { text: '?' });
const sets = (...assignments: object[]) => node('v', 'set_variable', { assignments });
const x = (length: number) => 'x'.repeat(length);
const reply: Input = { type: 'reply', inbound: inbound('x') };
/** A condition with twenty such rules, again and again, on a variable of this value. */
const compares = (value: string, rule: object) => {
  const rules = Array(20).fill({ variable: 'vars.x', ...rule });
  const condition = node('c', 'condition', { match: 'any', rules });
  return given(graph([sets({ name: 'x', value }), condition], 'v -> c', 'c -> c')).turn;
};
const tooMuch = { reason: 'bounds', detail: 'the bot computes too much' };

describe('bots: bounds of a run', () => {
  it('leaves a hundred nodes for a message, and not one more', () => {
    const set = sets({ name: 'x', value: '1' });
    const { turn } = given(graph([start, set], 's -> v', 'v -> v'));
    expect(turn.steps).to.have.length(100);
    expect(turn.next).to.include({ kind: 'end', reason: 'bounds', detail: 'more than 100 steps' });
  });

  it('counts nodes across messages and delays, until the contact speaks again', () => {
    const nodes = [start, hi('m'), node('d', 'delay', { seconds: 1 }), asks];
    const round = graph(nodes, 's -> m', 'm -> d', 'd -> q', 'q -> m');
    const { turn, when } = given(round, sent);
    expect(turn.run.steps).to.equal(2);
    const due = when({ type: 'due' }, { now: NOW + 1000 })!;
    expect(due.run.steps).to.equal(3);
    const world = worldAt(round);
    const asked = advance(due.run, sent, world)!;
    expect(asked.run.steps).to.equal(3);
    expect(advance(asked.run, reply, world)!.run.steps).to.equal(1);
  });

  it('sends no more than twenty messages a minute', () => {
    const bounds = { kind: 'end', reason: 'bounds', detail: 'more than 20 messages in a minute' };
    expect(given(message).when(sent, { recentMessages: 19 })?.next).to.include({ kind: 'send' });
    expect(given(message).when(sent, { recentMessages: 20 })?.next).to.include(bounds);
    const strict = around('question', { text: '?', validation: { kind: 'number' } });
    expect(given(strict, sent).when(reply, { recentMessages: 20 })?.next).to.include(bounds);
  });

  it('calls ten URLs for a message, and begins anew with the next', () => {
    const detail = 'more than 10 requests for one message';
    const refused: Input = { type: 'no_response', detail: 'refused' };
    const call = node('h', 'http_request', { url: 'https://a.example' });
    const calls = graph([start, call, asks], 's -> h', 'h -> h', 'h -success-> q', 'q -> h');
    const nine: Input[] = Array(9).fill(refused);
    const ten = given(calls, ...nine);
    expect(ten.turn).to.deep.include({ run: { ...ten.turn.run, requests: 10, steps: 10 } });
    expect(ten.when(refused)?.next).to.include({ kind: 'end', reason: 'bounds', detail });
    const found: Input = { type: 'response', status: 200, body: '' };
    const answered = given(calls, ...nine, found, sent, reply);
    expect(answered.turn.next).to.include({ kind: 'request' });
    expect(answered.turn.run.requests).to.equal(1);
    const played = play(calls, [{ text: 'hello' }]);
    expect(played).to.include({ ended: true, reason: 'bounds', detail });
    expect(played.steps).to.have.length(11);
  });

  it('stops when the record is full, and still records the node that it has left', () => {
    const detail = 'full';
    const begun = given(message);
    const left = (bytes: number) => begun.when(sent, { record: { bytes, detail } })!;
    expect(left(1000).next).to.include({ kind: 'send' });
    for (const bytes of [1, 0, -500]) {
      expect(left(bytes).next).to.include({ kind: 'end', reason: 'bounds', detail });
      expect(left(bytes).steps).to.have.length(1);
    }
    const fat = graph([hi('m'), sets({ name: 'x', value: x(4000) })], 'm -> v');
    const turnOf = (bytes: number) => given(fat).when(sent, { record: { bytes, detail } })!;
    expect(turnOf(5000)).to.deep.include({ run: { ...turnOf(5000).run, steps: 2 } });
    expect(turnOf(1000).steps).to.have.length(1);
    expect(turnOf(1000).next).to.include({ reason: 'bounds', detail, nodeId: 'v' });
  });

  it('goes on while anything is left of the record, and lets one step exceed it by 2 KB', () => {
    const begun = given(message);
    const turnOf = (bytes: number) => begun.when(sent, { record: { bytes, detail: 'full' } })!;
    const size = Buffer.byteLength(JSON.stringify(turnOf(1000).steps[0]));
    expect(turnOf(size + 1).next).to.include({ kind: 'send' });
    expect(turnOf(size).next).to.include({ kind: 'end', reason: 'bounds', detail: 'full' });
    expect(turnOf(size).steps).to.have.length(1);
    expect(turnOf(size - 2048).steps).to.have.length(1);
    expect(turnOf(size - 2049).steps).to.deep.equal([]);
    expect(turnOf(size - 2049).next).to.include({ reason: 'bounds', detail: 'full', nodeId: 'it' });
  });

  it('records no text of any length out of a graph', () => {
    const long = x(100_000);
    const unknown = { nodes: [start, hi('m')], edges: [{ source: 's', target: long }] };
    const data = { event: 'order_shipped', variables: { [long]: {} } };
    for (const stored of [unknown, graph([hi(long)]), graph([node('t', 'template', data)])]) {
      const { turn } = given(stored);
      const facts = turnFacts({ type: 'begin' }, turn, place);
      expect(turn.next).to.include({ kind: 'end', reason: 'failed' });
      expect(JSON.stringify(facts).length).to.be.below(1500);
    }
  });

  it('keeps a bounded amount in variables', () => {
    const grow = { name: 'x', value: '{{vars.x}}{{vars.x}}ab' };
    const many = Array.from({ length: 51 }, (_, index) => ({ name: `v${index}`, value: '1' }));
    const doubled = given(graph([start, sets(grow)], 's -> v', 'v -> v')).turn;
    expect(String(doubled.run.variables.x).length).to.equal(4096);
    const thrice = [0, 20, 40].map((at) => ({ ...sets(...many.slice(at, at + 20)), id: `v${at}` }));
    const chain = graph([start, ...thrice], 's -> v0', 'v0 -> v20', 'v20 -> v40');
    const tooMany = { reason: 'bounds', detail: 'more than 50 variables' };
    expect(given(chain).turn.next).to.include(tooMany);
    const large = many.slice(0, 9).map(({ name }) => ({ name, value: x(4096) }));
    expect(given(graph([sets(...large)])).turn.next).to.include({ reason: 'bounds' });
  });

  it('keeps the facts of a turn small enough for one append', () => {
    const id = (letter: string) => letter + '€'.repeat(199);
    const value = '€'.repeat(4000);
    const [a, b] = [id('a'), id('b')];
    const two = [a, b].map((one) => ({ ...sets({ name: 'x', value }), id: one }));
    const { turn } = given(graph([start, ...two], `s -> ${a}`, `${a} -> ${b}`, `${b} -> ${a}`));
    expect(turn.steps.length).to.be.within(5, 7);
    const facts = turnFacts({ type: 'begin' }, turn, place);
    expect(Buffer.byteLength(JSON.stringify(facts))).to.be.below(82 * 1024);
  });

  it('computes a bounded amount with long texts', () => {
    const turn = compares('e\u0301'.repeat(2000), { op: 'contains', value: '{{vars.x}}z' });
    expect(turn.next).to.include(tooMuch);
    expect(turn.steps.length).to.be.within(2, 20);
  });

  it('counts each node, its texts and the responses of URLs', () => {
    const costOf = (run: Run, input: Input, stored: StoredGraph) => {
      let cost = 0;
      const budget = { spend: (units: number) => (cost += units) };
      advance(run, input, { ...worldAt(stored), budget });
      return cost;
    };
    const call = node('h', 'http_request', { url: 'https://a.example', saveAs: 'r' });
    const called = (change = {}) => graph([call, { ...hi('m'), ...change }], 'h -> m');
    const { run } = given(called()).turn;
    const response = (body: string): Input => ({ type: 'response', status: 200, body });
    const base = costOf(run, response(''), called());
    expect(base).to.be.above(2 * 2000);
    const first = { ...run, nodeId: null, phase: { kind: 'ready' as const } };
    const single = graph([hi('m')]);
    const visit = 2000 + JSON.stringify(hi('m')).length;
    expect(costOf(first, { type: 'begin' }, single)).to.equal(visit);
    const noted = called({ note: x(5000) });
    expect(costOf(run, response(''), noted)).to.be.at.least(base + 5000);
    expect(costOf(run, response(`[${' '.repeat(9000)}]`), called())).to.be.at.least(base + 9000);
  });

  it('computes a bounded amount in all turns of a simulation', () => {
    const stored = graph([start, asks, hi('m')], 's -> q', 'q -> m', 'm -> q');
    const talk = (times: number) =>
      Array.from({ length: times }, () => [{ text: 'x' }, { wait: 60 }]).flat();
    expect(play(stored, talk(100))).to.include({ ended: false, reason: 'reply' });
    const played = play(stored, talk(2000));
    expect(played).to.include({ ended: true, reason: 'bounds' });
    // A start is visited once, a message also when it was sent, a question also when it is answered.
    const visits: Record<string, number> = { start: 1, message: 2, question: 3 };
    const sizes = new Map(stored.nodes.map((one) => [one.id, JSON.stringify(one).length]));
    const spent = played.steps.reduce(
      (sum, step) =>
        sum +
        visits[step.nodeType]! * (2000 + sizes.get(step.nodeId)!) +
        JSON.stringify(step).length,
      0,
    );
    expect(spent).to.be.within(4_990_000, 5_000_000);
  });

  it('computes a bounded amount on patterns', () => {
    const turn = compares('ab'.repeat(1000), { op: 'matches', value: '(a|b)*a(a|b){50}[c-d]' });
    expect(turn.next).to.include(tooMuch);
  });
});
