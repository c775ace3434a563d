import { expect } from 'chai';
import nock from 'nock';
import { ProviderRefused } from '../../../src/provider/provider.ts';
import { sender } from '../../support/provider.ts';
import { failureOf } from '../../support/spec.ts';
import { GRAPH, useGraphProvider } from './stage.ts';

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
  const provider = useGraphProvider();

  const read = (body: object) => {
    nock(GRAPH).get(NUMBER).query(true).reply(200, body);
    return provider.readNumber(sender());
  };

  /** What is told of a number with this health. */
  const told = async (can_send_message: string, entities: unknown) =>
    read({ ...healthy, health_status: { can_send_message, entities } });

  it('reads one that can send', async () => {
    expect(await read(healthy)).to.deep.equal({
      displayPhoneNumber: '+1 555-010-0001',
      verifiedName: 'Shop X',
      qualityRating: 'GREEN',
      registered: true,
      blockers: [],
      limits: [],
    });
  });

  it('tells how much the business may send', async () => {
    const shown = { whatsapp_business_manager_messaging_limit: 'TIER_2K' };
    expect(await read({ ...healthy, ...shown })).to.include({ messagingLimit: 'TIER_2K' });
    expect(await read(healthy)).not.to.have.property('messagingLimit');
  });

  it('names the fix for an unregistered one', async () => {
    const [blocker] = (await read({ ...healthy, platform_type: 'NOT_APPLICABLE' })).blockers;
    expect(blocker).to.include('133010').and.include('6-digit two-step PIN');
    expect(blocker).not.to.include('must be verified first');
  });

  for (const word of ['NOT_VERIFIED', 'UNVERIFIED']) {
    it(`names ${word} as what keeps one from sending, once`, async () => {
      const change = { code_verification_status: word };
      const { blockers } = await read({ ...healthy, ...change });
      expect(blockers).to.have.length(1);
      expect(blockers[0]).to.contain('not verified').and.contain('code');
      const both = await read({ ...healthy, ...change, platform_type: 'NOT_APPLICABLE' });
      expect(both.blockers).to.have.length(1);
      expect(both.blockers[0]).to.contain('133010').and.contain('must be verified first');
    });
  }

  it('takes an expired verification for harmless, unless it is not registered', async () => {
    const expired = { ...healthy, code_verification_status: 'EXPIRED' };
    expect((await read(expired)).blockers).to.deep.equal([]);
    const { blockers } = await read({ ...expired, platform_type: 'NOT_APPLICABLE' });
    expect(blockers[0]).to.contain('must be verified first');
  });

  it('names what the provider limits, and why', async () => {
    const limited = async (...entities: object[]) => {
      const { blockers, limits } = await told('LIMITED', entities);
      expect(blockers).to.deep.equal([]);
      return limits;
    };
    const business = { entity_type: 'BUSINESS', can_send_message: 'LIMITED' };
    const reasons = ['Business not verified', 'Display name pending.'];
    expect(await limited({ ...business, additional_info: reasons })).to.deep.equal([
      'The provider limits the business (LIMITED): Business not verified.',
      'The provider limits the business (LIMITED): Display name pending.',
    ]);
    const bare = 'see the WhatsApp Manager for the reason.';
    expect(await limited(business, { ...business, entity_type: 'X' })).to.deep.equal([
      `The provider limits the business (LIMITED): ${bare}`,
      `The provider limits the account (LIMITED): ${bare}`,
    ]);
    expect(await limited()).to.deep.equal([`The provider limits the account (LIMITED): ${bare}`]);
  });

  it('describes a block without a reason', async () => {
    expect((await told('BLOCKED', 'none')).blockers).to.have.length(1);
  });

  for (const status of ['BANNED', 'RESTRICTED']) {
    it(`shows that one is ${status.toLowerCase()}`, async () => {
      expect((await read({ ...healthy, status })).blockers).to.have.length(1);
    });
  }

  it('accepts the older word for an unknown quality, and no quality', async () => {
    expect((await read({ ...healthy, quality_rating: 'NA' })).qualityRating).to.equal('UNKNOWN');
    expect((await read({ ...healthy, quality_rating: null })).qualityRating).to.equal(null);
  });

  it('registers a number with a single call', async () => {
    const register = () =>
      nock(GRAPH).post(`${NUMBER}/register`, { messaging_product: 'whatsapp', pin: '123456' });
    const refusal = () => failureOf<ProviderRefused>(provider.registerNumber(sender(), '123456'));
    let asked = 0;
    const throttled = () => {
      asked += 1;
      return { error: { message: 'slow down', code: 80007 } };
    };
    register().times(8).reply(400, throttled);
    expect(await refusal()).to.be.instanceOf(ProviderRefused);
    expect(asked).to.equal(1);
    nock.cleanAll();
    register().reply(200, { success: false });
    const refused = await refusal();
    expect(refused).to.be.instanceOf(ProviderRefused);
    expect(refused.refusal).to.include({ httpStatus: 200 });
  });

  it('says of each state whether the number is registered', async () => {
    const registered = async (change: object) => (await read({ ...healthy, ...change })).registered;
    for (const status of ['PENDING', 'DISCONNECTED', 'UNVERIFIED', 'DELETED', 'MIGRATED']) {
      expect(await registered({ status }), status).to.equal(false);
      expect(await registered({ status, platform_type: undefined }), status).to.equal(false);
    }
    expect(await registered({ platform_type: 'ON_PREMISE' })).to.equal(false);
    const unsaid = { platform_type: undefined };
    expect(await registered(unsaid)).to.equal(true);
    expect(await registered({ ...unsaid, status: undefined })).to.equal(null);
    expect(await registered({ ...unsaid, status: 'UNKNOWN' })).to.equal(null);
    expect(await registered({ status: 'UNKNOWN' })).to.equal(true);
    expect(await registered({ status: undefined })).to.equal(true);
  });

  it('names the blocked entity with error, reason and fix', async () => {
    const blocked = async (entity: object) => {
      const entities = [{ can_send_message: 'BLOCKED', ...entity }, { can_send_message: 'OK' }];
      return (await told('BLOCKED', entities)).blockers;
    };
    const errors = [
      { error_code: 141006, error_description: 'No card', possible_solution: 'Pay!' },
    ];
    const words = { PHONE_NUMBER: 'number', WABA: 'business account', BUSINESS: 'business' };
    for (const [entity_type, word] of Object.entries({ ...words, APP: 'app', NEW: 'account' })) {
      expect(await blocked({ entity_type, errors }), entity_type).to.deep.equal([
        `The provider blocks the ${word} (error 141006): No card. Pay!`,
      ]);
    }
    expect(await blocked({ entity_type: 'WABA', errors: [{}] })).to.deep.equal([
      'The provider blocks the business account: no reason given. See the WhatsApp Manager.',
    ]);
    expect(await blocked({ entity_type: 'WABA' })).to.deep.equal([
      'The provider blocks the business account: see the WhatsApp Manager for the reason and the fix.',
    ]);
    const questions = [{ error_description: 'Why?', possible_solution: 'Ask' }];
    expect(await blocked({ entity_type: 'APP', errors: questions })).to.deep.equal([
      'The provider blocks the app: Why? Ask.',
    ]);
  });

  it('names 10 blockers of 300 characters at most', async () => {
    const errors = (count: number, length: number) =>
      Array.from({ length: count }, () => ({ error_description: 'x'.repeat(length) }));
    const blockers = async (count: number, length = 1) => {
      const entity = { can_send_message: 'BLOCKED', errors: errors(count, length) };
      return (await told('BLOCKED', [entity])).blockers;
    };
    expect(await blockers(10)).to.have.length(10);
    expect(await blockers(11)).to.have.length(10);
    const rest = (await blockers(1, 1))[0]!.length - 1;
    expect((await blockers(1, 300 - rest))[0])
      .to.have.length(300)
      .and.not.match(/…/);
    expect((await blockers(1, 301 - rest))[0])
      .to.have.length(300)
      .and.match(/…$/);
  });
});
