import { expect } from 'chai';
import nock from 'nock';
import { answered, bodyOf } from '../../support/answered.ts';
import {
  fieldErrorsOf,
  notified,
  notify,
  providerHasNumber,
  providerSubscribes,
  typesOf,
  useTenant,
  useWaybill,
} from '../../support/surface.ts';
import {
  type Json,
  openTenant,
  PROVIDER,
  providerAccepts,
  providerHasTemplates,
  templateAnswer,
  VERSION,
} from '../../support/waybill.ts';

describe('Administration of numbers @long', () => {
  const on = useTenant({ number: false });
  let linked = 0;
  const post = (path: string, body: Json = {}) => on.waybill.admin('POST', path, body);
  const fresh = () => {
    linked += 1;
    return { phoneNumberId: `77700000${1000 + linked}`, wabaId: on.tenant.wabaId };
  };
  const link = (place: Json, change: Json = {}) =>
    post(`/accounts/${on.tenant.accountId}/numbers`, { ...place, ...change });

  it('are linked with the profile of the provider when there is a token', async () => {
    const place = fresh();
    providerHasNumber(place, { quality_rating: 'YELLOW' });
    const given = { displayPhoneNumber: '+1 555 0199', verifiedName: 'As given' };
    const linking = link(place, { accessToken: 'EAA-secret-token', ...given });
    const { body } = await answered(201, linking);
    expect(body).to.deep.equal({
      ...place,
      accountId: on.tenant.accountId,
      displayPhoneNumber: '+1 555-010-0001',
      verifiedName: 'Shop X',
      qualityRating: 'YELLOW',
      hasAccessToken: true,
      registered: true,
      subscribed: null,
      subscriptionProblem: null,
      messagesPerSecond: 80,
      messagingLimit: null,
      messagingAccountId: null,
      webhookUrl: null,
      linkedAt: '2026-11-21T12:00:00.000Z',
    });
    const stored = JSON.stringify(await on.waybill.events(`phone-${place.phoneNumberId}`));
    expect(stored).not.to.contain('EAA-secret-token');
  });

  it('are not linked with malformed fields, nor to an unknown account', async () => {
    const wrong: [Json, string][] = [
      [{ phoneNumberId: '' }, 'phoneNumberId'],
      [{ phoneNumberId: 5 }, 'phoneNumberId'],
      [{ phoneNumberId: 'a/b' }, 'phoneNumberId'],
      [{ wabaId: undefined }, 'wabaId'],
      [{ accessToken: 'two words' }, 'accessToken'],
      [{ messagesPerSecond: 0 }, 'messagesPerSecond'],
    ];
    for (const [change, field] of wrong) {
      expect(fieldErrorsOf(await link(fresh(), change))).to.deep.equal([field]);
    }
    await answered(404, post('/accounts/none/numbers', fresh()));
    await answered(404, on.waybill.admin('GET', '/accounts/none/numbers'));
  });

  it('are listed newest first and read one by one', async () => {
    const [first, second] = [fresh(), fresh()];
    await link(first);
    await link(second);
    const { body } = await on.waybill.admin('GET', `/accounts/${on.tenant.accountId}/numbers`);
    const ids = body.numbers.map(({ phoneNumberId }: Json) => phoneNumberId);
    expect(ids).to.deep.equal([second.phoneNumberId, first.phoneNumberId]);
    const one = await bodyOf(200, on.waybill.admin('GET', `/numbers/${first.phoneNumberId}`));
    expect(one).to.deep.equal(body.numbers[1]);
    await answered(404, on.waybill.admin('GET', '/numbers/none'));
  });

  it('get a token, lose it, and can send only with one', async () => {
    const place = fresh();
    await link(place);
    providerHasTemplates(place, templateAnswer('order_shipped'));
    const send = () => notify(on.waybill, on.tenant);
    const setToken = (accessToken: string | null, id = place.phoneNumberId) =>
      on.waybill.admin('PUT', `/numbers/${id}/access-token`, { accessToken });
    expect((await send()).body.code).to.equal('NO_PHONE');
    expect((await setToken('new-token')).body.hasAccessToken).to.equal(true);
    providerAccepts(place);
    await answered(200, send());
    expect((await setToken(null)).body.hasAccessToken).to.equal(false);
    expect((await send()).body.code).to.equal('NO_PHONE');
    await answered(404, setToken('x', 'none'));
  });

  const registration = (place: Json) =>
    nock(PROVIDER).post(`/${VERSION}/${place.phoneNumberId}/register`);

  it('are registered with the PIN, and shown so', async () => {
    const place = fresh();
    providerHasNumber(place, { status: 'DISCONNECTED', platform_type: 'NOT_APPLICABLE' });
    expect((await link(place, { accessToken: 'a-token' })).body.registered).to.equal(false);
    nock.cleanAll();
    let sent: Json;
    registration(place).reply(200, async (request: Request) => {
      sent = await request.json();
      return { success: true };
    });
    providerHasNumber(place);
    const path = `/numbers/${place.phoneNumberId}/register`;
    const body = await bodyOf(200, post(path, { pin: '123456' }));
    expect(body.registered).to.equal(true);
    expect(sent).to.deep.include({ pin: '123456', messaging_product: 'whatsapp' });
    const stored = JSON.stringify(await on.waybill.events(`phone-${place.phoneNumberId}`));
    expect(stored).not.to.contain('123456');
  });

  it('are registered: 502 with the provider’s words, and 400 for a malformed PIN', async () => {
    const place = fresh();
    providerHasNumber(place);
    await link(place, { accessToken: 'a-token' });
    const error = { code: 133005, message: '(#133005) Two-step PIN mismatch' };
    registration(place).reply(400, { error });
    const path = `/numbers/${place.phoneNumberId}/register`;
    const { body } = await answered(502, post(path, { pin: '000000' }));
    expect(JSON.stringify(body)).to.contain('PIN mismatch');
    for (const pin of ['12345', '1234567', 'abcdef', 123456, '１２３４５６', '12345\n']) {
      expect(fieldErrorsOf(await post(path, { pin })), String(pin)).to.deep.equal(['pin']);
    }
    await answered(404, post('/numbers/none/register', { pin: '123456' }));
  });

  it('are linked where the provider refuses their subscription, which a refresh tries again', async () => {
    const place = fresh();
    providerHasNumber(place);
    providerSubscribes(place, { refusal: { code: 200, message: '(#200) Permissions error' } });
    const { body } = await answered(201, link(place, { accessToken: 'a-token' }));
    expect(body.subscribed).to.equal(false);
    expect(body.subscriptionProblem).to.contain('Permissions error');
    nock.cleanAll();
    providerHasNumber(place);
    providerSubscribes(place);
    const shown = await bodyOf(200, post(`/numbers/${place.phoneNumberId}/refresh`));
    expect(shown).to.include({ subscribed: true, subscriptionProblem: null });
  });

  it('are read again on demand', async () => {
    const place = fresh();
    providerHasNumber(place);
    await link(place, { accessToken: 'a-token' });
    nock.cleanAll();
    providerHasNumber(place, { quality_rating: 'RED', verified_name: 'Shop Z' });
    const path = `/numbers/${place.phoneNumberId}/refresh`;
    const { body } = await answered(200, post(path));
    expect(body).to.deep.include({ qualityRating: 'RED', verifiedName: 'Shop Z' });
    await post(path);
    const events = await on.waybill.events(`phone-${place.phoneNumberId}`);
    expect(typesOf(events)).to.deep.equal(['PhoneLinked', 'PhoneProfileRead']);
    nock.cleanAll();
    nock(PROVIDER).persist().get(/.*/).reply(503, 'down');
    await answered(502, post(path));
  });

  it('show what can be sent from them as callers see it, and without a token too', async () => {
    const place = fresh();
    const path = `/numbers/${place.phoneNumberId}/readiness`;
    await answered(404, on.waybill.admin('GET', path));
    await link(place);
    const bare = await answered(200, on.waybill.admin('GET', `${path}?refresh=true`));
    expect(bare.body).to.include({ phoneNumberId: place.phoneNumberId, total: 18, ready: 0 });
    providerHasNumber(place);
    const token = { accessToken: 'a-token' };
    await on.waybill.admin('PUT', `/numbers/${place.phoneNumberId}/access-token`, token);
    providerHasTemplates(place, templateAnswer('order_shipped'));
    const { body } = await on.waybill.admin('GET', `${path}?refresh=true`);
    expect(body.ready).to.equal(1);
    const query = `phoneNumberId=${place.phoneNumberId}`;
    const callers = await on.call('GET', `/v1/notifications/events?${query}`);
    expect(body).to.deep.equal(callers.body);
  });

  it('are unlinked and free for another account, their history stays', async () => {
    const place = fresh();
    providerHasNumber(place);
    await link(place, { accessToken: 'a-token' });
    providerHasTemplates(place, templateAnswer('order_shipped'));
    const { ids } = providerAccepts(place);
    const { call } = on;
    await notify(on.waybill, on.tenant);
    const unlink = () => on.waybill.admin('DELETE', `/numbers/${place.phoneNumberId}`);
    expect((await answered(200, unlink())).body).to.deep.equal({ success: true });
    await answered(404, unlink());
    await answered(404, on.waybill.admin('GET', `/numbers/${place.phoneNumberId}`));
    expect((await call('GET', `/v1/notifications/status/${ids[0]}`)).body.status).to.equal('sent');
    const other = await openTenant(on.waybill, { number: false });
    await answered(201, post(`/accounts/${other.accountId}/numbers`, place));
    expect((await call('GET', '/v1/phones')).body).to.deep.equal([]);
  });
});

