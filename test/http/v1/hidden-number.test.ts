import { expect } from 'chai';
import { answered, succeeded } from '../../support/answered.ts';
import { inSuite } from '../../support/in-suite.ts';
import { useRealConnections } from '../../support/network.ts';
import { accountEvents, conversationOf, messagesPayload } from '../../support/surface.ts';
import { type Json, openTenant, type Tenant } from '../../support/waybill.ts';
import { openWebhookStage } from '../../support/webhook-stage.ts';

const DIGITS = '919812345678';
const USER = 'IN.13491208655302741918';

let ids = 0;

/** A customer who shows a user id in the place of the number. */
describe('a contact who hides the number @long', () => {
  useRealConnections();
  const stage = inSuite(openWebhookStage);
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(stage.waybill);
  });

  const call = (method: string, path: string, body?: Json) =>
    stage.waybill.call(method, `/v1${path}`, { token: tenant.apiKey, ...(body && { body }) });
  const api = (method: string, path: string, body?: Json) =>
    succeeded(call(method, path, body), path);
  const timestamp = () => String(Math.floor(stage.waybill.clock.now() / 1000));
  const post = (lists: Json) =>
    answered(200, stage.waybill.webhook(messagesPayload(tenant, lists)));
  /** From a customer whom the provider shows with the user id, and perhaps the number. */
  const writes = async (from?: string) => {
    ids += 1;
    const id = `wamid.HIDDEN${ids}`;
    const message = { id, from, from_user_id: USER, timestamp: timestamp() };
    await post({
      contacts: [{ profile: { name: 'Mia' }, wa_id: from, user_id: USER }],
      messages: [{ ...message, type: 'text', text: { body: 'Hello' } }],
    });
    return id;
  };
  const updates = (id: string, status: string) => {
    const ids = { recipient_id: DIGITS, recipient_user_id: USER };
    return post({ statuses: [{ id, status, timestamp: timestamp(), ...ids }] });
  };
  const says = (to: string) =>
    call('POST', '/messages/send', { to, type: 'text', text: { body: 'Hi' } });
  const messages = async (query: Json): Promise<Json[]> =>
    (await api('GET', `/messages?${new URLSearchParams(query)}`)).messages;
  const threads = async (query: Json = {}): Promise<Json[]> =>
    (await api('GET', `/conversations?${new URLSearchParams(query)}`)).conversations;

  it('is shown with both ids in every status of a timeline, though one status alone stores them', async () => {
    await writes(DIGITS);
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
    const events = () => accountEvents(stage.waybill, tenant);
    const before = await events();
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
    expect(await events()).to.deep.equal(before);
  });

  it('is one contact with the number from when both are seen', async () => {
    const first = await writes();
    const hidden = (await threads())[0];
    const second = await writes(DIGITS);
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
        const ids = { senderWaId: DIGITS, contactUserId: USER, conversationId: thread.id };
        expect(message).to.include(ids);
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
});
