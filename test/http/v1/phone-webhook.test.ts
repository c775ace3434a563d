import { expect } from 'chai';
import nock from 'nock';
import {
  onlyLoopback,
  openTenant,
  startWaybill,
  type Tenant,
  type Waybill,
} from '../../support/waybill.ts';

const HTTPS = 'must be an https URL';

const resolve = async (hostname: string) => {
  if (hostname === 'inside.example') return ['93.184.216.34', '192.168.1.5'];
  if (hostname === 'listed.example') return ['10.9.8.7'];
  if (hostname === 'gone.example') return [];
  return ['93.184.216.34'];
};

describe('PATCH /v1/phones/:phoneNumberId/webhook @long', () => {
  let waybill: Waybill;
  let tenant: Tenant;
  before(async () => {
    onlyLoopback();
    waybill = await startWaybill({ forwardAllow: ['10.9.8.0/24'], resolve });
  });
  after(async () => {
    await waybill.stop();
    nock.cleanAll();
    nock.enableNetConnect();
  });
  beforeEach(async () => {
    tenant = await openTenant(waybill);
  });

  const patch = (body?: unknown, phoneNumberId = tenant.phoneNumberId) =>
    waybill.call('PATCH', `/v1/phones/${phoneNumberId}/webhook`, {
      token: tenant.apiKey,
      ...(body !== undefined && { body }),
    });
  const stored = async () => {
    const answer = await waybill.admin('GET', `/numbers/${tenant.phoneNumberId}`);
    return answer.body.webhookUrl;
  };

  it('sets the URL, and does not repeat it in the response', async () => {
    const answer = await patch({ webhookUrl: 'https://shop.example/hook/s3cret?x=1' });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.equal({ success: true });
    expect(await stored()).to.equal('https://shop.example/hook/s3cret?x=1');
  });

  it('ends the forwarding with null, without the field, and without a body', async () => {
    for (const body of [{ webhookUrl: null }, {}, undefined]) {
      await patch({ webhookUrl: 'https://shop.example/hook' });
      const answer = await patch(body);
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal({ success: true });
      expect(await stored()).to.equal(null);
    }
  });

  it('knows no number of another account', async () => {
    const stranger = await openTenant(waybill);
    for (const phoneNumberId of [stranger.phoneNumberId, 'nobody']) {
      for (const webhookUrl of ['https://shop.example/hook', null]) {
        const answer = await patch({ webhookUrl }, phoneNumberId);
        expect(answer.status).to.equal(404);
        expect(answer.body).to.deep.equal({ error: 'Phone number not found' });
      }
    }
  });

  const refused: [string, unknown, string][] = [['plain http', 'http://shop.example/hook', HTTPS]];
  for (const [what, webhookUrl, message] of refused) {
    it(`refuses ${what}`, async () => {
      const answer = await patch({ webhookUrl });
      expect(answer.status).to.equal(400);
      expect(answer.body).to.deep.equal({
        error: { formErrors: [], fieldErrors: { webhookUrl: [message] } },
      });
      expect(await stored()).to.equal(null);
    });
  }

  it('refuses values that are no text, and a URL that is too long', async () => {
    for (const webhookUrl of [
      7,
      {},
      ['https://shop.example/'],
      `https://a.example/${'x'.repeat(3000)}`,
    ]) {
      const answer = await patch({ webhookUrl });
      expect(answer.status).to.equal(400);
      expect(answer.body.error.fieldErrors.webhookUrl).to.have.lengthOf(1);
    }
  });
});
