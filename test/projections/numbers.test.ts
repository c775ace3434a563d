import { expect } from 'chai';
import {
  PhoneDirectSendBarred,
  PhoneLinked,
  PhoneProfileRead,
  PhoneSubscriptionRead,
  PhoneTokenSet,
  PhoneUnlinked,
  PhoneWebhookSet,
} from '../../src/events/phone.ts';
import { numbers } from '../../src/projections/numbers.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';
import { NOW } from '../support/samples.ts';

const history = given(numbers);
const phoneNumberId = '1001';
const accessToken = { key: 'k1', iv: 'i', tag: 't', text: 'sealed' };
const profile = {
  displayPhoneNumber: '+91 98765 43210',
  verifiedName: 'Acme',
  qualityRating: 'GREEN',
  registered: true,
  blockers: [],
  limits: [],
};
const linked = (accountId = 'acc_1', at = NOW) =>
  written(
    'phone-1001',
    PhoneLinked.of({
      phoneNumberId,
      wabaId: '2001',
      accountId,
      accessToken,
      profile,
      messagesPerSecond: 80,
    }),
    at,
  );
const webhook = (webhookUrl: string | null) =>
  written('phone-1001', PhoneWebhookSet.of({ phoneNumberId, webhookUrl }));
const unlinked = written('phone-1001', PhoneUnlinked.of({ phoneNumberId, accountId: 'acc_1' }));

describe('numbers', () => {
  it('shows a number as it was linked', () =>
    history(linked()).thenIs(phoneNumberId, {
      phoneNumberId,
      wabaId: '2001',
      accountId: 'acc_1',
      accessToken,
      ...profile,
      messagingLimit: null,
      messagingAccountId: null,
      messagesPerSecond: 80,
      subscribed: null,
      subscriptionProblem: null,
      directSendBar: null,
      webhookUrl: null,
      linkedAt: '2026-11-21T12:00:00.000Z',
      linked: true,
      order: positionAt(0),
    }));
  it('keeps why its business account sends nothing without a template, until it is linked anew', () => {
    const bar = { state: 'restricted' as const, until: '2026-11-22T12:00:00.000Z' };
    const barred = written('phone-1001', PhoneDirectSendBarred.of({ phoneNumberId, ...bar }));
    const shown = (...events: ReturnType<typeof linked>[]) =>
      history(...events).document(phoneNumberId)?.directSendBar;
    expect(shown(linked(), barred)).to.deep.equal(bar);
    expect(shown(linked(), barred, unlinked, linked())).to.equal(null);
  });
  it('follows its token, its webhook and what the provider says of it', () => {
    const read = {
      ...profile,
      qualityRating: 'RED',
      registered: false,
      blockers: ['Register it'],
      limits: [],
    };
    history(
      linked(),
      written('phone-1001', PhoneTokenSet.of({ phoneNumberId, accessToken: null })),
      written('phone-1001', PhoneProfileRead.of({ phoneNumberId, profile: read })),
      written(
        'phone-1001',
        PhoneSubscriptionRead.of({ phoneNumberId, subscribed: false, problem: 'No permission' }),
      ),
      webhook('https://shop.example/hook'),
    ).thenShows(phoneNumberId, {
      ...read,
      subscribed: false,
      subscriptionProblem: 'No permission',
      accessToken: null,
      webhookUrl: 'https://shop.example/hook',
      linked: true,
    });
    history(linked(), webhook('https://shop.example/hook'), webhook(null)).thenShows(
      phoneNumberId,
      {
        webhookUrl: null,
      },
    );
  });
  it('keeps a number that was unlinked, without its secrets', () =>
    history(linked(), webhook('https://shop.example/secret'), unlinked).thenShows(phoneNumberId, {
      linked: false,
      accessToken: null,
      webhookUrl: null,
      accountId: 'acc_1',
    }));
  it('begins again when any account links it again', () =>
    history(
      linked(),
      webhook('https://shop.example/hook'),
      unlinked,
      linked('acc_2', NOW + 1000),
    ).thenShows(phoneNumberId, {
      accountId: 'acc_2',
      linked: true,
      webhookUrl: null,
      linkedAt: '2026-11-21T12:00:01.000Z',
      order: positionAt(3),
    }));
  it('knows nothing of a number that was never linked', () =>
    history(webhook('https://shop.example/hook'), unlinked).thenHas(0));
});
