import { expect } from 'chai';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { answered } from '../../support/answered.ts';
import { countCharges, useWaybill } from '../../support/surface.ts';
import { openTenant, providerAccepts } from '../../support/waybill.ts';

const variables = { orderId: 'A', awbCode: 'B', trackingLink: 'C' };
const recipients = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ to: `+9198000${10_000 + index}`, variables }));

describe('a batch whose log goes away @long', () => {
  let reservations = Number.POSITIVE_INFINITY;
  const failing = (store: EventStore): EventStore => ({
    ...store,
    async append(stream, expected, events) {
      const charges = events.filter(({ type }) => type === 'ChargeReserved').length;
      if (charges > reservations) throw new StoreUnavailable('the log is away');
      reservations -= charges;
      return store.append(stream, expected, events);
    },
  });
  const on = useWaybill({ wrapStore: failing });
  afterEach(() => {
    reservations = Number.POSITIVE_INFINITY;
  });

  it('answers for those it sent to, and leaves out the rest: not charged, not sent', async () => {
    const tenant = await openTenant(on.waybill, { templates: ['order_shipped'] });
    const { ids } = providerAccepts(tenant, 200);
    const send = () =>
      on.waybill.call('POST', '/v1/notifications/send/batch', {
        token: tenant.apiKey,
        headers: { 'idempotency-key': 'batch' },
        body: { event: 'order_shipped', recipients: recipients(100) },
      });
    reservations = 40;
    const { body } = await answered(200, send());
    expect(body).to.deep.include({ success: true, failed: 0 });
    expect(body.results).to.have.length(body.sent);
    expect(body.sent).to.be.within(1, 40);
    expect(ids).to.have.length(body.sent);
    const reserved = async () => (await countCharges(on.waybill, tenant)).reserved;
    expect(await reserved()).to.equal(body.sent);
    // Those that were left out are sent to under the same key once the log is back, and no others.
    reservations = Number.POSITIVE_INFINITY;
    const again = await send();
    expect(again.body).to.deep.include({ sent: 100, failed: 0 });
    expect(ids).to.have.length(100);
    expect(await reserved()).to.equal(100);
  });
});
