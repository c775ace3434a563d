import { expect } from 'chai';
import { changePayload, messagesPayload, useTenant } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import {
  type Json,
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  templateAnswer,
} from '../../support/waybill.ts';

describe('the category of a notification @long', () => {
  const on = useTenant();

  const { call } = on;
  const send = (change: Json = {}) => call('POST', '/v1/notifications/send', orderShipped(change));
  const accountEvents = async () =>
    (await on.waybill.events(`account-${on.tenant.accountId}`)).slice(2);
  const recategorise = (category: string, name = 'order_shipped') =>
    on.waybill.webhook(
      changePayload(on.tenant.wabaId, 'template_category_update', {
        message_template_id: 300_011,
        message_template_name: name,
        message_template_language: 'en-US',
        previous_category: 'UTILITY',
        new_category: category,
      }),
    );

  it('is the provider’s of the approved template, from the first send on', async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped', { category: 'MARKETING' }));
    const { ids } = providerAccepts(on.tenant);
    const { status, headers } = await send();
    expect(status).to.equal(200);
    expect(headers).to.deep.include({
      'x-message-category': 'MARKETING',
      'x-message-price': '0.01416',
      'x-credits-charged': '2',
      'x-credits-remaining': '998',
    });
    const [reserved] = await accountEvents();
    expect((reserved!.data as Json).price).to.include({ category: 'MARKETING' });
    await on.waybill.settled();
    const { body } = await call('GET', '/v1/credits');
    expect(JSON.parse(body.transactions[0].metadata)).to.include({ category: 'MARKETING' });
    const history = (await call('GET', '/v1/messages')).body.messages;
    expect(history[0]).to.include({
      metaMessageId: ids[0],
      category: 'MARKETING',
      creditsCharged: 2,
    });
  });

  it('changes with the provider’s notice, at the very next send', async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    providerAccepts(on.tenant, 3);
    const charged = async () => (await send()).headers['x-message-category'];
    expect(await charged()).to.equal('UTILITY');
    expect((await recategorise('MARKETING')).status).to.equal(200);
    expect(await charged()).to.equal('MARKETING');
    expect((await recategorise('UTILITY')).status).to.equal(200);
    expect(await charged()).to.equal('UTILITY');
  });

  describe('where a status of the provider’s names another one', () => {
    const statusOf = (id: string, status: string, category?: string, form: Json = {}) =>
      on.waybill.webhook(
        messagesPayload(on.tenant, {
          statuses: [
            {
              id,
              status,
              timestamp: '1795262410',
              recipient_id: '919812345678',
              ...(category && {
                pricing: { pricing_model: 'PMP', type: 'regular', category, ...form },
              }),
            },
          ],
        }),
      );
    const timeline = async (id: string) => {
      await on.waybill.settled();
      return (await call('GET', `/v1/messages/${id}/timeline`)).body.timeline as Json[];
    };
    /** Metrics are written anew once a second. */
    const counted = async () => {
      const text = await (await fetch(`${on.waybill.url}/metrics`)).text();
      return text.split('\n').filter((line) => line.startsWith('waybill_other_category_total{'));
    };
    const isCounted = (...lines: string[]) =>
      untilTrue(
        lines.join(),
        async () => JSON.stringify(await counted()) === JSON.stringify(lines),
      );
    const sendOne = async () => {
      const { ids } = providerAccepts(on.tenant);
      expect((await send()).status).to.equal(200);
      return ids[0]!;
    };
    beforeEach(() => {
      providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    });

    it('says so in the timeline, and counts the message once', async () => {
      const id = await sendOne();
      for (const status of ['sent', 'delivered', 'delivered', 'read']) {
        await statusOf(id, status, 'marketing');
      }
      const other = { charged: 'UTILITY', billed: 'MARKETING' };
      const told = (await timeline(id)).map(({ type, data }) => [type, data.otherCategory]);
      expect(told).to.deep.equal([
        ['MessageSent', undefined],
        ['StatusUpdated', other],
        ['StatusUpdated', other],
        ['StatusUpdated', other],
      ]);
      await isCounted('waybill_other_category_total{charged="UTILITY",billed="MARKETING"} 1');
    });
  });
});
