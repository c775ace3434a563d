import { expect } from 'chai';
import { useTenant } from '../../support/surface.ts';
import {
  type Json,
  providerAccepts,
  providerHasTemplates,
  templateAnswer,
} from '../../support/waybill.ts';

const CODE = '739105';
const parameters = [{ type: 'text', text: CODE }];
const components = [
  { type: 'body', parameters },
  { type: 'button', sub_type: 'url', index: '0', parameters },
];

describe('the code of an authentication message', () => {
  const on = useTenant();

  it('goes out through /v1/messages/send and is kept nowhere', async () => {
    const { call } = on;
    providerHasTemplates(on.tenant, templateAnswer('login_code', { category: 'AUTHENTICATION' }));
    const { bodies } = providerAccepts(on.tenant, 2);
    const template = { name: 'login_code', components };
    const message = { to: '+919812345678', type: 'template', template };
    for (const _ of [1, 2]) {
      expect((await call('POST', '/v1/messages/send', message)).status).to.equal(200);
    }
    for (const sent of bodies) expect(sent.template.components).to.deep.equal(components);
    await on.waybill.settled();
    const shown = (await call('GET', '/v1/messages')).body.messages as Json[];
    const timelines = await Promise.all(
      shown.map(({ id }) => call('GET', `/v1/messages/${id}/timeline`)),
    );
    const threads = (await call('GET', '/v1/conversations')).body;
    const log = await on.waybill.log();
    const all = JSON.stringify([shown, timelines.map(({ body }) => body), threads, log]);
    expect(all).to.contain(on.tenant.accountId);
    expect(all).not.to.contain(CODE);
  });
});
