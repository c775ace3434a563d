import { expect } from 'chai';
import { answered } from '../../support/answered.ts';
import { accountEvents, customerWrites, useTenant } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  providerAccepts,
  providerHasTemplates,
  templateAnswer,
} from '../../support/waybill.ts';

const TO = '919812345678';
const text = { to: `+${TO}`, type: 'text', text: { body: 'Hi' } };
const template = (name: string, change: Json = {}) => ({
  to: TO,
  type: 'template',
  template: { name, ...change },
});

describe('POST /v1/messages/send @long', () => {
  const on = useTenant({ credits: 100 });

  const send = (body: Json, token = on.tenant.apiKey) =>
    on.waybill.call('POST', '/v1/messages/send', { token, body });
  const writes = (to = on.tenant) => customerWrites(on.waybill, to, { from: TO });

  describe('what is sent', () => {
    beforeEach(() => writes());
    const forms: [string, Json, Json][] = [
      ['text', { text: { body: 'Hi' } }, { text: { preview_url: false, body: 'Hi' } }],
      [
        'media',
        { media: { type: 'document', id: '77', filename: 'a.pdf' } },
        { type: 'document', document: { id: '77', filename: 'a.pdf' } },
      ],
      [
        'reaction',
        { reaction: { messageId: 'wamid.ASKED', emoji: '' } },
        { reaction: { message_id: 'wamid.ASKED', emoji: '' } },
      ],
    ];
    for (const [type, given, expected] of forms) {
      it(`of type ${type}: ${JSON.stringify(given).slice(0, 60)}`, async () => {
        const { ids, bodies } = providerAccepts(on.tenant);
        const message = { to: ` +91 98123-45678`, type, ...given };
        const { body, headers } = await answered(200, send(message));
        const { phoneNumberId } = on.tenant;
        const accepted = { success: true, messageId: ids[0], type, to: TO, phoneNumberId };
        expect(body).to.deep.equal(accepted);
        const { biz_opaque_callback_data: chargeId, ...sent } = bodies[0];
        const whatsapp = { messaging_product: 'whatsapp', recipient_type: 'individual' };
        expect(sent).to.deep.equal({ ...whatsapp, to: `+${TO}`, type, ...expected });
        expect(chargeId).to.be.a('string');
        expect(headers).to.deep.include({
          'x-message-category': 'SERVICE',
          'x-message-price': '0.0000',
          'x-credits-charged': '0',
          'x-credits-remaining': '100',
        });
      });
    }

    it('of type template, its components untouched', async () => {
      providerHasTemplates(on.tenant, templateAnswer('my_sale', { category: 'MARKETING' }));
      const { bodies, ids } = providerAccepts(on.tenant);
      const components = [{ type: 'body', parameters: [{ type: 'text', text: 'A', odd: null }] }];
      const { body, headers } = await send(template('my_sale', { components }));
      expect(body).to.deep.include({ success: true, type: 'template', messageId: ids[0] });
      const language = { code: 'en_US' };
      expect(bodies[0].template).to.deep.equal({ name: 'my_sale', language, components });
      expect(headers).to.deep.include({
        'x-message-category': 'MARKETING',
        'x-message-price': '0.01416',
        'x-credits-charged': '2',
        'x-credits-remaining': '98',
      });
      const [reserved] = await accountEvents(on.waybill, on.tenant, 'ChargeReserved');
      expect(reserved.data).to.deep.include({ amount: -2, reason: 'template:my_sale' });
    });

    it('is free and leaves no row in the ledger, even at a balance of zero', async () => {
      const poor = await openTenant(on.waybill, { credits: 0 });
      await writes(poor);
      providerAccepts(poor);
      const { headers } = await answered(200, send(text, poor.apiKey));
      expect(headers['x-credits-remaining']).to.equal('0');
      const { body } = await on.waybill.admin('GET', `/accounts/${poor.accountId}/ledger`);
      expect(body.entries).to.deep.equal([]);
    });
  });

  describe('the window', () => {
    it('is closed to a customer who never wrote: 403, windowExpiredAt null', async () => {
      const { body, headers } = await answered(403, send(text));
      expect(body).to.deep.equal({ error: body.error, windowExpiredAt: null });
      expect(body.error).to.be.a('string');
      expect(headers).not.to.have.property('x-message-category');
    });

    it('opens with the customer’s message and closes 24 hours after it', async () => {
      const opened = on.waybill.clock.now();
      await writes();
      const expires = new Date(opened + 24 * 3_600_000).toISOString();
      on.waybill.clock.advance(24 * 3_600_000 - 1);
      providerAccepts(on.tenant);
      await answered(200, send(text));
      on.waybill.clock.advance(1);
      for (const [type, content] of [
        ['text', { text: { body: 'Hi' } }],
        ['media', { media: { type: 'image', id: '7' } }],
        ['location', { location: { latitude: 0, longitude: 0 } }],
        ['interactive', { interactive: { type: 'button', action: {} } }],
        ['contacts', { contacts: [{ name: { formatted_name: 'A', first_name: 'A' } }] }],
        ['reaction', { reaction: { messageId: 'wamid.A', emoji: '👍' } }],
      ] as const) {
        const { body } = await answered(403, send({ to: TO, type, ...content }));
        expect(body.windowExpiredAt).to.equal(expires);
        expect(body).not.to.have.property('code');
      }
    });

    it('does not concern templates', async () => {
      providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
      providerAccepts(on.tenant);
      await answered(200, send(template('order_shipped')));
    });

    it('lets notifications fall back to text, free, as soon as it is open', async () => {
      providerHasTemplates(on.tenant);
      const event = 'order_delivered';
      const variables = { customerName: 'Mia', orderId: 'A-7' };
      const body = { to: TO, event, variables, allowTextFallback: true };
      const notify = () => on.call('POST', '/v1/notifications/send', body);
      expect((await notify()).body.code).to.equal('TEMPLATE_NOT_APPROVED');
      await writes();
      const { bodies, ids } = providerAccepts(on.tenant);
      const { body: answer, headers } = await answered(200, notify());
      const sent = { success: true, messageId: ids[0], channel: 'text' };
      expect(answer).to.deep.equal({ ...sent, event, template: null });
      expect(bodies[0].text.body).to.match(/^Hi Mia, your order A-7 has been delivered/);
      expect(headers['x-message-category']).to.equal('SERVICE');
    });
  });
});
