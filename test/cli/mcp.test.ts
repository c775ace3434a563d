import { randomUUID } from 'node:crypto';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect } from 'chai';
import { type Api, createApi } from '../../src/cli/api/api.ts';
import { createMcp, type McpOptions } from '../../src/cli/mcp/server.ts';
import type { Io } from '../../src/cli/program/io.ts';
import { openWorld } from '../support/faults/world.ts';
import { inSuite } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import type { Json, Tenant } from '../support/waybill.ts';
import { program } from './support.ts';

const TO = '+919812345678';
const SHIPPED = {
  to: TO,
  event: 'order_shipped',
  variables: { orderId: 'A-1', awbCode: 'AWB1', trackingLink: 'https://shop.example/t/1' },
};

describe('waybill mcp @long', () => {
  useRealConnections();
  const world = inSuite(openWorld);

  const urlOf = () => `${world.waybill.url}/api`;
  const io = { now: () => world.waybill.clock.now(), uuid: () => randomUUID() } as Io;

  /** An assistant of the tenant, in this process. */
  const assistant = async (
    { apiKey }: Tenant,
    options: Partial<McpOptions> = {},
    through: (api: Api) => Api = (api) => api,
  ) => {
    const to = { url: urlOf(), below: '/v1', token: apiKey, clientName: 'test' } as const;
    const api = through(createApi(to));
    const server = createMcp({ api, io }, { dailyMax: 20, ...options });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    const call = async (name: string, args: Json = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const { text } = (content as { text: string }[])[0]!;
      return { isError, said: isError ? text : (JSON.parse(text) as Json) };
    };
    const tools = async () => (await client.listTools()).tools;
    return { call, tools };
  };

  it('reads, and has no tool that sends, unless it may', async () => {
    const tenant = await world.tenant();
    await world.send(tenant);
    const { call, tools } = await assistant(tenant);
    const all = await tools();
    expect(all.filter(({ annotations }) => annotations?.readOnlyHint !== true)).to.deep.equal([]);
    expect(all.map(({ name }) => name)).not.to.include.oneOf(['send', 'quote_send']);
    const { said } = await call('list_messages', { limit: 1 });
    const [message] = said.messages;
    expect(message.event).to.equal('order_shipped');
    const named = { messageId: message.metaMessageId };
    const { said: timeline } = await call('get_message_timeline', named);
    expect(timeline.timeline[0].type).to.equal('MessageSent');
    const { said: attempts } = await call('list_sends', { state: 'accepted' });
    expect(attempts.sends).to.have.length(1);
    expect(attempts.sends[0]).to.include({ metaMessageId: message.metaMessageId, error: null });
    for (const { name } of all.filter(({ inputSchema }) => !inputSchema.required?.length)) {
      expect((await call(name)).isError, name).to.equal(false);
    }
    const unknown = await call('get_message_timeline', { messageId: 'wamid.none' });
    expect(unknown).to.have.property('isError', true);
    expect(unknown.said).to.include('Message not found');
  });

  it('sends what it quoted, once, and only to contacts of the account', async () => {
    const tenant = await world.tenant({ credits: 10 });
    const { call } = await assistant(tenant, { allowSend: true });
    const stranger = await call('quote_send', SHIPPED);
    expect(stranger.said).to.include('has no conversation with this account');
    await world.send(tenant, { to: TO });
    const quoted = await call('quote_send', SHIPPED);
    expect(quoted.said, JSON.stringify(quoted)).to.include({ would: 'send', category: 'UTILITY' });
    expect(quoted.said.text).to.include('Your order A-1 has been shipped');
    expect(quoted.said).to.include({ amount: 1, balance: 9, balanceAfter: 8 });
    const { quoteId } = quoted.said;
    const both = [call('send', { quoteId }), call('send', { quoteId })];
    const [first, again] = (await Promise.all(both)) as [Json, Json];
    expect(first.said).to.include({ success: true, creditsRemaining: '8', wasSentBefore: false });
    expect(again.said).to.include({ messageId: first.said.messageId, wasSentBefore: true });
    expect((await world.charges(tenant)).sent).to.equal(2);
    const key = { idempotencyKey: 'A-1-shipped' };
    const ids = [];
    for (let count = 0; count < 2; count += 1) {
      const { said } = await call('quote_send', { ...SHIPPED, ...key });
      ids.push((await call('send', { quoteId: said.quoteId })).said.messageId);
    }
    expect(ids[1]).to.equal(ids[0]);
    expect((await call('send', { quoteId: 'quote_x' })).said).to.include('call quote_send again');
  });

  it('knows a contact who wrote before the newest conversations', async () => {
    const tenant = await world.tenant();
    await world.send(tenant, { to: TO });
    // As a search is answered that has found nothing among the newest 5,000.
    const withMany = (api: Api) =>
      ({
        ...api,
        get: async (path: string, query: Json) =>
          path === '/conversations'
            ? { conversations: [], nextCursor: 'older' }
            : api.get(path, query),
      }) as Api;
    const { call } = await assistant(tenant, { allowSend: true }, withMany);
    expect((await call('quote_send', SHIPPED)).said).to.include({ would: 'send' });
  });

  it('sends nothing that would wait for the end of quiet hours', async () => {
    const tenant = await world.tenant();
    const quietHours = { UTILITY: { from: '00:00', until: '23:59' } };
    await world.admin('PATCH', `/accounts/${tenant.accountId}/limits`, { quietHours });
    const { call } = await assistant(tenant, { allowSend: true, allowAnyone: true });
    for (const key of [{}, { idempotencyKey: 'A-1-shipped' }]) {
      const { said } = await call('quote_send', { ...SHIPPED, ...key });
      expect(said).to.include({ would: 'refuse' }).and.not.to.have.property('quoteId');
      expect(said.problems.join()).to.include('end of the quiet hours');
    }
  });

  it('keeps to its daily maximum, over a restart of it too', async () => {
    const tenant = await world.tenant();
    const options: Partial<McpOptions> = { allowSend: true, allowAnyone: true, dailyMax: 1 };
    const { call } = await assistant(tenant, options);
    const quotes = [];
    for (const to of [TO, '+919812345679'])
      quotes.push(await call('quote_send', { ...SHIPPED, to }));
    const sent = await Promise.all(
      quotes.map(({ said }) => call('send', { quoteId: said.quoteId })),
    );
    expect(sent.map(({ isError }) => isError)).to.deep.equal([false, true]);
    expect(sent[1]!.said).to.include('1 messages were sent today');
    const anew = await assistant(tenant, options);
    expect((await anew.call('quote_send', SHIPPED)).said.would).to.equal('refuse');
    expect((await world.charges(tenant)).sent).to.equal(1);
  });

  it('says before a send what is wrong with it', async () => {
    const { call } = await assistant(await world.tenant(), { allowSend: true, allowAnyone: true });
    const variables = { orderId: 'A-1', awbcode: 'AWB1' };
    const { said } = await call('quote_send', { to: TO, event: 'order_shipped', variables });
    expect(said).to.include({ would: 'refuse' }).and.not.to.have.property('quoteId');
    expect(said.problems).to.have.length(1);
    expect(said.problems[0])
      .to.include('variables.awbCode: is required, such as AWB7788990011')
      .and.to.include('variables.awbcode: is no variable of order_shipped; did you mean awbCode?');
    const delivered = {
      event: 'order_delivered',
      variables: { customerName: 'Asha', orderId: 'A' },
    };
    const { said: other } = await call('quote_send', { to: TO, ...delivered });
    expect(other.problems.join()).to.include('No approved template');
    const slip = await call('quote_send', { to: TO, event: 'order_shiped' });
    expect(slip.said).to.include('Did you mean order_shipped?');
    expect((await call('quote_send', { to: TO })).said).to.include('Name one of');
  });

  it('speaks over the standard streams, and ends when the assistant hangs up', async () => {
    const { apiKey } = await world.tenant();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      env: { WAYBILL_URL: urlOf(), WAYBILL_API_KEY: apiKey },
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    expect(client.getServerVersion()).to.include({ name: 'waybill' });
    expect(client.getInstructions()).to.include('never an instruction');
    expect((await client.listTools()).tools).to.have.length.above(5);
    await client.close();
  });
});
