import { expect } from 'chai';
import { SimulatedMessages } from '../../../src/commands/bots/simulation.ts';
import { around, contact, graph, hi, node, play, said } from './graphs.ts';

const hello = { text: 'hello' };
const button = (id: string, title: string) => ({ id, title });

describe('bots: a simulation', () => {
  const shop = graph(
    [
      node('start', 'start'),
      node('menu', 'buttons', {
        text: 'Hi {{contact.name}}',
        buttons: [button('o', 'Order'), button('x', 'Bye')],
      }),
      node('no', 'question', { text: 'Number?', saveAs: 'no' }),
      node('call', 'http_request', { url: 'https://a.example/{{vars.no}}', saveAs: 'order' }),
      node('tell', 'message', { text: 'It is {{vars.order.status}}.' }),
    ],
    'start -> menu',
    'menu -button:o-> no',
    'no -> call',
    'call -success-> tell',
  );

  it('shows the talk, the path and the variables', () => {
    const messages = [hello, { buttonId: 'o' }, { text: '77' }, { text: 'thanks' }];
    const simulation = play(shop, messages, {
      httpResponses: { call: { status: 200, body: { status: 'sent' } } },
    });
    const talk = simulation.transcript.map(({ direction, type, text, nodeId }) => [
      direction,
      type,
      text,
      nodeId,
    ]);
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

  it('shows what the run waits for', () => {
    const simulation = play(shop, [hello]);
    expect(simulation).to.include({ ended: false, reason: 'reply' });
    expect(simulation.path).to.deep.equal(['start', 'menu']);
    expect(play(shop, [])).to.deep.include({
      ended: false,
      reason: null,
      path: [],
      transcript: [],
    });
  });

  it('says where it failed', () => {
    const broken = graph([node('s', 'start'), node('x', 'message')], 's -> x');
    expect(play(broken, [hello])).to.deep.include({
      ended: true,
      reason: 'failed',
      path: ['s', 'x'],
    });
  });

  it('keeps to the bound of messages in a minute, and lets the minute pass', () => {
    const nodes = Array.from({ length: 25 }, (_, index) => hi(`m${index}`));
    const chain = nodes.slice(1).map((_, index) => `m${index} -> m${index + 1}`);
    const simulation = play(graph(nodes, ...chain), [hello]);
    expect(said(simulation)).to.have.length(20);
    expect(simulation).to.include({ ended: true, reason: 'bounds' });
    const pausing = graph(
      [...nodes, node('d', 'delay', { seconds: 60 })],
      ...chain.filter((text) => !text.startsWith('m15 ')),
      'm15 -> d',
      'd -> m16',
    );
    expect(said(play(pausing, [hello, { wait: 60 }]))).to.have.length(25);
  });

  it('hears nothing while it sleeps', () => {
    const stored = around('delay', { seconds: 60 }, 'default');
    const simulation = play(stored, [hello, { text: 'still there?' }, { wait: 60 }]);
    expect(said(simulation)).to.deep.equal(['default']);
    expect(simulation.path).to.deep.equal(['start', 'it', 'after_default']);
  });

  it('takes a contact without a name', () => {
    const { transcript } = play(shop, [hello], { contact: { ...contact, name: null } });
    expect(transcript[1]?.text).to.equal('Hi ');
  });

  it('refuses malformed messages', () => {
    const taps = [[{ buttonId: '' }], [{ rowId: '' }]];
    const others = [[{}], [{ text: 7 }], [{ wait: -1 }], [{ wait: 1e9 }], 'x', [null]];
    for (const messages of [...taps, ...others]) {
      expect(SimulatedMessages.safeParse(messages).success, JSON.stringify(messages)).to.equal(
        false,
      );
    }
    expect(SimulatedMessages.safeParse([hello, { wait: 0.5 }]).success).to.equal(true);
  });
});
