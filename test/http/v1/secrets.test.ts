import { expect } from 'chai';
import nock from 'nock';
import { useWaybill } from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  type Tenant,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

const CODE = '739105';
const parameters = [{ type: 'text', text: CODE }];
const components = [
  { type: 'body', parameters },
  { type: 'button', sub_type: 'url', index: '0', parameters },
];

describe('the code of an authentication message', () => {
  const on = useWaybill();
  let tenant: Tenant;
  beforeEach(async () => {
    tenant = await openTenant(on.waybill);
  });

  const call = (method: string, path: string, body?: Json) =>
    on.waybill.call(method, path, { token: tenant.apiKey, ...(body && { body }) });
  const sendTemplate = (name: string) =>
    call('POST', '/v1/messages/send', {
      to: '+919812345678',
      type: 'template',
      template: { name, components },
    });
  const isKeptNowhere = async () => {
    await on.waybill.settled();
    const shown = (await call('GET', '/v1/messages')).body.messages as Json[];
    const timelines = await Promise.all(
      shown.map(({ id }) => call('GET', `/v1/messages/${id}/timeline`)),
    );
    const threads = (await call('GET', '/v1/conversations')).body;
    const log = await on.waybill.log();
    const all = JSON.stringify([shown, timelines.map(({ body }) => body), threads, log]);
    expect(all).to.contain(tenant.accountId);
    expect(all).not.to.contain(CODE);
  };

  it('goes out through /v1/messages/send and is kept nowhere', async () => {
    providerHasTemplates(tenant, templateAnswer('login_code', { category: 'AUTHENTICATION' }));
    const { bodies } = providerAccepts(tenant, 2);
    expect((await sendTemplate('login_code')).status).to.equal(200);
    expect((await sendTemplate('login_code')).status).to.equal(200);
    for (const { template } of bodies) expect(template.components).to.deep.equal(components);
    await isKeptNowhere();
  });

  it('is kept nowhere where the category cannot be read', async () => {
    nock(PROVIDER)
      .get(`/${VERSION}/${tenant.wabaId}/message_templates`)
      .query(true)
      .reply(503, 'no');
    const { bodies } = providerAccepts(tenant);
    expect((await sendTemplate('login_code')).status).to.equal(200);
    expect(bodies[0].template.components).to.deep.equal(components);
    await isKeptNowhere();
  });

  it('is kept nowhere where the provider refuses the send', async () => {
    providerHasTemplates(tenant, templateAnswer('login_code', { category: 'AUTHENTICATION' }));
    nock(PROVIDER)
      .post(`/${VERSION}/${tenant.phoneNumberId}/messages`)
      .reply(400, { error: { code: 131026, message: 'undeliverable' } });
    expect((await sendTemplate('login_code')).status).to.equal(502);
    await isKeptNowhere();
  });

  it('is kept nowhere though the provider holds the catalog’s template as another category', async () => {
    providerHasTemplates(tenant, templateAnswer('otp_verification', { category: 'MARKETING' }));
    const { bodies } = providerAccepts(tenant);
    const { status, headers } = await call('POST', '/v1/notifications/send', {
      to: '+919812345678',
      event: 'otp_verification',
      variables: { otp: CODE },
    });
    expect([status, headers['x-message-category']]).to.deep.equal([200, 'MARKETING']);
    expect(JSON.stringify(bodies[0].template.components)).to.contain(CODE);
    await isKeptNowhere();
  });

  it('leaves the components of other templates in the history', async () => {
    providerHasTemplates(tenant, templateAnswer('note', { category: 'UTILITY' }));
    providerAccepts(tenant);
    await sendTemplate('note');
    await on.waybill.settled();
    const [message] = (await call('GET', '/v1/messages')).body.messages;
    expect(message.content.components).to.deep.equal(components);
  });
});
