import { expect } from 'chai';
import { answered, succeeded } from '../../support/answered.ts';
import { makeAdministrator } from '../../support/people.ts';
import { notify, typesOf, useWaybill } from '../../support/surface.ts';
import { type Json, nextMessage, openTenant } from '../../support/waybill.ts';

describe('new keys for tokens and for the hashes of keys', () => {
  const on = useWaybill();
  const admin = (method: string, path: string, body?: unknown) =>
    succeeded(on.waybill.admin(method, path, body), path);
  const typesIn = async (stream: string) => typesOf(await on.waybill.events(stream));

  it('row 79: take over what is stored, and every key and token stays valid', async () => {
    const { waybill } = on;
    const tenant = await openTenant(waybill, { templates: ['order_shipped'] });
    const { accountId, apiKey, phoneNumberId } = tenant;
    const { id, token } = await makeAdministrator(waybill);
    const own = (method: string, path: string, body?: Json) =>
      waybill.call(method, `/v1${path}`, { token: apiKey, ...(body && { body }) });
    const hook = { url: 'https://hook.example/in', events: ['message.received'] };
    const webhook = await answered(201, own('POST', '/webhooks', hook));

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
    const { secretHash } = hashed.find(({ type }) => type === 'ApiKeyRehashed').data;
    expect(secretHash).to.match(new RegExp(`^${made.key}\\.[0-9a-f]{64}$`));
    const ofWebhook = await typesIn(`webhook-${accountId}.${webhook.body.id}`);
    expect(ofWebhook).to.include('WebhookSecretsSealed');

    // Nothing of it is another one: the key, the administrator's token, the number's token.
    nextMessage(tenant)
      .matchHeader('authorization', `Bearer token-of-${phoneNumberId}`)
      .reply(200, { messages: [{ id: 'wamid.of-another-key' }] });
    await answered(200, notify(waybill, tenant));
    await answered(200, own('GET', '/credits'));
    await answered(200, waybill.call('GET', '/admin/v1/organisations', { token }));
    // A wrong key is as wrong as before.
    const wrong = `${apiKey.slice(0, -1)}${apiKey.endsWith('x') ? 'y' : 'x'}`;
    await answered(401, waybill.call('GET', '/v1/credits', { token: wrong }));
    // What is made from now on is under the new one, too.
    const later = await openTenant(waybill);
    expect(await renew(`/accounts/${later.accountId}`)).to.deep.equal({ renewed: 0 });
    await answered(200, waybill.call('GET', '/v1/credits', { token: later.apiKey }));
  });

  it('leave a token alone that is replaced meanwhile', async () => {
    const { accountId, phoneNumberId } = await openTenant(on.waybill);
    await admin('POST', '/secret/rotations');
    await admin('PUT', `/numbers/${phoneNumberId}/access-token`, { accessToken: 'EAAnother' });
    const before = (await typesIn(`phone-${phoneNumberId}`)).length;
    // Its key is older, the new token is not.
    const renewed = await admin('POST', `/accounts/${accountId}/renew-secrets`);
    expect(renewed).to.deep.equal({ renewed: 1 });
    expect(await typesIn(`phone-${phoneNumberId}`)).to.have.length(before);
  });
});
