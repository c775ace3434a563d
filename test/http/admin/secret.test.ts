import { expect } from 'chai';
import nock from 'nock';
import { makeAdministrator } from '../../support/people.ts';
import { notify, typesOf, useWaybill } from '../../support/surface.ts';
import { type Json, openTenant, PROVIDER, VERSION } from '../../support/waybill.ts';

describe('new keys for tokens and for the hashes of keys', () => {
  const on = useWaybill();
  const admin = async (method: string, path: string, body?: unknown) => {
    const answer = await on.waybill.admin(method, path, body);
    expect(answer.status, `${path}: ${JSON.stringify(answer.body)}`).to.be.below(300);
    return answer.body;
  };
  const typesIn = async (stream: string) => typesOf(await on.waybill.events(stream));

  it('row 79: take over what is stored, and every key and token stays valid', async () => {
    const { waybill } = on;
    const tenant = await openTenant(waybill, { templates: ['order_shipped'] });
    const { accountId, apiKey, phoneNumberId } = tenant;
    const { id, token } = await makeAdministrator(waybill);
    const webhook = await waybill.call('POST', '/v1/webhooks', {
      token: apiKey,
      body: { url: 'https://hook.example/in', events: ['message.received'] },
    });
    expect(webhook.status).to.equal(201);

    const made = await admin('POST', '/secret/rotations');
    expect(made).to.include({ waitMs: 0 });
    expect(made.key).to.match(/^v2-/);
    const renew = (path: string) => admin('POST', `${path}/renew-secrets`);
    expect(await renew(`/accounts/${accountId}`)).to.deep.equal({ renewed: 3 });
    expect(await renew(`/accounts/${accountId}`)).to.deep.equal({ renewed: 0 });
    expect(await renew(`/administrators/${id}`)).to.deep.equal({ renewed: 1 });
    expect(await renew(`/administrators/${id}`)).to.deep.equal({ renewed: 0 });

    const phone = (await waybill.events(`phone-${phoneNumberId}`)).at(-1) as Json;
    expect([phone.type, phone.data.accessToken.key]).to.deep.equal(['PhoneTokenSet', made.key]);
    const handle = apiKey.slice('wb_live_'.length, 'wb_live_'.length + 8);
    const hashed = (await waybill.events(`apikey-key_${handle}`)) as Json[];
    expect(hashed.find(({ type }) => type === 'ApiKeyRehashed').data.secretHash).to.match(
      new RegExp(`^${made.key}\\.[0-9a-f]{64}$`),
    );
    expect(await typesIn(`webhook-${accountId}.${webhook.body.id}`)).to.include(
      'WebhookSecretsSealed',
    );

    // Nothing of it is another one: the key, the administrator's token, the number's token.
    const provider = nock(PROVIDER, {
      reqheaders: { authorization: `Bearer token-of-${phoneNumberId}` },
    })
      .post(`/${VERSION}/${phoneNumberId}/messages`)
      .reply(200, { messages: [{ id: 'wamid.of-another-key' }] });
    const sent = await notify(waybill, tenant);
    expect([sent.status, provider.isDone()]).to.deep.equal([200, true]);
    expect((await waybill.call('GET', '/v1/credits', { token: apiKey })).status).to.equal(200);
    const asAuditor = await waybill.call('GET', '/admin/v1/organisations', { token });
    expect(asAuditor.status).to.equal(200);
    // A wrong key is as wrong as before.
    const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('x') ? 'y' : 'x'}`;
    expect((await waybill.call('GET', '/v1/credits', { token: wrong })).status).to.equal(401);
    // What is made from now on is under the new one, too.
    const later = await openTenant(waybill);
    expect(await renew(`/accounts/${later.accountId}`)).to.deep.equal({ renewed: 0 });
    expect((await waybill.call('GET', '/v1/credits', { token: later.apiKey })).status).to.equal(
      200,
    );
  });

  it('leave a token alone that is replaced meanwhile', async () => {
    const { accountId, phoneNumberId } = await openTenant(on.waybill);
    await admin('POST', '/secret/rotations');
    await admin('PUT', `/numbers/${phoneNumberId}/access-token`, { accessToken: 'EAAnother' });
    const before = (await typesIn(`phone-${phoneNumberId}`)).length;
    // Its key is older, the new token is not.
    expect(await admin('POST', `/accounts/${accountId}/renew-secrets`)).to.deep.equal({
      renewed: 1,
    });
    expect(await typesIn(`phone-${phoneNumberId}`)).to.have.length(before);
  });
});
