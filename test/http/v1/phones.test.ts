import { expect } from 'chai';
import nock from 'nock';
import {
  OUR_APP,
  providerHasNumber,
  providerSubscribes,
  useTenant,
} from '../../support/surface.ts';
import { numberAnswer, openTenant, PROVIDER, VERSION } from '../../support/waybill.ts';

describe('GET /v1/phones', () => {
  const on = useTenant();
  const read = async (token = on.tenant.apiKey) => {
    const { status, body } = await on.waybill.call('GET', '/v1/phones', { token });
    expect(status).to.equal(200);
    return body;
  };
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

  it('shows the fields of each number', async () => {
    expect(await read()).to.deep.equal([
      {
        phoneNumberId: on.tenant.phoneNumberId,
        displayPhoneNumber: '+1 555-010-0001',
        verifiedName: 'Shop X',
        qualityRating: 'GREEN',
        subscribed: null,
        messagingLimit: null,
        messagingAccountId: null,
      },
    ]);
  });

  it('lists the newest first, those without a token too', async () => {
    const [second, third] = ['8', '9'].map((digit) => on.tenant.phoneNumberId + digit);
    await link(second!, { quality_rating: 'RED', verified_name: 'Shop Y' });
    await link(third!);
    expect(await read()).to.deep.equal([
      {
        phoneNumberId: third,
        displayPhoneNumber: '+1 555 0199',
        verifiedName: 'As given',
        qualityRating: null,
        subscribed: null,
        messagingLimit: null,
        messagingAccountId: null,
      },
      {
        phoneNumberId: second,
        displayPhoneNumber: '+1 555-010-0001',
        verifiedName: 'Shop Y',
        qualityRating: 'RED',
        subscribed: null,
        messagingLimit: null,
        messagingAccountId: null,
      },
      (await read())[2],
    ]);
    expect((await read())[2].phoneNumberId).to.equal(on.tenant.phoneNumberId);
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
