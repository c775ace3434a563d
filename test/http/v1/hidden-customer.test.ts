import { expect } from 'chai';
import { answered, succeeded } from '../../support/answered.ts';
import { type Callee, startCallee } from '../../support/callee.ts';
import { openWorld, type World } from '../../support/faults/world.ts';
import { useRealConnections } from '../../support/network.ts';
import { until, untilTrue } from '../../support/until.ts';
import type { Json, Tenant } from '../../support/waybill.ts';

const DIGITS = '447700900123';
const USER = 'GB.7700447700900123';
const NEXT = 'GB.7701447700900123';

/** A whole life of a conversation, with the simulated provider at the other end. */
describe('a customer of the simulated provider who hides the number', () => {
  useRealConnections();
  let world: World;
  let tenant: Tenant;
  let callee: Callee;
  before(async () => {
    world = await openWorld({ statuses: true, forwardAllow: ['127.0.0.1'] });
    tenant = await world.tenant();
    callee = await startCallee();
  });
  after(async () => {
    await callee.close();
    await world.close();
  });

  const api = (method: string, path: string, body?: Json) => {
    const how = { token: tenant.apiKey, ...(body && { body }) };
    return succeeded(world.call(method, `/v1${path}`, how), path);
  };
  const writes = async (text: string) => {
    const { phoneNumberId } = tenant;
    await answered(200, world.simulator.inbound(DIGITS, { phoneNumberId, text }));
  };
  const thread = async (): Promise<Json> => {
    const { conversations } = await api('GET', '/conversations');
    expect(conversations).to.have.length(1);
    return conversations[0];
  };
  const messages = async (contact: string): Promise<Json[]> =>
    (await api('GET', `/messages?limit=100&contact=${contact}`)).messages;
  const allRead = () =>
    untilTrue('the updates of all messages', async () => {
      const sent = (await messages(USER)).filter(({ direction }) => direction === 'outbound');
      return sent.every(({ status }) => status === 'read');
    });
  const sends = () => world.sendsOf(tenant).map(({ body }) => body as Json);

  it('has one conversation from the first message over the number to the next user id', async () => {
    await api('PATCH', `/phones/${tenant.phoneNumberId}/webhook`, { webhookUrl: callee.url });
    await api('POST', '/bots', {
      name: 'Stars',
      trigger: 'KEYWORD',
      triggerKeywords: ['stars'],
      nodes: [
        { id: 'ask', type: 'question', data: { text: 'How many?', saveAs: 'stars' } },
        { id: 'thank', type: 'message', data: { text: '{{vars.stars}}: {{contact.userId}}' } },
      ],
      edges: [{ id: 'e', source: 'ask', target: 'thank' }],
    });
    world.simulator.setContact(DIGITS, { hidden: true });

    await writes('stars');
    await until('the forward', () => callee.calls.length === 1);
    const forward = JSON.parse(callee.calls[0]!.body);
    expect(forward).to.include({ from: null, contactUserId: USER });
    await until('the question', () => sends().length === 1);
    await writes('five');
    await until('the answer', () => sends().length === 2);
    const reply = { to: USER, type: 'text', text: { body: 'Thank you' } };
    await api('POST', '/messages/send', reply);
    const { body: sent } = await world.send(tenant, { to: USER });
    for (const body of sends()) expect(body).to.include({ recipient: USER });
    expect(sends()[1].text.body).to.equal(`five: ${USER}`);
    await allRead();
    const status = await api('GET', `/notifications/status/${sent.messageId}`);
    expect(status).to.include({ status: 'read', recipientWaId: null, contactUserId: USER });
    expect((await thread()).contact).to.include({ waId: null, userId: USER });
    const { transactions } = await api('GET', '/credits');
    expect(JSON.parse(transactions[0].metadata)).to.include({ countryCode: 'GB' });

    world.simulator.setContact(DIGITS, { hidden: false });
    await writes('Here is my number');
    expect((await thread()).contact).to.include({ waId: DIGITS, userId: USER });
    await world.send(tenant, { to: `+${DIGITS}` });
    expect(sends().at(-1)).to.include({ to: `+${DIGITS}` });

    const notice = { hidden: true, changeUserIdAt: tenant.phoneNumberId };
    expect(await world.simulator.setContact(DIGITS, notice)).to.include({ status: 200 });
    await writes('Hidden again');
    expect((await thread()).contact).to.include({ waId: DIGITS, userId: NEXT });
    await api('POST', '/messages/send', { ...reply, to: NEXT });
    await allRead();
    for (const contact of [DIGITS, USER, NEXT]) {
      expect(await messages(contact), contact).to.have.length(11);
    }
    expect(await thread()).to.include({ messageCount: 11, unreadCount: 0 });
    const { runs } = await api('GET', `/bots/${(await api('GET', '/bots'))[0].id}/runs`);
    expect(runs).to.have.length(1);
    expect(runs[0]).to.include({ state: 'ended' });
    await world.waybill.settled();
    const { soleWriter } = world.waybill.store;
    const positions = soleWriter ? 'consecutive' : 'ascending';
    expect(await world.problems({ positions })).to.deep.equal([]);
  });
});
