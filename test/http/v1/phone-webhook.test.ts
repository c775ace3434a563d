import { expect } from 'chai';
import { answered, bodyOf } from '../../support/answered.ts';
import { useTenant } from '../../support/surface.ts';
import { openTenant } from '../../support/waybill.ts';

describe('PATCH /v1/phones/:phoneNumberId/webhook @long', () => {
  const on = useTenant({}, { resolve: async () => ['93.184.216.34'] });

  const patch = (body?: unknown, phoneNumberId = on.tenant.phoneNumberId) =>
    on.call('PATCH', `/v1/phones/${phoneNumberId}/webhook`, body);
  const stored = async () =>
    (await on.waybill.admin('GET', `/numbers/${on.tenant.phoneNumberId}`)).body.webhookUrl;

  it('sets the URL, and does not repeat it in the response', async () => {
    const webhookUrl = 'https://shop.example/hook/s3cret?x=1';
    expect(await bodyOf(200, patch({ webhookUrl }))).to.deep.equal({ success: true });
    expect(await stored()).to.equal(webhookUrl);
  });

  it('ends the forwarding with null, without the field, and without a body', async () => {
    for (const body of [{ webhookUrl: null }, {}, undefined]) {
      await patch({ webhookUrl: 'https://shop.example/hook' });
      expect(await bodyOf(200, patch(body))).to.deep.equal({ success: true });
      expect(await stored()).to.equal(null);
    }
  });

  it('knows no number of another account', async () => {
    const stranger = await openTenant(on.waybill);
    for (const phoneNumberId of [stranger.phoneNumberId, 'nobody']) {
      for (const webhookUrl of ['https://shop.example/hook', null]) {
        const answer = await answered(404, patch({ webhookUrl }, phoneNumberId));
        expect(answer.body).to.deep.equal({ error: 'Phone number not found' });
      }
    }
  });

  it('refuses plain http, values that are no text, and a URL that is too long', async () => {
    const { body } = await answered(400, patch({ webhookUrl: 'http://shop.example/hook' }));
    const fieldErrors = { webhookUrl: ['must be an https URL'] };
    expect(body).to.deep.equal({ error: { formErrors: [], fieldErrors } });
    const long = `https://a.example/${'x'.repeat(3000)}`;
    for (const webhookUrl of [7, {}, ['https://shop.example/'], long]) {
      const answer = await answered(400, patch({ webhookUrl }));
      expect(answer.body.error.fieldErrors.webhookUrl).to.have.lengthOf(1);
    }
    expect(await stored()).to.equal(null);
  });
});
