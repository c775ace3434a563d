import { expect } from 'chai';
import { eraseContact } from '../../support/privacy/erase.ts';
import { notified, useTenant } from '../../support/surface.ts';
import { type Json, openTenant, statusPayload } from '../../support/waybill.ts';

describe('messages of a contact that was erased @long', () => {
  const on = useTenant({ templates: ['order_shipped'] });
  let id: string;

  beforeEach(async () => {
    ({ messageId: id } = (await notified(on.waybill, on.tenant)).body);
    await on.waybill.webhook(statusPayload(on.tenant, { id, status: 'sent' }));
  });
  const get = async (path: string): Promise<Json> => (await on.call('GET', path)).body;

  it('are found by the id that the caller has kept, which only their status repeats', async () => {
    await eraseContact(on.waybill, '919812345678');
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
