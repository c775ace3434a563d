import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { type Callee, startCallee } from '../../support/callee.ts';
import { openWorld, type World } from '../../support/faults/world.ts';
import { useRealConnections } from '../../support/network.ts';
import { messagesPayload } from '../../support/surface.ts';
import { until, untilTrue } from '../../support/until.ts';
import type { Json, Tenant } from '../../support/waybill.ts';
import { edge, node } from './graphs.ts';

/** More than an account's messages that wait in memory. */
const MESSAGES = 1100;

describe('bots of many accounts @long', () => {
  useRealConnections();
  let world: World;
  let callee: Callee;
  before(async () => {
    callee = await startCallee();
    world = await openWorld({ forwardAllow: ['127.0.0.1'] });
  });
  after(async () => {
    await world.close();
    await callee.close();
  });

  const call = async ({ apiKey }: Tenant, method: string, path: string, body?: Json) => {
    const how = { token: apiKey, ...(body !== undefined && { body }) };
    const answer = await world.waybill.call(method, `/v1${path}`, how);
    expect(answer.status, JSON.stringify(answer.body)).to.be.below(300);
    return answer.body;
  };
  const bot = (of: Tenant, nodes: Json[], edges: string[] = []): Promise<Json> =>
    call(of, 'POST', '/bots', {
      name: 'Helper',
      trigger: 'ANY_MESSAGE',
      nodes,
      edges: edges.map(edge),
    });
  /** So many contacts write, each once. */
  const write = async (of: Tenant, first: number, count: number) => {
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

  it('do not wait for an account that is stuck, and nothing of that one is lost @series', async () => {
    const [stuck, quick] = [await world.tenant(), await world.tenant()];
    const held: ServerResponse[] = [];
    callee.answer((response) => held.push(response));
    const data = { url: `${callee.url}/slow`, timeoutMs: 10_000 };
    const waiting = await bot(
      stuck,
      [node('call', 'http_request', data), node('e', 'end')],
      ['call -> e'],
    );
    await bot(quick, [node('m', 'message', { text: 'Hi' })]);
    world.waybill.clock.advance(1);
    for (let first = 0; first < MESSAGES; first += 100) await write(stuck, first, 100);
    await write(quick, 0, 1);
    await until('the answer to the other account', () => world.sendsOf(quick).length === 1);
    const executions = async () =>
      (await call(stuck, 'GET', `/bots/${waiting.id}`)).totalExecutions;
    expect(await executions()).to.be.below(MESSAGES);
    callee.answer((response) => response.end('{}'));
    for (const response of held) response.end('{}');
    await untilTrue('all the others', async () => (await executions()) === MESSAGES);
  });
});
