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

  it('ends when a message cannot be sent', () =>
    expect(given(message).when(notSent)?.next).to.deep.equal({
      kind: 'end',
      nodeId: 'it',
      reason: 'failed',
      detail: 'the window is closed',
      silentUntil: null,
    }));

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
    expect(given(template).when(unknown)!.steps[0]).to.include({
      detail: 'nobody knows whether it went out',
    });
  });

  it('tells a template that was sent from one that was not', () => {
    expect(outcome(given(template).when(sent))).to.equal('default');
    expect(outcome(given(template).when(notSent))).to.equal('failed');
    expect(outcome(given(template).when(unknown))).to.equal('failed');
  });

  it('waits half an hour for a reply, from when it asked', () => {
    const { when } = given(question);
    expect(when(sent, { now: NOW + 700 })?.next).to.deep.equal({
      kind: 'wait',
      nodeId: 'it',
      for: 'reply',
      until: NOW + 700 + 30 * 60_000,
      attempts: 0,
      messageId: 'wamid.out',
    });
  });

  it('takes a reply until the time is up, and from then on its passing', () => {
    const { turn, when } = given(around('buttons', buttons, 'button:y', 'other', 'timeout'), sent);
    const { until } = turn.next as { until: number };
    const reply: Input = { type: 'reply', inbound: inbound('hm') };
    expect(outcome(when(reply, { now: until - 1 }))).to.equal('other');
    expect(when({ type: 'due' }, { now: until - 1 })).to.equal(undefined);
    expect(when(reply, { now: until })).to.equal(undefined);
    expect(outcome(when({ type: 'due' }, { now: until }))).to.equal('timeout');
  });

  it('calls a URL, and tells success from failure', () => {
    const { turn, when } = given(call);
    expect(turn.next).to.deep.include({
      kind: 'request',
      request: {
        method: 'GET',
        url: 'https://a.example',
        headers: {},
        body: null,
        timeoutMs: 5000,
      },
    });
    const answered = (status: number, body: string) => when({ type: 'response', status, body });
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
    expect(stepAfter({ type: 'response', status: 404, body: '' })).to.deep.include({
      outcome: 'error',
      httpStatus: 404,
      detail: null,
    });
    expect(stepAfter({ type: 'response', status: 200, body: 'x'.repeat(16_385) })).to.deep.include({
      outcome: 'error',
      httpStatus: 200,
      detail: 'the answer is too long',
      variables: {},
    });
    expect(stepAfter({ type: 'no_response', detail: 'refused' })).to.deep.include({
      outcome: 'error',
      httpStatus: null,
      detail: 'refused',
    });
    expect(stepAfter(unknown)).to.include({ detail: 'nobody knows whether it went out' });
    const forgetful = around('http_request', { url: 'https://a.example' }, 'success');
    const after = given(forgetful).when({ type: 'response', status: 200, body: '7' })!;
    expect(after.run.variables).to.deep.equal({});
  });

  it('waits at a delay for as long as it says, and for no message', () => {
    const { turn, when } = given(around('delay', { seconds: 60 }, 'default'));
    expect(turn.next).to.deep.equal({
      kind: 'wait',
      nodeId: 'it',
      for: 'delay',
      until: NOW + 60_000,
      attempts: 0,
      messageId: null,
    });
    expect(when({ type: 'reply', inbound: inbound('x') })).to.equal(undefined);
    expect(outcome(when({ type: 'due' }, { now: NOW + 60_000 }))).to.equal('default');
  });

  it('accepts only the inputs of its phase', () => {
    const reply: Input = { type: 'reply', inbound: inbound('x') };
    const response: Input = { type: 'response', status: 200, body: '' };
    const later = { now: NOW + 86_400_000 };
    for (const input of [reply, response, { type: 'begin' }, { type: 'due' }] as Input[]) {
      expect(given(message).when(input, later), input.type).to.equal(undefined);
    }
    expect(given(call).when(sent)).to.equal(undefined);
    const ended = given(graph([node('e', 'end')]));
    for (const input of [reply, response, sent, unknown, { type: 'due' }] as Input[]) {
      expect(ended.when(input, later), input.type).to.equal(undefined);
    }
    expect(given(graph([])).when({ type: 'begin' })).to.equal(undefined);
  });

  it('gives the same turn for the same input', () => {
    const { turn, when } = given(question, sent);
    const before = structuredClone(turn);
    const reply: Input = { type: 'reply', inbound: inbound('x') };
    expect(when(reply)).to.deep.equal(when(reply));
    expect(turn).to.deep.equal(before);
  });
});

describe('bots: where a run ends', () => {
  const endOf = (stored: StoredGraph, ...inputs: readonly Input[]) =>
    given(stored, ...inputs).turn.next;

  it('ends at once where there is nothing to run', () => {
    expect(endOf(graph([]))).to.deep.include({ kind: 'end', reason: 'completed', nodeId: null });
  });

  it('does not guess where to begin', () => {
    expect(endOf(graph([hi('a'), hi('b')]))).to.deep.include({
      reason: 'failed',
      detail: 'the graph has several starts',
    });
    const round = graph([hi('a'), hi('b')], 'a -> b', 'b -> a');
    expect(endOf(round)).to.deep.include({ reason: 'failed', detail: 'the graph has no start' });
  });

  it('begins without a start node at the node without an edge to it', () =>
    expect(endOf(graph([hi('b'), hi('a')], 'a -> b'))).to.include({ kind: 'send', nodeId: 'a' }));

  it('fails at a node that is broken, missing or there twice', () => {
    const broken = graph([node('s', 'start'), node('x', 'message', { text: '' })], 's -> x');
    expect(endOf(broken)).to.include({ reason: 'failed', nodeId: 'x' });
    expect(endOf(broken))
      .to.have.property('detail')
      .that.matches(/data\.text/);
    expect(endOf(graph([node('s', 'start')], 's -> x'))).to.include({
      reason: 'failed',
      nodeId: 'x',
      detail: 'there is no such node',
    });
    expect(endOf(graph([node('s', 'start'), hi('x'), hi('x')], 's -> x'))).to.include({
      reason: 'failed',
      detail: 'several nodes have this id',
    });
  });

  it('says by which outcome it ended where no edge follows', () => {
    const pick = given(graph([node('b', 'buttons', buttons)]), sent);
    const after = pick.when({ type: 'reply', inbound: inbound('what?') });
    expect(after?.next).to.include({ reason: 'completed', detail: 'nothing follows other' });
    const said = given(graph([hi('m')])).when(sent);
    expect(said?.next).to.include({ reason: 'completed', detail: null });
  });

  it('ends with `timeout` without an edge for it', () => {
    const { when } = given(graph([node('q', 'question', { text: '?' })]), sent);
    expect(when({ type: 'due' }, { now: NOW + 30 * 60_000 })?.next).to.include({
      kind: 'end',
      reason: 'timeout',
    });
  });

  it('follows the default edge of an outcome without an edge', () => {
    const { when } = given(graph([node('b', 'buttons', buttons), hi('m')], 'b -> m'), sent);
    const after = when({ type: 'reply', inbound: inbound('what?') });
    expect(after?.steps[0]).to.include({ outcome: 'other', nextNodeId: 'm' });
  });

  it('silences bots at a handoff', () =>
    expect(endOf(graph([node('h', 'handoff', { minutes: 45 })]))).to.deep.equal({
      kind: 'end',
      nodeId: 'h',
      reason: 'handoff',
      detail: null,
      silentUntil: NOW + 45 * 60_000,
    }));
});
