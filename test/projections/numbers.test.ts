import { expect } from 'chai';
import type { Fact } from '../../src/events/define.ts';
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
const HOOK = 'https://shop.example/hook';
const of = (fact: Fact, at = NOW) => written('phone-1001', fact, at);
const linked = (accountId = 'acc_1', at = NOW) => {
  const terms = { wabaId: '2001', accountId, accessToken, profile, messagesPerSecond: 80 };
  return of(PhoneLinked.of({ phoneNumberId, ...terms }), at);
};
const webhook = (webhookUrl: string | null) =>
  of(PhoneWebhookSet.of({ phoneNumberId, webhookUrl }));
const unlinked = of(PhoneUnlinked.of({ phoneNumberId, accountId: 'acc_1' }));

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
    const barred = of(PhoneDirectSendBarred.of({ phoneNumberId, ...bar }));
    const shown = (...events: ReturnType<typeof linked>[]) =>
      history(...events).document(phoneNumberId)?.directSendBar;
    expect(shown(linked(), barred)).to.deep.equal(bar);
    expect(shown(linked(), barred, unlinked, linked())).to.equal(null);
  });
  it('follows its token, its webhook and what the provider says of it', () => {
    const blockers = ['Register it'];
    const read = { ...profile, qualityRating: 'RED', registered: false, blockers };
    history(
      linked(),
      of(PhoneTokenSet.of({ phoneNumberId, accessToken: null })),
      of(PhoneProfileRead.of({ phoneNumberId, profile: read })),
      of(PhoneSubscriptionRead.of({ phoneNumberId, subscribed: false, problem: 'No permission' })),
      webhook(HOOK),
    ).thenShows(phoneNumberId, {
      ...read,
      subscribed: false,
      subscriptionProblem: 'No permission',
      accessToken: null,
      webhookUrl: HOOK,
      linked: true,
    });
    history(linked(), webhook(HOOK), webhook(null)).thenShows(phoneNumberId, { webhookUrl: null });
  });
  it('keeps a number that was unlinked, without its secrets', () =>
    history(linked(), webhook('https://shop.example/secret'), unlinked).thenShows(phoneNumberId, {
      linked: false,
      accessToken: null,
      webhookUrl: null,
      accountId: 'acc_1',
    }));
  it('begins again when any account links it again', () =>
    history(linked(), webhook(HOOK), unlinked, linked('acc_2', NOW + 1000)).thenShows(
      phoneNumberId,
      {
        accountId: 'acc_2',
        linked: true,
        webhookUrl: null,
        linkedAt: '2026-11-21T12:00:01.000Z',
        order: positionAt(3),
      },
    ));
  it('knows nothing of a number that was never linked', () =>
    history(webhook(HOOK), unlinked).thenHas(0));
});
