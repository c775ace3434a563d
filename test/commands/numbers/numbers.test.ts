import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import type { NumberRecord } from '../../../src/commands/core/lookups.ts';
import { createNumbers } from '../../../src/commands/numbers/numbers.ts';
import { phoneDecider } from '../../../src/commands/numbers/phone.ts';
import {
  ProviderRefused,
  ProviderUnreachable,
  type Sender,
  type Subscription,
} from '../../../src/provider/provider.ts';
import { createSecrets } from '../../../src/shared/secrets.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { accountRecord, profile as profileOf } from '../../support/samples.ts';
import { codeOf, failureOf } from '../../support/spec.ts';

const context = { requestId: 'r' };
const secrets = createSecrets(Buffer.alloc(32, 1));
const profile = profileOf({
  displayPhoneNumber: '+1 555',
  qualityRating: 'GREEN',
  registered: true,
});
const refusal = { code: 100, subcode: null, message: 'wrong PIN', httpStatus: 400 };
const request = { accountId: 'acc_1', phoneNumberId: '10', wabaId: '20' };
const withToken = { ...request, accessToken: 'EAAG' };
const away = new ProviderUnreachable('away');
const refused = new ProviderRefused(refusal);
const broken = new Error('broken');

/** Numbers whose provider reads and registers like this. */
const open = ({
  read = async () => profile,
  register = async () => undefined,
  subscribe = (): Promise<Subscription> => Promise.reject(away),
} = {}) => {
  const { store, events } = createMemoryLog();
  const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
  const asked: [what: string, sender: Sender, pin?: string][] = [];
  const number = async (phoneNumberId: string) => {
    const { state } = await writer.load(phoneDecider, phoneNumberId);
    if (state.accountId === null) return undefined;
    const last = events.findLast(({ type }) => type === 'PhoneLinked' || type === 'PhoneTokenSet');
    const { accessToken } = last!.data as Pick<NumberRecord, 'accessToken'>;
    const known = { phoneNumberId, wabaId: '20', accountId: state.accountId, accessToken };
    return { ...known, messagesPerSecond: 80 } as NumberRecord;
  };
  const numbers = createNumbers({
    writer,
    secrets,
    lookups: {
      number,
      account: async (id) => (id === 'none' ? undefined : accountRecord(id)),
    },
    provider: {
      async readNumber(sender: Sender) {
        asked.push(['read', sender]);
        return read();
      },
      async registerNumber(sender: Sender, pin: string) {
        asked.push(['register', sender, pin]);
        return register();
      },
      subscribe: () => subscribe(),
    } as never,
  });
  return { numbers, events, asked, last: () => events.at(-1)! };
};

