import { expect } from 'chai';
import nock from 'nock';
import { createGraphProvider } from '../../src/provider/provider.graph.ts';
import {
  type Provider,
  ProviderRefused,
  ProviderUnreachable,
} from '../../src/provider/provider.ts';
import { useStubbedConnections } from '../support/network.ts';
import { sender } from '../support/provider.ts';

const HOST = 'https://graph.example';
const NUMBER = '/v25.0/100000000000001';

const healthy = {
  id: '100000000000001',
  display_phone_number: '+1 555-010-0001',
  verified_name: 'Shop X',
  quality_rating: 'GREEN',
  status: 'CONNECTED',
  platform_type: 'CLOUD_API',
  code_verification_status: 'VERIFIED',
};

describe('GraphProvider and numbers', () => {
  let provider: Provider;

  useStubbedConnections();
  beforeEach(() => {
    provider = createGraphProvider({ baseUrl: HOST, version: 'v25.0', timeoutMs: 60_000 });
  });
  afterEach(() => provider.close());

  const read = (body: object) => {
    nock(HOST).get(NUMBER).query(true).reply(200, body);
    return provider.readNumber(sender());
  };
  const failureOf = (promise: Promise<unknown>): Promise<Error> =>
    promise.then(
      () => Promise.reject(new Error('it did not fail')),
      (error: Error) => error,
    );

  it('reads one that can send', async () => {
    expect(await read(healthy)).to.deep.equal({
      displayPhoneNumber: '+1 555-010-0001',
      verifiedName: 'Shop X',
      qualityRating: 'GREEN',
      registered: true,
      blockers: [],
    });
  });

  it('asks for what it needs, with the token', async () => {
    nock(HOST, { reqheaders: { authorization: `Bearer ${sender().accessToken}` } })
      .get(NUMBER)
      .query(({ fields }) => /verified_name.*health_status/.test(String(fields)))
      .reply(200, healthy);
    await provider.readNumber(sender());
  });

  for (const [what, change, registered] of [
    ['is on no platform', { platform_type: 'NOT_APPLICABLE' }, false],
    ['is registered elsewhere', { platform_type: 'ON_PREMISE' }, false],
    ['is pending', { status: 'PENDING' }, false],
    ['is disconnected', { status: 'DISCONNECTED', platform_type: undefined }, false],
    ['is connected', { platform_type: undefined }, true],
    ['is flagged', { status: 'FLAGGED' }, true],
    ['says nothing of it', { status: undefined, platform_type: undefined }, null],
  ] as const) {
    it(`takes one that ${what} for registered: ${registered}`, async () => {
      const profile = await read({ ...healthy, ...change });
      expect(profile.registered).to.equal(registered);
      expect(profile.blockers).to.have.length(registered === false ? 1 : 0);
    });
  }

  it('names the fix for an unregistered one', async () => {
    const [blocker] = (await read({ ...healthy, platform_type: 'NOT_APPLICABLE' })).blockers;
    expect(blocker).to.include('133010').and.include('6-digit two-step PIN');
  });

  it('says why the provider blocks sending, and what helps', async () => {
    const health_status = {
      can_send_message: 'BLOCKED',
      entities: [
        { entity_type: 'PHONE_NUMBER', can_send_message: 'AVAILABLE' },
        {
          entity_type: 'WABA',
          can_send_message: 'BLOCKED',
          errors: [
            {
              error_code: 141006,
              error_description: 'Payment method problem',
              possible_solution: 'Add a payment method',
            },
          ],
        },
        { entity_type: 'BUSINESS', can_send_message: 'LIMITED', additional_info: ['x'] },
      ],
    };
    expect((await read({ ...healthy, health_status })).blockers).to.deep.equal([
      'The provider blocks the business account (error 141006): Payment method problem. Add a payment method.',
    ]);
  });

  it('has a word for a block without a reason', async () => {
    const { blockers } = await read({
      ...healthy,
      health_status: { can_send_message: 'BLOCKED', entities: 'none' },
    });
    expect(blockers).to.have.length(1);
  });

  for (const status of ['BANNED', 'RESTRICTED']) {
    it(`shows that one is ${status.toLowerCase()}`, async () => {
      expect((await read({ ...healthy, status })).blockers).to.have.length(1);
    });
  }

  it('takes the older word for an unknown quality, and none for null', async () => {
    expect((await read({ ...healthy, quality_rating: 'NA' })).qualityRating).to.equal('UNKNOWN');
    expect((await read({ ...healthy, quality_rating: null })).qualityRating).to.equal(null);
  });

  it("throws the provider's no, without the token in it", async () => {
    const message = `Malformed access token ${sender().accessToken}`;
    nock(HOST)
      .get(NUMBER)
      .query(true)
      .reply(401, { error: { message, code: 190 } });
    const error = await failureOf(provider.readNumber(sender()));
    expect(error).to.be.instanceOf(ProviderRefused);
    expect((error as ProviderRefused).refusal).to.include({ code: 190, httpStatus: 401 });
    expect(JSON.stringify(error) + error.message).to.not.include(sender().accessToken);
  });

  it('throws that it cannot be reached', async () => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    nock(HOST).get(NUMBER).query(true).replyWithError(reset);
    expect(await failureOf(provider.readNumber(sender()))).to.be.instanceOf(ProviderUnreachable);
  });

  it('registers one, and asks once only', async () => {
    const register = () =>
      nock(HOST).post(`${NUMBER}/register`, { messaging_product: 'whatsapp', pin: '123456' });
    register().reply(200, { success: true });
    await provider.registerNumber(sender(), '123456');
    register().reply(400, { error: { message: 'slow down', code: 80007 } });
    expect(await failureOf(provider.registerNumber(sender(), '123456'))).to.be.instanceOf(
      ProviderRefused,
    );
    register().reply(200, { success: false });
    expect(await failureOf(provider.registerNumber(sender(), '123456'))).to.be.instanceOf(
      ProviderRefused,
    );
  });
});
