import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type Callee, startCallee } from '../../support/callee.ts';
import { openWorld, type World } from '../../support/faults/world.ts';
import { useRealConnections } from '../../support/network.ts';
import { customerWrites, messagesPayload } from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import type { Json, Tenant } from '../../support/waybill.ts';
import { edge, node } from './graphs.ts';

const FROM = '919812345678';
/** More than an account's messages that wait in memory. */
const MESSAGES = 1100;

describe('bots, live @long', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  let callee: Callee;
  before(async () => {
    callee = await startCallee();
    world = await openWorld({ forwardAllow: ['127.0.0.1'] });
  });
  after(async () => {
    await world.close();
    await callee.close();
  });
  beforeEach(async () => {
    tenant = await world.tenant();
  });

  const call = async (method: string, path: string, body?: Json, of = tenant): Promise<Json> => {
    const how = { token: of.apiKey, ...(body !== undefined && { body }) };
    const answer = await world.waybill.call(method, `/v1${path}`, how);
    expect(answer.status, JSON.stringify(answer.body)).to.be.below(300);
    return answer.body;
  };
  const bot = (nodes: Json[], edges: string[] = [], change: Json = {}, of = tenant) => {
    // Nothing that was written before is for this bot.
    world.waybill.clock.advance(1);
    const graph = { nodes, edges: edges.map(edge) };
    const whole = { name: 'Helper', trigger: 'ANY_MESSAGE', ...graph, ...change };
    return call('POST', '/bots', whole, of);
  };
  const write = (body: string, change: Json = {}) =>
    customerWrites(world.waybill, tenant, { body, ...change });
  /** So many contacts write, each once. */
  const writeEach = async (of: Tenant, first: number, count: number) => {
    const messages = Array.from({ length: count }, (_, index) => ({
      id: `wamid.${of.phoneNumberId}.${first + index}`,
      from: `9198${String(first + index).padStart(8, '0')}`,
      timestamp: String(Math.floor(world.waybill.clock.now() / 1000)),
      type: 'text',
      text: { body: 'hello' },
    }));
    const { status } = await world.waybill.webhook(messagesPayload(of, { messages }));
    expect(status).to.equal(200);
  };
  const reply = (type: string, what: Json) => {
    const interactive = { type, [type]: what };
    return write('', { rest: { type: 'interactive', text: undefined, interactive } });
  };
  /** What went out, in order. */
  const sent = (): Json[] => world.sendsOf(tenant).map(({ body }) => body as Json);
  const said = () => sent().map(({ text, interactive }) => text?.body ?? interactive?.body.text);
  const says = (...texts: string[]) =>
    until(`the bot says ${texts} (${said()})`, () => said().length >= texts.length).then(() =>
      expect(said()).to.deep.equal(texts),
    );
  const runsOf = async ({ id }: Json): Promise<Json[]> =>
    (await call('GET', `/bots/${id}/runs`)).runs;
  const over = async (of: Json): Promise<Json> => {
    let run: Json;
    await untilTrue('the run to end', async () => {
      [run] = await runsOf(of);
      return run?.state === 'ended';
    });
    return call('GET', `/bots/${of.id}/runs/${run.id}`);
  };
  const waits = (of: Json) =>
    untilTrue('the run to wait', async () => (await runsOf(of))[0]?.state === 'waiting');

  it('talks with a customer, free of charge, and shows it in the history', async () => {
    const made = await bot(
      [
        node('start', 'start'),
        node('ask', 'question', { text: 'Your order?', saveAs: 'order' }),
        node('pick', 'buttons', { text: 'Sure?', buttons: [{ id: 'yes', title: 'Yes' }] }),
        node('bye', 'message', { text: 'Thanks {{contact.name}}: {{vars.order}}' }),
      ],
      ['start -> ask', 'ask -> pick', 'pick -button:yes-> bye'],
    );
    await write('hello');
    await says('Your order?');
    await write('A-77');
    await says('Your order?', 'Sure?');
    await reply('button_reply', { id: 'yes', title: 'yes' });
    await says('Your order?', 'Sure?', 'Thanks Mia: A-77');
    const run = await over(made);
    expect(run).to.deep.include({
      contact: { waId: FROM, userId: null, name: 'Mia' },
      path: ['start', 'ask', 'pick', 'bye'],
      variables: { order: 'A-77' },
      reason: 'completed',
      state: 'ended',
      truncated: false,
    });
    const outcomes = run.steps.map(({ outcome }: Json) => outcome);
    expect(outcomes).to.deep.equal(['default', 'default', 'button:yes', 'default']);
    for (const { messageId } of run.steps.slice(1)) expect(messageId).to.be.a('string');
    const full = await call('GET', `/bots/${made.id}`);
    expect(full.totalExecutions).to.equal(1);
    expect(full.lastExecutedAt).to.equal(run.startedAt);
    const { messages } = await call('GET', '/messages?direction=outbound');
    const billed = messages.map(({ source, category, price }: Json) => [source, category, price]);
    expect(billed).to.deep.equal(Array(3).fill(['bot', 'SERVICE', '0.0000']));
    const { balance, transactions } = await call('GET', '/credits');
    expect(balance).to.equal(1000);
    expect(transactions).to.have.lengthOf(1);
  });

  it('knows what a customer filled in, in a flow, and so does the history', async () => {
    const made = await bot(
      [
        node('ask', 'question', { text: 'Fill it in', saveAs: 'reply' }),
        node('m', 'message', { text: 'Size {{message.flow.response.size}}' }),
      ],
      ['ask -default-> m'],
    );
    await write('hello');
    await says('Fill it in');
    await waits(made);
    const nfm_reply = { name: 'flow', body: 'Sent', response_json: '{"size":"42"}' };
    await reply('nfm_reply', nfm_reply);
    await says('Fill it in', 'Size 42');
    const { messages } = await call('GET', '/messages?direction=inbound');
    expect(messages[0].flow).to.deep.equal({ name: 'flow', response: { size: '42' } });
    expect(messages[0].content.interactive).to.deep.equal({ type: 'nfm_reply', nfm_reply });
    expect(messages[1]).not.to.have.property('flow');
  });

  it('do not wait for an account that is stuck, and nothing of that one is lost @series', async () => {
    const quick = await world.tenant();
    const held: ServerResponse[] = [];
    callee.answer((response) => held.push(response));
    const data = { url: `${callee.url}/slow`, timeoutMs: 10_000 };
    const calling = [node('call', 'http_request', data), node('e', 'end')];
    const waiting = await bot(calling, ['call -> e']);
    await bot([node('m', 'message', { text: 'Hi' })], [], {}, quick);
    world.waybill.clock.advance(1);
    for (let first = 0; first < MESSAGES; first += 100) await writeEach(tenant, first, 100);
    await writeEach(quick, 0, 1);
    await until('the answer to the other account', () => world.sendsOf(quick).length === 1);
    const executions = async () => (await call('GET', `/bots/${waiting.id}`)).totalExecutions;
    expect(await executions()).to.be.below(MESSAGES);
    callee.answer((response) => response.end('{}'));
    for (const response of held) response.end('{}');
    await untilTrue('all the others', async () => (await executions()) === MESSAGES);
  });

  it('that call URLs reach no private address, not even one that a customer names', async () => {
    const before = callee.connections();
    const data = { url: '{{message.text}}', method: 'POST', body: '{"q":"{{message.text}}"}' };
    const made = await bot(
      [node('call', 'http_request', data), node('no', 'message', { text: 'No luck' })],
      ['call -error-> no'],
    );
    await write('http://[::1]:9/');
    await says('No luck');
    expect((await over(made)).steps[0].detail).to.match(/address/);
    await write('http://169.254.169.254/latest/meta-data');
    await says('No luck', 'No luck');
    expect(callee.connections()).to.equal(before);
  });
});