describe('The health of all numbers @long', () => {
  // It moves the clock.
  const on = useWaybill();

  it('names what is wrong with each, and whether statuses come', async () => {
    const tenant = await openTenant(on.waybill, { number: false });
    const { wabaId } = tenant;
    const link = (number: Json, change: Json = {}) =>
      on.waybill.admin('POST', `/accounts/${tenant.accountId}/numbers`, { ...number, ...change });
    const place = { phoneNumberId: '7771', wabaId };
    providerHasNumber(place, { quality_rating: 'RED' });
    await link(place, { accessToken: 'EAA-secret-token' });
    const bare = { phoneNumberId: '7772', wabaId };
    await link(bare);
    const healthOf = async ({ phoneNumberId }: Json) => {
      const { body } = await answered(200, on.waybill.admin('GET', '/numbers/health?limit=100'));
      return body.numbers.find((one: Json) => one.phoneNumberId === phoneNumberId);
    };
    expect(await healthOf(bare)).to.include({ ...bare, hasAccessToken: false, waitingSince: null });
    expect((await healthOf(bare)).problems).to.deep.equal(['token']);
    expect((await healthOf(place)).problems).to.deep.equal(['quality']);

    const other = await openTenant(on.waybill, { templates: ['order_shipped'] });
    await notified(on.waybill, other);
    const sentAt = new Date(on.waybill.clock.now()).toISOString();
    expect(await healthOf(other)).to.include({ waitingSince: sentAt });
    expect((await healthOf(other)).problems).to.deep.equal([]);
    on.waybill.clock.advance(15 * 60_000);
    expect((await healthOf(other)).problems).to.deep.equal(['silent']);
    await on.waybill.admin('DELETE', `/numbers/${bare.phoneNumberId}`);
    expect(await healthOf(bare)).to.equal(undefined);
  });
});
