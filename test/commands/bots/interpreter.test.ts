import { expect } from 'chai';
import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import type { Input } from '../../../src/commands/bots/interpreter.ts';
import type { Turn } from '../../../src/commands/bots/run.ts';
import { NOW } from '../../support/samples.ts';
import { around, graph, hi, node } from './graphs.ts';
import { given, inbound, sent } from './runs.ts';

const notSent: Input = { type: 'not_sent', detail: 'the window is closed' };
const unknown: Input = { type: 'unknown' };
const buttons = { text: 'Pick', buttons: [{ id: 'y', title: 'Yes' }] };
const message = around('message', { text: 'Hi' }, 'default');
const question = around('question', { text: '?' }, 'default', 'invalid', 'timeout');
const template = around('template', { name: 'hello' }, 'default', 'failed');
const call = around('http_request', { url: 'https://a.example', saveAs: 'r' }, 'success', 'error');

const reply: Input = { type: 'reply', inbound: inbound('x') };
const response = (status: number, body: string): Input => ({ type: 'response', status, body });

const outcome = (turn: Turn | undefined) =>
  turn?.steps.find(({ nodeId }) => nodeId === 'it')?.outcome;

describe('bots: the effects of a run', () => {
  it('asks to send, and goes on when it was sent', () => {
    const { turn, when } = given(message);
    expect(turn.steps.map(({ nodeId }) => nodeId)).to.deep.equal(['start']);
    expect(turn.next).to.deep.include({ kind: 'send', nodeId: 'it' });
    expect(turn.run.phase).to.deep.equal({ kind: 'sending', attempts: 0 });
    const after = when(sent);
    expect(after?.steps).to.have.length(1);
    expect(after?.steps[0]).to.deep.include({ outcome: 'default', messageId: 'wamid.out' });
    expect(after?.next).to.include({ kind: 'send', nodeId: 'after_default' });
  });

  it('ends when a message cannot be sent', () => {
    const end = { kind: 'end', nodeId: 'it', reason: 'failed', silentUntil: null };
    const { next } = given(message).when(notSent)!;
    expect(next).to.deep.equal({ ...end, detail: 'the window is closed' });
  });

  it('never sends twice what may have gone out', () => {
    const after = given(message).when(unknown);
    expect(outcome(after)).to.equal('default');
    expect(after?.next).to.include({ kind: 'send', nodeId: 'after_default' });
    expect(given(question).when(unknown)?.next).to.include({ kind: 'wait', messageId: null });
  });

  it('says why a message was not sent, in 300 characters', () => {
    const long: Input = { type: 'not_sent', detail: 'x'.repeat(301) };
    expect(given(message).when(long)?.next).to.include({ detail: 'x'.repeat(300) });
    const [step] = given(template).when(long)!.steps;
    expect(step).to.deep.include({ outcome: 'failed', messageId: null, detail: 'x'.repeat(300) });
    const [unknownStep] = given(template).when(unknown)!.steps;
    expect(unknownStep).to.include({ detail: 'nobody knows whether it went out' });
  });

  it('tells a template that was sent from one that was not', () => {
    expect(outcome(given(template).when(sent))).to.equal('default');
    expect(outcome(given(template).when(notSent))).to.equal('failed');
    expect(outcome(given(template).when(unknown))).to.equal('failed');
  });

  it('waits half an hour for a reply, from when it asked', () => {
    const { when } = given(question);
    const wait = { kind: 'wait', nodeId: 'it', for: 'reply', attempts: 0, messageId: 'wamid.out' };
    const asked = when(sent, { now: NOW + 700 });
    expect(asked?.next).to.deep.equal({ ...wait, until: NOW + 700 + 30 * 60_000 });
  });

  it('takes a reply until the time is up, and from then on its passing', () => {
    const { turn, when } = given(around('buttons', buttons, 'button:y', 'other', 'timeout'), sent);
    const { until } = turn.next as { until: number };
    expect(outcome(when(reply, { now: until - 1 }))).to.equal('other');
    expect(when({ type: 'due' }, { now: until - 1 })).to.equal(undefined);
    expect(when(reply, { now: until })).to.equal(undefined);
    expect(outcome(when({ type: 'due' }, { now: until }))).to.equal('timeout');
  });

  it('calls a URL, and tells success from failure', () => {
    const { turn, when } = given(call);
    const how = { method: 'GET', headers: {}, body: null, timeoutMs: 5000 };
    const request = { ...how, url: 'https://a.example' };
    expect(turn.next).to.deep.include({ kind: 'request', request });
    const answered = (status: number, body: string) => when(response(status, body));
    const statuses = [199, 200, 204, 299, 300, 302, 500];
    const leftBy = (wanted: string) =>
      statuses.filter((status) => outcome(answered(status, '')) === wanted);
    expect(leftBy('success')).to.deep.equal([200, 204, 299]);
    expect(leftBy('error')).to.deep.equal([199, 300, 302, 500]);
    expect(outcome(when({ type: 'no_response', detail: 'refused' }))).to.equal('error');
    expect(outcome(when(unknown))).to.equal('error');
    expect(answered(200, '{"a":[1]}')?.run.variables).to.deep.equal({ r: { a: [1] } });
    expect(answered(404, 'not there')?.run.variables).to.deep.equal({ r: 'not there' });
    expect(outcome(answered(200, 'x'.repeat(16_385)))).to.equal('error');
  });

  it('records what came of a call', () => {
    const stepAfter = (input: Input) => given(call).when(input)!.steps[0];
    const failed = (httpStatus: number | null, detail: string | null) => ({
      outcome: 'error',
      httpStatus,
      detail,
    });
    expect(stepAfter(response(404, ''))).to.deep.include(failed(404, null));
    const tooLong = { ...failed(200, 'the answer is too long'), variables: {} };
    expect(stepAfter(response(200, 'x'.repeat(16_385)))).to.deep.include(tooLong);
    const refused = stepAfter({ type: 'no_response', detail: 'refused' });
    expect(refused).to.deep.include(failed(null, 'refused'));
    expect(stepAfter(unknown)).to.include({ detail: 'nobody knows whether it went out' });
    const forgetful = around('http_request', { url: 'https://a.example' }, 'success');
    const after = given(forgetful).when(response(200, '7'))!;
    expect(after.run.variables).to.deep.equal({});
  });

  it('waits at a delay for as long as it says, and for no message', () => {
    const { turn, when } = given(around('delay', { seconds: 60 }, 'default'));
    const wait = { kind: 'wait', nodeId: 'it', for: 'delay', attempts: 0, messageId: null };
    expect(turn.next).to.deep.equal({ ...wait, until: NOW + 60_000 });
    expect(when(reply)).to.equal(undefined);
    expect(outcome(when({ type: 'due' }, { now: NOW + 60_000 }))).to.equal('default');
  });

  it('accepts only the inputs of its phase', () => {
    const found = response(200, '');
    const later = { now: NOW + 86_400_000 };
    for (const input of [reply, found, { type: 'begin' }, { type: 'due' }] as Input[]) {
      expect(given(message).when(input, later), input.type).to.equal(undefined);
    }
    expect(given(call).when(sent)).to.equal(undefined);
    const ended = given(graph([node('e', 'end')]));
    for (const input of [reply, found, sent, unknown, { type: 'due' }] as Input[]) {
      expect(ended.when(input, later), input.type).to.equal(undefined);
    }
    expect(given(graph([])).when({ type: 'begin' })).to.equal(undefined);
  });

  it('gives the same turn for the same input', () => {
    const { turn, when } = given(question, sent);
    const before = structuredClone(turn);
    expect(when(reply)).to.deep.equal(when(reply));
    expect(turn).to.deep.equal(before);
  });
});

