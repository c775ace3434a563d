import { expect } from 'chai';
import type { StoredGraph } from '../../../src/commands/bots/graph.ts';
import type {
  SimulatedMessage,
  SimulatedResponses,
} from '../../../src/commands/bots/simulation.ts';
import { around, outcomeOf, play, said } from './graphs.ts';

const hello = { text: 'hello' };

describe('bots: how each node is left', () => {
  const choices = Object.entries({ y: 'Yes', n: 'No' }).map(([id, title]) => ({ id, title }));
  const picks = { text: 't', buttons: choices };
  const buttons = around('buttons', picks, 'button:y', 'button:n', 'other', 'timeout');
  const rows = { text: 't', buttonLabel: 'Pick', sections: [{ rows: choices }] };
  const list = around('list', rows, 'row:y', 'row:n', 'other', 'timeout');
  const checks = { validation: { kind: 'number' }, errorText: 'A number, {{contact.name}}' };
  const asks = { text: 'Age?', saveAs: 'age', ...checks, maxRetries: 2 };
  const question = around('question', asks, 'default', 'invalid', 'timeout');
  const playOn = (stored: StoredGraph, ...messages: readonly SimulatedMessage[]) =>
    play(stored, [hello, ...messages]);
  const leave = (stored: StoredGraph, ...messages: readonly SimulatedMessage[]) =>
    outcomeOf(playOn(stored, ...messages));

  it('buttons', () => {
    expect(leave(buttons, { buttonId: 'n' })).to.equal('button:n');
    expect(leave(buttons, { buttonId: 'x' })).to.equal('other');
    expect(leave(buttons, { rowId: 'y' })).to.equal('other');
    expect(leave(buttons, { text: 'what?' })).to.equal('other');
    expect(leave(buttons, { wait: 1799 })).to.equal(undefined);
    expect(leave(buttons, { wait: 1800 })).to.equal('timeout');
    expect(leave(buttons, { wait: 1799 }, { wait: 1 })).to.equal('timeout');
  });

  it('list', () => {
    expect(leave(list, { rowId: 'y' })).to.equal('row:y');
    expect(leave(list, { rowId: 'n' })).to.equal('row:n');
    expect(leave(list, { rowId: 'x' })).to.equal('other');
    expect(leave(list, { buttonId: 'y' })).to.equal('other');
    expect(leave(list, { text: 'Yes' })).to.equal('other');
    expect(leave(list, { wait: 86_400 })).to.equal('timeout');
  });

  it('question: an answer is kept', () => {
    const simulation = playOn(question, { text: ' 42 ' });
    expect(outcomeOf(simulation)).to.equal('default');
    expect(simulation.variables).to.deep.equal({ age: '42' });
  });

  it('question: an invalid answer is met with the error text, the question is not repeated', () => {
    const simulation = playOn(question, { text: 'x' }, { text: 'y' }, { text: 'z' });
    expect(said(simulation)).to.deep.equal(['Age?', 'A number, Asha', 'A number, Asha', 'invalid']);
    expect(outcomeOf(simulation)).to.equal('invalid');
    expect(leave(question, { text: 'x' }, { text: 'y' }, { text: '7' })).to.equal('default');
    expect(leave(question, { text: 'x' }, { wait: 1800 })).to.equal('timeout');
  });

  it('question: a tap counts with its title', () => {
    const stored = around('question', { text: '?', saveAs: 'a' }, 'default');
    expect(playOn(stored, { buttonId: 'x' }).variables).to.deep.equal({ a: 'x' });
  });

  it('condition and switch', () => {
    const rules = [{ variable: 'message.text', op: 'equals', value: 'HELLO' }];
    const condition = around('condition', { rules }, 'true', 'false');
    expect(outcomeOf(play(condition, [hello]))).to.equal('true');
    expect(outcomeOf(play(condition, [{ text: 'bye' }]))).to.equal('false');
    const cases = [{ id: 'h', value: 'hello' }];
    const choose = around('switch', { variable: 'message.text', cases }, 'case:h', 'default');
    expect(outcomeOf(play(choose, [hello]))).to.equal('case:h');
    expect(outcomeOf(play(choose, [{ text: 'bye' }]))).to.equal('default');
  });

  it('set_variable, one assignment after the other', () => {
    const assignments = [
      { name: 'a', value: '{{message.text}}' },
      { name: 'b', value: '{{vars.a}}!' },
      { name: 'a', value: 5 },
    ];
    const { variables } = play(around('set_variable', { assignments }, 'default'), [hello]);
    expect(variables).to.deep.equal({ a: '5', b: 'hello!' });
  });

  it('business_hours', () => {
    const days = { sat: [['12:00', '12:01']] };
    const stored = around('business_hours', { timezone: 'UTC', days }, 'open', 'closed');
    expect(outcomeOf(play(stored, [hello]))).to.equal('open');
    expect(outcomeOf(play(stored, [{ wait: 60 }, hello]))).to.equal('closed');
  });

  it('http_request: an error, unless an answer is given', () => {
    const call = { url: 'https://a.example', saveAs: 'r' };
    const stored = around('http_request', call, 'success', 'error');
    const answered = (answer: SimulatedResponses[string]) =>
      play(stored, [hello], { httpResponses: { it: answer } });
    expect(outcomeOf(play(stored, [hello]))).to.equal('error');
    const simulation = answered({ status: 200, body: { id: [1, 'two'] } });
    expect(outcomeOf(simulation)).to.equal('success');
    expect(simulation.variables).to.deep.equal({ r: { id: [1, 'two'] } });
    expect(outcomeOf(answered({ status: 404 }))).to.equal('error');
    expect(answered({ status: 200, body: 'plain' }).variables).to.deep.equal({ r: 'plain' });
    expect(answered({ status: 200 }).variables).to.deep.equal({ r: '' });
  });

  it('handoff and end', () => {
    const handedOver = play(around('handoff', { minutes: 5 }), [hello]);
    expect(handedOver).to.include({ ended: true, reason: 'handoff', detail: null });
    expect(handedOver.path).to.deep.equal(['start', 'it']);
    expect(play(around('end', {}), [hello])).to.include({ ended: true, reason: 'completed' });
  });
});
