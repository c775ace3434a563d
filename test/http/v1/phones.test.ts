import { expect } from 'chai';
import nock from 'nock';
import { bodyOf } from '../../support/answered.ts';
import {
  OUR_APP,
  providerHasNumber,
  providerSubscribes,
  useTenant,
} from '../../support/surface.ts';
import { numberAnswer, openTenant, PROVIDER, VERSION } from '../../support/waybill.ts';

describe('GET /v1/phones', () => {
  const on = useTenant();
  const read = (token = on.tenant.apiKey) =>
    bodyOf(200, on.waybill.call('GET', '/v1/phones', { token }));
  const link = (phoneNumberId: string, answer?: object) => {
    const reply = nock(PROVIDER).get(`/${VERSION}/${phoneNumberId}`).query(true);
    if (answer) reply.reply(200, { ...numberAnswer(phoneNumberId), ...answer });
    return on.waybill.admin('POST', `/accounts/${on.tenant.accountId}/numbers`, {
      phoneNumberId,
      wabaId: on.tenant.wabaId,
      displayPhoneNumber: '+1 555 0199',
      verifiedName: 'As given',
      ...(answer && { accessToken: 'a-token' }),
    });
  };

  const healthy = {
    displayPhoneNumber: '+1 555-010-0001',
    verifiedName: 'Shop X',
    qualityRating: 'GREEN',
    subscribed: null,
    messagingLimit: null,
    messagingAccountId: null,
  };

  it('shows the fields of each number', async () => {
    const { phoneNumberId } = on.tenant;
    expect(await read()).to.deep.equal([{ phoneNumberId, ...healthy }]);
  });

  it('lists the newest first, those without a token too', async () => {
    const [first, second, third] = ['', '8', '9'].map((digit) => on.tenant.phoneNumberId + digit);
    await link(second!, { quality_rating: 'RED', verified_name: 'Shop Y' });
    await link(third!);
    const given = { displayPhoneNumber: '+1 555 0199', verifiedName: 'As given' };
    expect(await read()).to.deep.equal([
      { ...healthy, phoneNumberId: third, ...given, qualityRating: null },
      { ...healthy, phoneNumberId: second, verifiedName: 'Shop Y', qualityRating: 'RED' },
      { ...healthy, phoneNumberId: first },
    ]);
  });

  it('shows whether the provider sends its notices here', async () => {
    providerHasNumber(on.tenant);
    providerSubscribes(on.tenant, { apps: [OUR_APP] });
    await on.waybill.admin('POST', `/numbers/${on.tenant.phoneNumberId}/refresh`, {});
    expect((await read())[0].subscribed).to.equal(true);
  });

  it('shows UNKNOWN for an unknown rating', async () => {
    for (const rating of ['NA', 'SOMETHING_NEW', 'UNKNOWN']) {
      nock.cleanAll();
      providerHasNumber(on.tenant, { quality_rating: rating });
      await on.waybill.admin('POST', `/numbers/${on.tenant.phoneNumberId}/refresh`, {});
      expect((await read())[0].qualityRating, rating).to.equal('UNKNOWN');
    }
  });

  it('is an empty list without numbers, and shows none of other accounts', async () => {
    const bare = await openTenant(on.waybill, { number: false });
    expect(await read(bare.apiKey)).to.deep.equal([]);
  });
});
