import { expect } from 'chai';
import type { SimulatedMessage } from '../../../src/commands/bots/simulation.ts';
import { around, outcomeOf, play, said } from './graphs.ts';

const hello = { text: 'hello' };
const button = (id: string, title: string) => ({ id, title });

describe('bots: how each node is left', () => {
  const buttons = around(
    'buttons',
    { text: 't', buttons: [button('y', 'Yes'), button('n', 'No')] },
    'button:y',
    'button:n',
    'other',
    'timeout',
  );
  const list = around(
    'list',
    {
      text: 't',
      buttonLabel: 'Pick',
      sections: [{ rows: [button('y', 'Yes'), button('n', 'No')] }],
    },
    'row:y',
    'row:n',
    'other',
    'timeout',
  );
  const question = around(
    'question',
    {
      text: 'Age?',
      saveAs: 'age',
      validation: { kind: 'number' },
      errorText: 'A number, {{contact.name}}',
      maxRetries: 2,
    },
    'default',
    'invalid',
    'timeout',
  );
  const playOn = (stored: Parameters<typeof play>[0], ...messages: readonly SimulatedMessage[]) =>
    play(stored, [hello, ...messages]);

  it('buttons', () => {
    expect(outcomeOf(playOn(buttons, { buttonId: 'n' }))).to.equal('button:n');
    expect(outcomeOf(playOn(buttons, { buttonId: 'x' }))).to.equal('other');
    expect(outcomeOf(playOn(buttons, { rowId: 'y' }))).to.equal('other');
    expect(outcomeOf(playOn(buttons, { text: 'what?' }))).to.equal('other');
    expect(outcomeOf(playOn(buttons, { wait: 1799 }))).to.equal(undefined);
    expect(outcomeOf(playOn(buttons, { wait: 1800 }))).to.equal('timeout');
    expect(outcomeOf(playOn(buttons, { wait: 1799 }, { wait: 1 }))).to.equal('timeout');
  });

  it('list', () => {
    expect(outcomeOf(playOn(list, { rowId: 'y' }))).to.equal('row:y');
    expect(outcomeOf(playOn(list, { rowId: 'n' }))).to.equal('row:n');
    expect(outcomeOf(playOn(list, { rowId: 'x' }))).to.equal('other');
    expect(outcomeOf(playOn(list, { buttonId: 'y' }))).to.equal('other');
    expect(outcomeOf(playOn(list, { text: 'Yes' }))).to.equal('other');
    expect(outcomeOf(playOn(list, { wait: 86_400 }))).to.equal('timeout');
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
    expect(outcomeOf(playOn(question, { text: 'x' }, { text: 'y' }, { text: '7' }))).to.equal(
      'default',
    );
    expect(outcomeOf(playOn(question, { text: 'x' }, { wait: 1800 }))).to.equal('timeout');
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
    const stored = around(
      'http_request',
      { url: 'https://a.example', saveAs: 'r' },
      'success',
      'error',
    );
    expect(outcomeOf(play(stored, [hello]))).to.equal('error');
    const httpResponses = { it: { status: 200, body: { id: [1, 'two'] } } };
    const simulation = play(stored, [hello], { httpResponses });
    expect(outcomeOf(simulation)).to.equal('success');
    expect(simulation.variables).to.deep.equal({ r: { id: [1, 'two'] } });
    expect(outcomeOf(play(stored, [hello], { httpResponses: { it: { status: 404 } } }))).to.equal(
      'error',
    );
    const text = { it: { status: 200, body: 'plain' } };
    expect(play(stored, [hello], { httpResponses: text }).variables).to.deep.equal({ r: 'plain' });
    const none = { it: { status: 200 } };
    expect(play(stored, [hello], { httpResponses: none }).variables).to.deep.equal({ r: '' });
  });

  it('handoff and end', () => {
    const handedOver = play(around('handoff', { minutes: 5 }), [hello]);
    expect(handedOver).to.include({ ended: true, reason: 'handoff', detail: null });
    expect(handedOver.path).to.deep.equal(['start', 'it']);
    expect(play(around('end', {}), [hello])).to.include({ ended: true, reason: 'completed' });
  });
});
