import { expect } from 'chai';
import type { EventStore } from '../../../src/events/store.ts';
import type { Views } from '../../../src/projections/views.ts';
import { streamOfMessage } from '../../support/message-refs.ts';
import { customerWrites, notified, useWaybill } from '../../support/surface.ts';
import { openTenant, providerAccepts } from '../../support/waybill.ts';

describe('what a send costs', () => {
  const appended: string[] = [];
  const read: string[] = [];

  const countedStore = (store: EventStore): EventStore => ({
    ...store,
    append(stream, expected, events) {
      appended.push(stream);
      return store.append(stream, expected, events);
    },
    read(stream, options) {
      read.push(`stream ${stream}`);
      return store.read(stream, options);
    },
  });
  /**
   * The engine asks for many at once, or writes: what asks for one or for a list is a request, or
   * one of the worker's clocks, which look for runs of bots and reservations that are due.
   */
  const isDuty = (collection: string) => /^(botruns|reservations)_/.test(collection);
  const countedViews = (views: Views): Views => ({
    ...views,
    get(collection, id) {
      read.push(`view ${collection}`);
      return views.get(collection, id);
    },
    find(collection, query) {
      if (!isDuty(collection)) read.push(`views ${collection}`);
      return views.find(collection, query);
    },
  });
  const on = useWaybill({ wrapStore: countedStore, wrapViews: countedViews });

  it('is two appends and no read, from the second one of a template on, also to a new contact', async () => {
    const tenant = await openTenant(on.waybill, { templates: ['order_shipped'] });
    // The first reads the template from the provider, and remembers what it brought.
    await notified(on.waybill, tenant);
    await on.waybill.settled();
    for (const change of [{}, { to: '+919812345679' }]) {
      appended.length = read.length = 0;
      const { body } = await notified(on.waybill, tenant, change);
      expect(appended).to.deep.equal([
        `account-${tenant.accountId}`,
        streamOfMessage(tenant, body.messageId),
      ]);
      expect(read).to.deep.equal([]);
    }
  });

  for (const chargeService of [false, true]) {
    it(`is two appends for a reply, ${chargeService ? 'charged' : 'free'}`, async () => {
      const unit = { billing: 'credits', currency: 'USD', creditValue: '0.01' };
      const terms = { name: 'Replies', ...unit, markupPercent: '20', chargeService };
      const { body: plan } = await on.waybill.admin('POST', '/plans', terms);
      const tenant = await openTenant(on.waybill);
      const { accountId, apiKey: token } = tenant;
      await on.waybill.admin('PUT', `/accounts/${accountId}/plan`, { planId: plan.id });
      await customerWrites(on.waybill, tenant);
      providerAccepts(tenant, 2);
      const reply = { to: '919812345678', type: 'text', text: { body: 'Hi' } };
      const send = () => on.waybill.call('POST', '/v1/messages/send', { token, body: reply });
      // The first also notes that the key is used.
      await send();
      await on.waybill.settled();
      appended.length = 0;
      const { headers, body } = await send();
      expect(headers['x-credits-charged']).to.equal(chargeService ? '1' : '0');
      expect(appended).to.deep.equal([
        `account-${accountId}`,
        streamOfMessage(tenant, body.messageId),
      ]);
    });
  }
});