describe('bots: where a run ends', () => {
  const endOf = (stored: StoredGraph, ...inputs: readonly Input[]) =>
    given(stored, ...inputs).turn.next;
  const start = node('s', 'start');
  const failed = (detail: string) => ({ reason: 'failed', detail });

  it('ends at once where there is nothing to run', () => {
    expect(endOf(graph([]))).to.deep.include({ kind: 'end', reason: 'completed', nodeId: null });
  });

  it('does not guess where to begin', () => {
    expect(endOf(graph([hi('a'), hi('b')]))).to.include(failed('the graph has several starts'));
    const round = graph([hi('a'), hi('b')], 'a -> b', 'b -> a');
    expect(endOf(round)).to.include(failed('the graph has no start'));
  });

  it('begins without a start node at the node without an edge to it', () =>
    expect(endOf(graph([hi('b'), hi('a')], 'a -> b'))).to.include({ kind: 'send', nodeId: 'a' }));

  it('fails at a node that is broken, missing or there twice', () => {
    const broken = endOf(graph([start, node('x', 'message', { text: '' })], 's -> x'));
    expect(broken).to.include({ reason: 'failed', nodeId: 'x' });
    expect((broken as { detail: string }).detail).to.match(/data\.text/);
    const missing = { ...failed('there is no such node'), nodeId: 'x' };
    expect(endOf(graph([start], 's -> x'))).to.include(missing);
    const twice = graph([start, hi('x'), hi('x')], 's -> x');
    expect(endOf(twice)).to.include(failed('several nodes have this id'));
  });

  it('says by which outcome it ended where no edge follows', () => {
    const pick = given(graph([node('b', 'buttons', buttons)]), sent);
    const after = pick.when(reply);
    expect(after?.next).to.include({ reason: 'completed', detail: 'nothing follows other' });
    const said = given(graph([hi('m')])).when(sent);
    expect(said?.next).to.include({ reason: 'completed', detail: null });
  });

  it('ends with `timeout` without an edge for it', () => {
    const { when } = given(graph([node('q', 'question', { text: '?' })]), sent);
    const after = when({ type: 'due' }, { now: NOW + 30 * 60_000 });
    expect(after?.next).to.include({ kind: 'end', reason: 'timeout' });
  });

  it('follows the default edge of an outcome without an edge', () => {
    const { when } = given(graph([node('b', 'buttons', buttons), hi('m')], 'b -> m'), sent);
    const after = when(reply);
    expect(after?.steps[0]).to.include({ outcome: 'other', nextNodeId: 'm' });
  });

  it('silences bots at a handoff', () => {
    const end = { kind: 'end', nodeId: 'h', reason: 'handoff', detail: null };
    const handoff = endOf(graph([node('h', 'handoff', { minutes: 45 })]));
    expect(handoff).to.deep.equal({ ...end, silentUntil: NOW + 45 * 60_000 });
  });
});
