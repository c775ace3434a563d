import { expect } from 'chai';
import nock from 'nock';
import { streamOfMessage } from '../support/message-refs.ts';
import { conversationOf, customerWrites, inboundPayload, useTenant } from '../support/surface.ts';
import {
  type Json,
  numberAnswer,
  openTenant,
  PROVIDER,
  statusPayload,
  type Tenant,
  VERSION,
} from '../support/waybill.ts';

const FROM = '919812345678';
const HOUR_MS = 60 * 60_000;

describe('words of the provider that are not to be believed @long', () => {
  const on = useTenant();

  const call = (of: Tenant, method: string, path: string, body?: Json) =>
    on.waybill.call(method, `/v1${path}`, { token: of.apiKey, ...(body && { body }) });
  /** A free-form text, or a template, from this number. */
  const say = (of: Tenant, phoneNumberId = of.phoneNumberId) =>
    call(of, 'POST', '/messages/send', {
      to: FROM,
      phoneNumberId,
      type: 'text',
      text: { body: 'Hi' },
    });
  const sendTemplate = (of: Tenant) =>
    call(of, 'POST', '/messages/send', {
      to: FROM,
      type: 'template',
      template: { name: 'spring_sale', language: 'en_US', components: [] },
    });
  const providerNames = (id: string) => {
    nock(PROVIDER)
      .get(`/${VERSION}/${on.tenant.wabaId}/message_templates`)
      .query(true)
      .reply(200, { data: [] });
    nock(PROVIDER)
      .post(`/${VERSION}/${on.tenant.phoneNumberId}/messages`)
      .reply(200, JSON.stringify({ contacts: [{ wa_id: FROM }], messages: [{ id }] }));
  };
  const rows = async (of: Tenant): Promise<string[]> =>
    (await call(of, 'GET', '/credits')).body.transactions.map(({ type }: Json) => type);
  const letters = async ({ phoneNumberId }: Tenant): Promise<Json[]> => {
    const { body } = await on.waybill.admin('GET', '/dead-letters?limit=100');
    return body.deadLetters.filter((one: Json) => one.phoneNumberId === phoneNumberId);
  };
  const isRefunded = async () => {
    const { status, body } = await sendTemplate(on.tenant);
    expect({ status, code: body.code }).to.deep.equal({ status: 502, code: 'SEND_FAILED' });
    expect(await rows(on.tenant)).to.deep.equal(['REFUND', 'DEDUCT', 'GRANT']);
    expect((await on.waybill.admin('POST', '/ledger/verify', {})).body.problems).to.deep.equal([]);
  };
  const move = async (to: Tenant) => {
    const { phoneNumberId, wabaId } = on.tenant;
    await on.waybill.admin('DELETE', `/numbers/${phoneNumberId}`);
    nock(PROVIDER)
      .get(`/${VERSION}/${phoneNumberId}`)
      .query(true)
      .reply(200, numberAnswer(phoneNumberId));
    const number = { phoneNumberId, wabaId, accessToken: 'secret-token' };
    const linked = await on.waybill.admin('POST', `/accounts/${to.accountId}/numbers`, number);
    expect(linked.status).to.equal(201);
  };

  it('row 38: an id that is a customer’s message: 502 and refunded, the customer’s message stays', async () => {
    const id = await customerWrites(on.waybill, on.tenant);
    providerNames(id);
    await isRefunded();
    const types = (await on.waybill.events(streamOfMessage(on.tenant, id))).map(({ type }) => type);
    expect(types).to.deep.equal(['InboundIdClaimed']);
  });

  for (const [what, id] of [
    ['with half a surrogate pair', 'wamid.f\ud800'],
    ['longer than 300 characters', `wamid.${'f'.repeat(300)}`],
  ] as const) {
    it(`row 38: an id ${what} is none: 502 and refunded, and a dead letter`, async () => {
      providerNames(id);
      await isRefunded();
      const at = on.waybill.clock.now();
      await on.waybill.webhook(inboundPayload(on.tenant, { id, at }));
      await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'read' }));
      expect((await letters(on.tenant)).map(({ reason }) => reason).sort()).to.deep.equal([
        'a message without its id',
        'a status without the id of its message',
      ]);
      const { body } = await on.waybill.admin('POST', '/ledger/verify', {});
      expect(body).to.deep.include({ ok: true, problems: [] });
    });
  }

  it('row 38: a time to come opens no window longer than 24 hours', async () => {
    const clock = on.waybill.clock;
    await customerWrites(on.waybill, on.tenant, { at: clock.now() + 365 * 24 * HOUR_MS });
    const { conversations } = (await call(on.tenant, 'GET', '/conversations')).body;
    expect(conversations[0]).to.include({
      id: await conversationOf(on.waybill, on.tenant),
      windowOpen: true,
    });
    clock.advance(25 * HOUR_MS);
    const { status, body } = await say(on.tenant);
    expect(status).to.equal(403);
    expect(Date.parse(body.windowExpiredAt)).to.equal(clock.now() - HOUR_MS);
  });

  it('row 28: what was written before the link is a dead letter, also when it is tried again', async () => {
    const next = await openTenant(on.waybill, { number: false });
    const { clock } = on.waybill;
    const before = clock.now();
    clock.advance(HOUR_MS);
    await on.waybill.admin('DELETE', `/numbers/${on.tenant.phoneNumberId}`);
    await customerWrites(on.waybill, on.tenant, { id: 'wamid.gap', body: 'to nobody' });
    clock.advance(HOUR_MS);
    await move(next);
    await customerWrites(on.waybill, on.tenant, { id: 'wamid.late', at: before, body: 'secret' });
    const kept = await letters(on.tenant);
    expect(kept.map(({ reason }) => reason)).to.have.members([
      'from before the number was linked to this account',
      'the number is not linked',
    ]);
    for (const { id } of kept) {
      const { body } = await on.waybill.admin('POST', `/dead-letters/${id}/retry`, {});
      expect(body).to.deep.include({
        resolved: false,
        problem: 'from before the number was linked to this account',
      });
    }
    expect((await call(next, 'GET', '/messages')).body.messages).to.deep.equal([]);
    expect((await say(next, on.tenant.phoneNumberId)).status).to.equal(403);
    // The provider's clock may be a little behind.
    await customerWrites(on.waybill, on.tenant, { at: clock.now() - 9000 });
    expect((await call(next, 'GET', '/messages')).body.messages).to.have.length(1);
  });
});
