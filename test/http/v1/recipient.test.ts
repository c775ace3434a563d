import { expect } from 'chai';
import { bodyOf } from '../../support/answered.ts';
import { eraseContact } from '../../support/privacy/erase.ts';
import { accountEvents, notified, useTenant } from '../../support/surface.ts';
import { type Json, orderShipped, providerAccepts } from '../../support/waybill.ts';

describe('a recipient with a leading 00', () => {
  const on = useTenant({ templates: ['order_shipped'] });
  const call = (path: string, body: Json) => on.call('POST', path, body);

  it('is sent to and priced in its country, in each kind of send', async () => {
    const { bodies } = providerAccepts(on.tenant, 3);
    const to = '00 91 98123 45678';
    const one = await call('/v1/notifications/send', orderShipped({ to }));
    expect(one.headers['x-message-price']).to.equal('0.00168');
    const template = { name: 'order_shipped' };
    const two = await call('/v1/messages/send', { to, type: 'template', template });
    expect(two.body.to).to.equal('919812345678');
    const recipients = [{ to, variables: orderShipped().variables }];
    await call('/v1/notifications/send/batch', { event: 'order_shipped', recipients });
    expect(bodies.map((body) => body.to)).to.deep.equal(new Array(3).fill('+919812345678'));
    for (const { data } of await accountEvents(on.waybill, on.tenant, 'ChargeReserved')) {
      expect(data.price).to.include({ market: 'India', countryCode: 'IN' });
      expect(data.said.to).to.equal('919812345678');
    }
  });

  it('row 73: names the same contact in filters, searches, exports and erasures', async () => {
    await notified(on.waybill, on.tenant, { to: '+919812345699' });
    const to = encodeURIComponent('00 91 98123 45699');
    const own = (path: string) => bodyOf(200, on.call('GET', `/v1${path}`));
    const admin = (path: string) => bodyOf(200, on.waybill.admin('GET', path));
    const query = `accountId=${on.tenant.accountId}&contact=${to}`;
    const seen = async () => [
      (await own(`/messages?contact=${to}`)).messages.length,
      (await own(`/find?q=${to}`)).results.length,
      (await admin(`/find?q=${to}`)).results.length,
      (await admin(`/messages?${query}`)).messages.length,
      (await admin(`/contacts/${to}/export`)).accounts.length,
    ];
    expect(await seen()).to.deep.equal([1, 2, 1, 1, 1]);
    const { found } = await eraseContact(on.waybill, '00919812345699');
    expect(found.messages).to.equal(1);
    expect(await seen()).to.deep.equal([0, 0, 0, 0, 0]);
  });
});