describe('numbers', () => {
  it('are linked with what the provider says, and their token is sealed', async () => {
    const { numbers, asked, last } = open();
    const given = { displayPhoneNumber: '+1 000', verifiedName: 'Given', messagesPerSecond: 5 };
    await numbers.link({ ...request, ...given, accessToken: 'EAAG' }, context);
    const sender = { phoneNumberId: '10', wabaId: '20', accessToken: 'EAAG', messagesPerSecond: 5 };
    expect(asked).to.deep.equal([['read', sender]]);
    const { data, meta, stream } = last();
    const { accessToken, ...rest } = data as { accessToken: never };
    expect(rest).to.deep.include({ ...request, profile, messagesPerSecond: 5 });
    expect(secrets.open(accessToken, 'phone-10')).to.equal('EAAG');
    expect([stream, meta.accountId]).to.deep.equal(['phone-10', 'acc_1']);
    expect(JSON.stringify(data)).not.to.include('EAAG');
  });

  it('are linked with what is given, where there is no token or no provider', async () => {
    const bare = open();
    await bare.numbers.link(request, context);
    expect(bare.asked).to.deep.equal([]);
    const unknown = { qualityRating: null, registered: null, blockers: [], limits: [] };
    expect(bare.last().data).to.deep.include({
      accessToken: null,
      messagesPerSecond: 80,
      profile: { displayPhoneNumber: '', verifiedName: '', ...unknown },
    });
    const given = { displayPhoneNumber: '+1 000', verifiedName: 'Given' };
    for (const error of [away, refused]) {
      const { numbers, last } = open({ read: () => Promise.reject(error) });
      await numbers.link({ ...withToken, ...given }, context);
      expect(last().data).to.deep.include({ profile: { ...given, ...unknown } });
    }
    const { numbers, events } = open({ read: () => Promise.reject(broken) });
    expect(await failureOf(numbers.link(withToken, context))).to.equal(broken);
    expect(events).to.deep.equal([]);
  });

  it('subscribe the app after they are linked, and fail for a fault of our own only', async () => {
    const subscribed = { subscribed: true, problem: null };
    const { numbers, events } = open({ subscribe: async () => subscribed });
    await numbers.link(withToken, context);
    expect(events.map(({ type }) => type)).to.deep.equal(['PhoneLinked', 'PhoneSubscriptionRead']);
    expect(events[1]!.data).to.deep.equal({ phoneNumberId: '10', ...subscribed });
    await numbers.refresh('10', context);
    expect(events).to.have.length(2);
    const failing = open({ subscribe: () => Promise.reject(broken) });
    expect(await failureOf(failing.numbers.link(withToken, context))).to.equal(broken);
  });

  it('keep what the provider says before they subscribe the app again', async () => {
    const seen: string[][] = [];
    let name = 'Shop';
    const { numbers, events } = open({
      read: async () => ({ ...profile, verifiedName: name }),
      async subscribe() {
        seen.push(events.map(({ type }) => type));
        return { subscribed: true, problem: null };
      },
    });
    await numbers.link(withToken, context);
    name = 'Other';
    await numbers.refresh('10', context);
    expect(seen[1]).to.deep.equal(['PhoneLinked', 'PhoneSubscriptionRead', 'PhoneProfileRead']);
    name = 'Third';
    await numbers.register('10', '123456', context);
    expect(events.at(-1)!.data).to.have.nested.property('profile.verifiedName', 'Third');
  });

  it('are linked to an account that is known, once', async () => {
    const { numbers } = open();
    const unknown = numbers.link({ ...request, accountId: 'none' }, context);
    expect(await codeOf(unknown)).to.equal('resource.unknown');
    await numbers.link(request, context);
    expect(await codeOf(numbers.link(request, context))).to.equal('number.linked');
  });

  it('take a token and lose it, on behalf of their account', async () => {
    const { numbers, last } = open();
    await numbers.link(request, context);
    await numbers.setToken('10', 'EAAG', context);
    const { accessToken } = last().data as { accessToken: never };
    expect(secrets.open(accessToken, 'phone-10')).to.equal('EAAG');
    expect(last().meta).to.include({ accountId: 'acc_1', requestId: 'r' });
    await numbers.setToken('10', null, context);
    expect(last().data).to.deep.include({ accessToken: null });
  });

  it('are registered with a PIN, and read again', async () => {
    let registered = false;
    const { numbers, asked, last } = open({ read: async () => ({ ...profile, registered }) });
    await numbers.link(withToken, context);
    registered = true;
    await numbers.register('10', '123456', context);
    expect(asked.map(([what]) => what)).to.deep.equal(['read', 'register', 'read']);
    expect(asked.map(([, , pin]) => pin)).to.deep.equal([undefined, '123456', undefined]);
    expect(last().data).to.have.nested.property('profile.registered', true);
    expect(last().meta.accountId).to.equal('acc_1');
  });

  it('are taken for registered where the provider said so and cannot be read', async () => {
    for (const error of [away, refused]) {
      const reads = [{ ...profile, registered: false, blockers: ['unregistered'], limits: [] }];
      const { numbers, last } = open({ read: async () => reads.pop() ?? Promise.reject(error) });
      await numbers.link(withToken, context);
      await numbers.register('10', '123456', context);
      const unblocked = { 'profile.registered': true, 'profile.blockers': [] };
      expect(last().data).to.deep.nested.include(unblocked);
    }
  });

  it('say why the provider did not register or show them', async () => {
    const { numbers, events } = open({ register: () => Promise.reject(refused) });
    await numbers.link(withToken, context);
    const error = await failureOf(numbers.register('10', '1', context));
    expect(error).to.include({ code: 'provider.failed', cause: refused });
    expect(error.message).to.equal('The provider refused: wrong PIN');
    expect(error.details).to.include({ providerCode: 100, providerMessage: 'wrong PIN' });
    expect(events).to.have.length(1);
    const reads = [profile];
    const unread = open({ read: async () => reads.pop() ?? Promise.reject(away) });
    await unread.numbers.link(withToken, context);
    const unreached = await failureOf(unread.numbers.refresh('10', context));
    expect(unreached).to.include({ code: 'provider.failed', cause: away });
    expect(unreached.message).to.equal('The provider could not be reached');
  });

  it('are refreshed, unlinked, and unknown from then on', async () => {
    let now = profile;
    const { numbers, last } = open({ read: async () => now });
    await numbers.link(withToken, context);
    now = { ...profile, qualityRating: 'RED' };
    await numbers.refresh('10', context);
    expect(last().data).to.have.nested.property('profile.qualityRating', 'RED');
    await numbers.unlink('10', context);
    expect(last()).to.include({ type: 'PhoneUnlinked' });
    expect(last().meta.accountId).to.equal('acc_1');
    const all = [
      numbers.refresh('10', context),
      numbers.unlink('10', context),
      numbers.register('10', '1', context),
      numbers.setToken('10', null, context),
    ];
    for (const work of all) expect(await codeOf(work)).to.equal('number.unknown');
  });
});
