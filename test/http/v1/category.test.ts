import { expect } from 'chai';
import { accountEvents, notified, typesOf, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { providerHasTemplates, statusPayload, templateAnswer } from '../../support/waybill.ts';

describe('the category of a notification @long', () => {
  const on = useTenant();

  it('is the provider’s of the approved template, from the first send on', async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped', { category: 'MARKETING' }));
    const { headers, body: sent } = await notified(on.waybill, on.tenant);
    expect(headers).to.deep.include({
      'x-message-category': 'MARKETING',
      'x-message-price': '0.01416',
      'x-credits-charged': '2',
      'x-credits-remaining': '998',
    });
    const [reserved] = await accountEvents(on.waybill, on.tenant, 'ChargeReserved');
    expect(reserved.data.price).to.include({ category: 'MARKETING' });
    await on.waybill.settled();
    const { body } = await on.call('GET', '/v1/credits');
    expect(JSON.parse(body.transactions[0].metadata)).to.include({ category: 'MARKETING' });
    const history = (await on.call('GET', '/v1/messages')).body.messages;
    const shown = { metaMessageId: sent.messageId, category: 'MARKETING', creditsCharged: 2 };
    expect(history[0]).to.include(shown);
  });

  it('is in the timeline beside another one that a status names, which counts once', async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    const { messageId: id } = (await notified(on.waybill, on.tenant)).body;
    const pricing = { pricing_model: 'PMP', type: 'regular', category: 'marketing' };
    for (const status of ['sent', 'delivered', 'delivered', 'read']) {
      await on.waybill.webhook(statusPayload(on.tenant, { id, status, pricing }));
    }
    await on.waybill.settled();
    const { timeline } = (await on.call('GET', `/v1/messages/${id}/timeline`)).body;
    const other = { charged: 'UTILITY', billed: 'MARKETING' };
    expect(typesOf(timeline)).to.deep.equal(['MessageSent', ...Array(3).fill('StatusUpdated')]);
    const [sent, ...statuses] = timeline;
    expect(sent.data).not.to.have.property('otherCategory');
    for (const { data } of statuses) expect(data.otherCategory).to.deep.equal(other);
    const line = 'waybill_other_category_total{charged="UTILITY",billed="MARKETING"} 1';
    // Metrics are written anew once a second.
    await untilTrue(line, async () => {
      const text = await (await fetch(`${on.waybill.url}/metrics`)).text();
      const counts = text.split('\n').filter((one) => one.startsWith('waybill_other_category'));
      return counts.length === 1 && counts[0] === line;
    });
  });
});
