import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { conversationOf, messagesPayload, typesOf } from '../../support/surface.ts';
import { until } from '../../support/until.ts';
import { type Json, openTenant, type Tenant } from '../../support/waybill.ts';
import { openWebhookStage } from '../../support/webhook-stage.ts';

const DIGITS = '919812345678';
const USER = 'IN.13491208655302741918';
const NEXT = 'IN.22222222222222222222';

let ids = 0;
const freshId = () => {
  ids += 1;
  return `wamid.HIDDEN${ids}`;
};

/** How the provider shows a customer: with the number, the user id, or both. */
interface Shown {
  from?: string;
  user?: string;
}

/** A customer who shows a user id in the place of the number. */
describe('a contact who hides the number @long', () => {
  // A stubbed connection has no peer whose address could be checked.
  useRealConnections();
  const stage = inSuite(openWebhookStage);
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(stage.waybill);
  });

  const call = (method: string, path: string, body?: Json) =>
    stage.waybill.call(method, `/v1${path}`, { token: tenant.apiKey, ...(body && { body }) });
  const api = async (method: string, path: string, body?: Json): Promise<Json> => {
    const answer = await call(method, path, body);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.be.below(300);
    return answer.body;
  };
  const timestamp = () => String(Math.floor(stage.waybill.clock.now() / 1000));
  const post = async (lists: Json) => {
    await answered(200, stage.waybill.webhook(messagesPayload(tenant, lists)));
  };
  const writes = async ({ from, user }: Shown, text = 'Hello', id = freshId()) => {
    const message = { id, from, from_user_id: user, timestamp: timestamp() };
    await post({
      contacts: [{ profile: { name: 'Mia' }, wa_id: from, user_id: user }],
      messages: [{ ...message, type: 'text', text: { body: text } }],
    });
    return id;
  };
  const updates = (id: string, status: string) => {
    const ids = { recipient_id: DIGITS, recipient_user_id: USER };
    return post({ statuses: [{ id, status, timestamp: timestamp(), ...ids }] });
  };
  const says = (to: string) =>
    call('POST', '/messages/send', { to, type: 'text', text: { body: 'Hi' } });
  const messages = async (query: Json = {}): Promise<Json[]> =>
    (await api('GET', `/messages?${new URLSearchParams(query)}`)).messages;
  const threads = async (query: Json = {}): Promise<Json[]> =>
    (await api('GET', `/conversations?${new URLSearchParams(query)}`)).conversations;

  it('is shown with both ids in every status of a timeline, though one status alone stores them', async () => {
    await writes({ from: DIGITS, user: USER });
    const { messageId } = (await says(`+${DIGITS}`)).body;
    const words = ['sent', 'delivered', 'read'];
    for (const word of words) await updates(messageId, word);
    const { timeline } = await api('GET', `/messages/${messageId}/timeline`);
    const ids = { recipientWaId: DIGITS, recipientUserId: USER };
    const [sent, ...statuses] = timeline;
    expect(sent.data).to.include({ recipientWaId: DIGITS });
    expect(statuses.map(({ data }: Json) => data.status)).to.deep.equal(words);
    for (const { data } of statuses) expect(data).to.include(ids);
    const stored = (await stage.waybill.log()).filter(
      ({ type, data }) =>
        type === 'StatusUpdated' && (data as { recipient: unknown }).recipient !== null,
    );
    expect(stored).to.have.length(1);
  });

  it('gets no authentication template, and no charge for one', async () => {
    const template = { name: 'otp_verification', language: 'en_US' };
    const terms = { category: 'AUTHENTICATION', components: [] };
    stage.simulator.setTemplate(tenant.wabaId, { ...template, ...terms });
    const charges = async () => (await stage.waybill.events(`account-${tenant.accountId}`)).length;
    const before = await charges();
    const code = { event: 'otp_verification', variables: { otp: '123456' } };
    for (const [path, body] of [
      ['/notifications/send', { ...code, to: USER }],
      ['/messages/send', { type: 'template', template, to: USER }],
    ] as const) {
      expect((await answered(400, call('POST', path, body), path)).body.error).to.include('131062');
    }
    const recipients = [{ to: USER, variables: code.variables }];
    const batch = { event: code.event, recipients };
    const { results } = await api('POST', '/notifications/send/batch', batch);
    expect(results[0]).to.include({ ok: false, code: 'SEND_FAILED' });
    expect(await charges()).to.equal(before);
  });

  it('is one contact with the number from when both are seen', async () => {
    const first = await writes({ user: USER });
    const hidden = (await threads())[0];
    const second = await writes({ from: DIGITS, user: USER });
    const [thread, ...others] = await threads();
    expect(others).to.deep.equal([]);
    expect(thread).to.deep.include({
      id: await conversationOf(stage.waybill, tenant),
      contact: { waId: DIGITS, userId: USER, name: 'Mia' },
      messageCount: 2,
      unreadCount: 2,
      createdAt: hidden.createdAt,
    });
    expect(thread.lastMessage.id).to.equal(second);
    for (const query of [
      { contact: USER },
      { contact: DIGITS },
      { contact: `+${DIGITS}` },
      { conversationId: hidden.id },
      { conversationId: thread.id },
      { conversationId: hidden.id, contact: DIGITS },
    ]) {
      const found = await messages(query);
      const shown = found.map(({ id }) => id);
      expect(shown, JSON.stringify(query)).to.deep.equal([second, first]);
      for (const message of found) {
        expect(message).to.include({
          senderWaId: DIGITS,
          contactUserId: USER,
          conversationId: thread.id,
        });
      }
    }
    for (const search of [DIGITS, USER, USER.toLowerCase(), 'mia']) {
      expect(await threads({ search }), search).to.have.length(1);
    }
    // Both ids have the window.
    expect((await says(USER)).status).to.equal(200);
    expect((await says(DIGITS)).status).to.equal(200);
    expect((await threads())[0]).to.include({ messageCount: 4, unreadCount: 0 });
  });

  it('row 44: has one effect of a message that comes with and without the number', async () => {
    const { calls, url: webhookUrl } = stage.callee;
    await api('PATCH', `/phones/${tenant.phoneNumberId}/webhook`, { webhookUrl });
    for (const shown of [
      [{ user: USER }, { from: DIGITS, user: USER }, { from: DIGITS }],
      [{ from: DIGITS, user: NEXT }, { user: NEXT }],
    ]) {
      const before = calls.length;
      const id = freshId();
      for (const one of shown) await writes(one, 'Hi', id);
      await writes(shown[0]!, 'The end');
      await until('both forwards', () => calls.length >= before + 2);
      const mine = calls.filter(({ body }) => JSON.parse(body).message.id === id);
      expect(mine).to.have.length(1);
      expect((await messages()).filter((one) => one.id === id)).to.have.length(1);
    }
    const log = await stage.waybill.log();
    const received = log.filter(({ data }) => (data as Json).accountId === tenant.accountId);
    expect(typesOf(received).filter((type) => type === 'MessageReceived')).to.have.length(4);
  });

  it('row 44: is another account’s stranger', async () => {
    await writes({ user: USER });
    const other = await openTenant(stage.waybill);
    const mine = tenant;
    tenant = other;
    await writes({ from: DIGITS, user: USER });
    tenant = mine;
    expect((await threads())[0].contact).to.include({ waId: null, userId: USER });
    expect(await messages({ contact: DIGITS })).to.deep.equal([]);
  });
});
