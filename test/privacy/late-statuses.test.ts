import { expect } from 'chai';
import nock from 'nock';
import { eraseContact } from '../support/privacy/erase.ts';
import { needlesOf } from '../support/privacy/needles.ts';
import { createPerson, type Person } from '../support/privacy/person.ts';
import { walkFiles } from '../support/privacy/walk.ts';
import { testServers } from '../support/servers.ts';
import { messagesPayload, useTenant } from '../support/surface.ts';
import { type Json, orderShipped, PROVIDER } from '../support/waybill.ts';

describe('a contact who was erased', () => {
  const on = useTenant({ templates: ['order_shipped'] });
  let person: Person;
  beforeEach(() => {
    person = createPerson();
  });

  const messages = () => new RegExp(`^/v[\\d.]+/${on.tenant.phoneNumberId}/messages$`);
  /** Sends one message, which the provider answers so; resolves to the charge that it was given. */
  const send = async (answer: (reply: nock.Interceptor) => void) => {
    let chargeId = '';
    const interceptor = nock(PROVIDER).post(messages(), (body: Json) => {
      chargeId = body.biz_opaque_callback_data;
      return true;
    });
    answer(interceptor);
    const body = orderShipped({ to: `+${person.number}` });
    const { status } = await on.call('POST', '/v1/notifications/send', body);
    return { status, chargeId };
  };
  const late = async (id: string, chargeId: string) => {
    const { number, userId } = person;
    const timestamp = String(Math.floor(on.waybill.clock.now() / 1000));
    const ids = { recipient_id: number, recipient_user_id: userId };
    const status = { id, status: 'read', timestamp, ...ids, biz_opaque_callback_data: chargeId };
    const contacts = [{ wa_id: number, user_id: userId, profile: { name: person.text('name') } }];
    const payload = messagesPayload(on.tenant, { contacts, statuses: [status] });
    expect((await on.waybill.webhook(payload)).status).to.equal(200);
    await on.waybill.settled();
  };
  const mustBeNobody = async () => {
    for (const path of [
      `/v1/messages?contact=${person.number}`,
      `/v1/conversations?search=${person.number}`,
    ]) {
      const { body } = await on.call('GET', path);
      expect(body.messages ?? body.conversations, path).to.deep.equal([]);
    }
    const all = await on.call('GET', '/v1/messages');
    expect(JSON.stringify(all.body)).not.to.contain(person.number);
    const held = await on.waybill.admin('GET', `/contacts/${person.number}/export`);
    expect(JSON.stringify(held.body)).not.to.contain(person.userId);
    if (testServers()) return;
    expect(walkFiles(on.waybill.directory, needlesOf(person.marks()))).to.deep.equal([]);
  };

  it('does not come back by a late status of a message', async () => {
    const id = person.messageId('outbound');
    const contacts = [{ input: person.number, wa_id: person.number }];
    const answer = { contacts, messages: [{ id }] };
    const { status, chargeId } = await send((reply) => reply.reply(200, answer));
    expect(status).to.equal(200);
    await on.waybill.settled();
    await eraseContact(on.waybill, person.number);
    await late(id, chargeId);
    await mustBeNobody();
  });

  it('does not come back by the status that proves an unknown outcome', async () => {
    const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const { status, chargeId } = await send((reply) => reply.replyWithError(reset));
    expect(status).to.equal(504);
    await on.waybill.settled();
    await eraseContact(on.waybill, person.number);
    await late(person.messageId('outbound'), chargeId);
    await mustBeNobody();
    const { body } = await on.call('GET', '/v1/messages');
    expect(body.messages).to.have.length(1);
    expect(body.messages[0]).to.include({ erased: true, status: 'read' });
  });
});
