import { expect } from 'chai';
import { eraseContact } from '../../support/privacy/erase.ts';
import { messagesPayload, useTenant } from '../../support/surface.ts';
import { type Json, openTenant, orderShipped, providerAccepts } from '../../support/waybill.ts';

const CONTACT = '919812345678';

describe('messages of a contact that was erased @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });
  let id: string;

  beforeEach(async () => {
    const { ids } = providerAccepts(on.tenant, 2);
    await post('/v1/notifications/send', orderShipped({ clientReference: 'order-7' }));
    id = ids[0]!;
    await status('sent');
  });
  const post = (path: string, body: Json) => on.call('POST', path, body);
  const get = async (path: string): Promise<Json> => (await on.call('GET', path)).body;
  const status = (word: string) =>
    on.waybill.webhook(
      messagesPayload(on.tenant, {
        statuses: [{ id, status: word, timestamp: '1795262400', recipient_id: CONTACT }],
      }),
    );

  it('are found by the id that the caller has kept, which only their status repeats', async () => {
    await eraseContact(on.waybill, CONTACT);
    await on.waybill.settled();
    const nameless = { metaMessageId: null, recipientWaId: null, erased: true };
    const shown = { ...nameless, metaMessageId: id, status: 'sent' };
    expect(await get(`/v1/notifications/status/${id}`)).to.include(shown);
    const timeline = await get(`/v1/messages/${id}/timeline`);
    expect(timeline).to.include({ messageId: null, erased: true });
    expect(JSON.stringify(timeline)).not.to.contain(id);
    const found = await on.waybill.admin('GET', `/messages/${id}`);
    expect(found.body).to.include({ id: null, ...nameless });
    const other = await openTenant(on.waybill);
    for (const path of [`/v1/notifications/status/${id}`, `/v1/messages/${id}/timeline`]) {
      const { status: none } = await on.waybill.call('GET', path, { token: other.apiKey });
      expect(none).to.equal(404);
    }
  });
});
