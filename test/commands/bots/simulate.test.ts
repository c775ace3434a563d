import { expect } from 'chai';
import { createBudget } from '../../../src/commands/bots/budget.ts';
import { simulate, simulateInTurns } from '../../../src/commands/bots/simulate.ts';
import {
  BotStep,
  SimulatedMessages,
  SimulatedResponses,
  Simulation as SimulationSchema,
} from '../../../src/commands/bots/simulation.ts';
import type { HeavyWork } from '../../../src/shared/heavy-work.ts';
import { NOW } from '../../support/samples.ts';
import { around, contact, graph, hi, node, play, said } from './graphs.ts';

const hello = { text: 'hello' };
const buttons = Object.entries({ o: 'Order', x: 'Bye' }).map(([id, title]) => ({ id, title }));

describe('bots: a simulation', () => {
  const shop = graph(
    [
      node('start', 'start'),
      node('menu', 'buttons', { text: 'Hi {{contact.name}}', buttons }),
      node('no', 'question', { text: 'Number?', saveAs: 'no' }),
      node('call', 'http_request', { url: 'https://a.example/{{vars.no}}', saveAs: 'order' }),
      node('tell', 'message', { text: 'It is {{vars.order.status}}.' }),
    ],
    'start -> menu',
    'menu -button:o-> no',
    'no -> call',
    'call -success-> tell',
  );

  const httpResponses = { call: { status: 200, body: { status: 'sent' } } };

  it('shows the talk, the path and the variables', () => {
    const messages = [hello, { buttonId: 'o' }, { text: '77' }, { text: 'thanks' }];
    const simulation = play(shop, messages, { httpResponses });
    const { transcript } = simulation;
    const talk = transcript.map((one) => [one.direction, one.type, one.text, one.nodeId]);
    expect(talk).to.deep.equal([
      ['inbound', 'text', 'hello', null],
      ['outbound', 'interactive', 'Hi Asha', 'menu'],
      ['inbound', 'interactive', 'Order', 'menu'],
      ['outbound', 'text', 'Number?', 'no'],
      ['inbound', 'text', '77', 'no'],
      ['outbound', 'text', 'It is sent.', 'tell'],
      ['inbound', 'text', 'thanks', null],
    ]);
    expect(simulation.path).to.deep.equal(['start', 'menu', 'no', 'call', 'tell']);
    expect(simulation.variables).to.deep.equal({ no: '77', order: { status: 'sent' } });
    expect(simulation).to.include({ ended: true, reason: 'completed', detail: null });
  });

  it('shows the title of what was tapped, and the id where nothing has it', () => {
    const texts = (messages: Parameters<typeof play>[1], of = shop) =>
      play(of, messages)
        .transcript.filter(({ direction }) => direction === 'inbound')
        .map(({ text }) => text);
    expect(texts([{ buttonId: 'o' }])).to.deep.equal(['o']);
    expect(texts([hello, { buttonId: 'none' }])).to.deep.equal(['hello', 'none']);
    expect(texts([hello, { buttonId: 'x' }])).to.deep.equal(['hello', 'Bye']);
    const sections = ['a', 'b'].map((id) => ({
      title: id,
      rows: [{ id, title: `${id}{{message.text}}` }],
    }));
    const list = graph([node('l', 'list', { text: '?', buttonLabel: 'x', sections })]);
    const [, cut] = texts([{ text: 'y'.repeat(99) }, { rowId: 'b' }], list);
    expect(cut).to.equal(`b${'y'.repeat(23)}`);
    const broken = graph([node('b', 'buttons')]);
    expect(texts([hello, { buttonId: 'o' }], broken)).to.deep.equal(['hello', 'o']);
  });

  it('lets time pass in whole milliseconds', () => {
    const { transcript } = play(graph([hi('m')]), [{ wait: 0.0016 }, { wait: 0.0014 }, hello]);
    expect(transcript[0]?.at).to.equal(new Date(NOW + 3).toISOString());
  });

  it('answers with what the contract describes, and no more', () => {
    const simulation = play(shop, [hello, { buttonId: 'o' }, { text: '77' }]);
    const whole = SimulationSchema.strict().parse(simulation);
    expect(whole).to.deep.equal(simulation);
    const { element } = SimulationSchema.shape.transcript;
    for (const entry of simulation.transcript)
      expect(element.strict().parse(entry)).to.deep.equal(entry);
    for (const step of simulation.steps) expect(BotStep.strict().parse(step)).to.deep.equal(step);
  });

  it('shows what the run waits for', () => {
    const simulation = play(shop, [hello]);
    expect(simulation).to.include({ ended: false, reason: 'reply' });
    expect(simulation.path).to.deep.equal(['start', 'menu']);
    const nothing = { ended: false, reason: null, path: [], transcript: [] };
    expect(play(shop, [])).to.deep.include(nothing);
  });

  it('says where it failed', () => {
    const broken = graph([node('s', 'start'), node('x', 'message')], 's -> x');
    const failed = { ended: true, reason: 'failed', path: ['s', 'x'] };
    expect(play(broken, [hello])).to.deep.include(failed);
  });

  it('keeps to the bound of messages in a minute, and lets the minute pass', () => {
    const nodes = Array.from({ length: 25 }, (_, index) => hi(`m${index}`));
    const chain = nodes.slice(1).map((_, index) => `m${index} -> m${index + 1}`);
    const simulation = play(graph(nodes, ...chain), [hello]);
    expect(said(simulation)).to.have.length(20);
    expect(simulation).to.include({ ended: true, reason: 'bounds' });
    const others = chain.filter((text) => !text.startsWith('m15 '));
    const pause = node('d', 'delay', { seconds: 60 });
    const pausing = graph([...nodes, pause], ...others, 'm15 -> d', 'd -> m16');
    expect(said(play(pausing, [hello, { wait: 60 }]))).to.have.length(25);
  });

  it('hears nothing while it sleeps', () => {
    const stored = around('delay', { seconds: 60 }, 'default');
    const simulation = play(stored, [hello, { text: 'still there?' }, { wait: 60 }]);
    expect(said(simulation)).to.deep.equal(['default']);
    expect(simulation.path).to.deep.equal(['start', 'it', 'after_default']);
  });

  it('refuses malformed messages', () => {
    const taps = [{ buttonId: '' }, { rowId: '' }];
    const others = [{}, { text: 7 }, { wait: -1 }, { wait: 1e9 }, null];
    for (const messages of ['x', ...[...taps, ...others].map((message) => [message])]) {
      const { success } = SimulatedMessages.safeParse(messages);
      expect(success, JSON.stringify(messages)).to.equal(false);
    }
    expect(SimulatedMessages.safeParse([hello, { wait: 0.5 }]).success).to.equal(true);
  });

  it('takes 100 messages, each of a bounded size, and answers with a status of three digits', () => {
    const takes = (...messages: unknown[]) => SimulatedMessages.safeParse(messages).success;
    const x = (length: number) => 'x'.repeat(length);
    expect(takes(...Array(100).fill(hello))).to.equal(true);
    expect(takes(...Array(101).fill(hello))).to.equal(false);
    expect([takes({ text: x(4096) }), takes({ text: x(4097) })]).to.deep.equal([true, false]);
    for (const key of ['buttonId', 'rowId']) {
      expect([takes({ [key]: 'x' }), takes({ [key]: x(256) })]).to.deep.equal([true, true]);
      expect(takes({ [key]: x(257) })).to.equal(false);
    }
    const week = 7 * 86_400;
    expect([takes({ wait: 0 }), takes({ wait: week })]).to.deep.equal([true, true]);
    expect(takes({ wait: week + 0.001 })).to.equal(false);
    const answers = (status: number) => SimulatedResponses.safeParse({ call: { status } }).success;
    expect([99, 100, 599, 600, 200.5].filter(answers)).to.deep.equal([100, 599]);
  });

  it('row 42: pauses before each turn of the run, and stops a turn where a live one would stop', async () => {
    const request = {
      graph: shop,
      contact,
      now: NOW,
      messages: [hello, { buttonId: 'o' }, { text: '77' }],
      httpResponses,
    };
    const playing = simulate(request);
    let pauses = 0;
    while (!playing.next().done) pauses += 1;
    // Begun, asked, tapped, asked again, answered, called, told.
    expect(pauses).to.equal(7);
    let pieces = 0;
    const inTurn: HeavyWork = async (holder, work) => {
      expect(holder).to.equal('account');
      pieces += 1;
      return work();
    };
    const played = await simulateInTurns(inTurn, 'account', request);
    expect(pieces).to.equal(8);
    expect(played.transcript.at(-1)!.text).to.equal('It is sent.');
    const turn = createBudget(5, createBudget(8));
    const tooMuch = 'the bot computes too much';
    turn.spend(5);
    expect(() => turn.spend(1)).to.throw(tooMuch);
    expect(() => createBudget(5, createBudget(3)).spend(4)).to.throw(tooMuch);
  });
});
