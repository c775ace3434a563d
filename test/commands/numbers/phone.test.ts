import { expect } from 'chai';
import { phoneDecider } from '../../../src/commands/numbers/phone.ts';
import {
  PhoneDirectSendBarred,
  type PhoneFact,
  PhoneLinked,
  PhoneNoticed,
  PhoneProfileRead,
  PhoneSubscriptionRead,
  PhoneTokenSet,
  PhoneUnlinked,
  PhoneWebhookSet,
} from '../../../src/events/phone.ts';
import { profile as profileOf } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';

const phoneNumberId = '100000000000001';
const accountId = 'acc_1';
const token = { key: 'k', iv: 'i', tag: 't', text: 'x' };
const profile = profileOf({ qualityRating: 'GREEN', registered: true });
const terms = {
  phoneNumberId,
  accountId,
  profile,
  wabaId: '200000000000002',
  accessToken: token,
  messagesPerSecond: 80,
};
const linked = PhoneLinked.of(terms);
const unlinked = PhoneUnlinked.of({ phoneNumberId, accountId });
const webhookUrl = 'https://shop.example/hook';
const notice = (noticeId: string) => ({
  phoneNumberId,
  noticeId,
  about: 'quality' as const,
  word: 'FLAGGED',
  noticedAt: null,
});
const given = spec(phoneDecider);
const givenUnlinked = given(linked, unlinked);
const givenLinked = given(linked);
const noticed = (noticeId: string) => ({
  type: 'Notice' as const,
  phoneNumberId,
  profile: {},
  notice: notice(noticeId),
});

describe('a number whose business account sends nothing without a template', () => {
  const now = Date.parse('2026-11-26T09:30:00.000Z');
  const until = '2026-11-27T09:30:00.000Z';
  const bar = (state: 'not_onboarded' | 'restricted', at = now) => ({
    type: 'BarDirectSend' as const,
    phoneNumberId,
    state,
    now: at,
  });
  const barred = PhoneDirectSendBarred.of({ phoneNumberId, state: 'not_onboarded', until });
  const givenBarred = given(linked, barred);

  it('remembers it for a day, once', () => {
    givenLinked.when(bar('not_onboarded')).thenHappened('PhoneDirectSendBarred', barred.data);
    givenBarred.when(bar('not_onboarded', Date.parse(until) - 1)).thenNothing();
    givenBarred
      .when(bar('not_onboarded', Date.parse(until)))
      .thenHappened('PhoneDirectSendBarred', { until: '2026-11-28T09:30:00.000Z' });
    givenBarred
      .when(bar('restricted'))
      .thenHappened('PhoneDirectSendBarred', { state: 'restricted', until });
  });

  it('forgets it with the link, and remembers none of an unlinked number', () => {
    given(linked, barred, unlinked, linked)
      .when(bar('not_onboarded'))
      .thenHappened('PhoneDirectSendBarred', { until });
    givenUnlinked.when(bar('restricted')).thenNothing();
  });
});

describe('a number', () => {
  it('is linked to one account at a time', () => {
    given().when({ type: 'Link', terms }).thenHappened('PhoneLinked', terms);
    givenLinked.when({ type: 'Link', terms }).thenRefused('number.linked');
    givenUnlinked
      .when({ type: 'Link', terms: { ...terms, accountId: 'acc_2' } })
      .thenHappened('PhoneLinked', { accountId: 'acc_2' });
  });

  it('names each account that has had it once, the latest last, and forgets the oldest of many', () => {
    const linkedTo = (accountId: string) => PhoneLinked.of({ ...terms, accountId });
    const { accountId } = terms;
    const other = linkedTo('acc_2');
    const holders = (...facts: PhoneFact[]) => given(...facts).state.holders;
    expect(holders(linked, unlinked, linked)).to.deep.equal([accountId]);
    expect(holders(linked, unlinked, other)).to.deep.equal([accountId, 'acc_2']);
    expect(holders(linked, unlinked, other, unlinked, linked)).to.deep.equal(['acc_2', accountId]);
    const many = Array.from({ length: 21 }, (_, nth) => [linkedTo(`acc_${nth}`), unlinked]).flat();
    expect(holders(...many))
      .to.have.length(20)
      .and.to.not.include('acc_0');
  });

  it('is unlinked from the account that has it', () => {
    givenLinked
      .when({ type: 'Unlink', phoneNumberId })
      .thenHappened('PhoneUnlinked', { phoneNumberId, accountId });
  });

  const commands = [
    { type: 'Unlink' as const, phoneNumberId },
    { type: 'SetToken' as const, phoneNumberId, accessToken: token },
    { type: 'NoteProfile' as const, phoneNumberId, profile },
    { type: 'SetWebhook' as const, phoneNumberId, accountId, webhookUrl },
    noticed('n1'),
  ];
  for (const command of commands) {
    it(`is unknown to ${command.type} before it is linked, and after it was unlinked`, () => {
      given().when(command).thenRefused('number.unknown');
      givenUnlinked.when(command).thenRefused('number.unknown');
    });
  }

  it('counts its links, and starts each without the previous URL', () => {
    const webhook = PhoneWebhookSet.of({ phoneNumberId, webhookUrl });
    expect(given(linked, webhook).state).to.include({ links: 1, accountId, webhookUrl });
    expect(given(linked, webhook, unlinked).state).to.include({ links: 1, accountId: null });
    expect(given(linked, webhook, unlinked, linked).state).to.include({
      links: 2,
      accountId,
      webhookUrl: null,
    });
  });

  it('stores each new token, and null', () => {
    const set = { type: 'SetToken' as const, phoneNumberId };
    const tokenSet = PhoneTokenSet.of({ phoneNumberId, accessToken: token });
    given(linked, tokenSet)
      .when({ ...set, accessToken: token })
      .thenHappened('PhoneTokenSet', { phoneNumberId, accessToken: token });
    givenLinked
      .when({ ...set, accessToken: null })
      .thenHappened('PhoneTokenSet', { accessToken: null });
    expect(given(linked, tokenSet).state).to.deep.equal(given(linked).state);
  });

  it('takes a URL only from its own account, and the same URL once', () => {
    const set = { type: 'SetWebhook' as const, phoneNumberId, accountId };
    givenLinked
      .when({ ...set, webhookUrl })
      .thenHappened('PhoneWebhookSet', { phoneNumberId, webhookUrl });
    givenLinked.when({ ...set, accountId: 'acc_2', webhookUrl }).thenRefused('number.unknown');
    givenLinked.when({ ...set, webhookUrl: null }).thenNothing();
    const webhook = PhoneWebhookSet.of({ phoneNumberId, webhookUrl });
    const givenWebhook = given(linked, webhook);
    givenWebhook.when({ ...set, webhookUrl }).thenNothing();
    givenWebhook
      .when({ ...set, webhookUrl: null })
      .thenHappened('PhoneWebhookSet', { webhookUrl: null });
  });

  it('changes only the given fields of its profile, without an event when all are equal', () => {
    const note = { type: 'NoteProfile' as const, phoneNumberId };
    givenLinked
      .when({ ...note, profile: { qualityRating: 'RED' } })
      .thenHappened('PhoneProfileRead', {
        phoneNumberId,
        profile: { ...profile, qualityRating: 'RED' },
      });
    givenLinked.when({ ...note, profile: { qualityRating: 'GREEN' } }).thenNothing();
    const red = { ...profile, qualityRating: 'RED' };
    given(linked, PhoneProfileRead.of({ phoneNumberId, profile: red }))
      .when({ ...note, profile: { qualityRating: 'GREEN' } })
      .thenHappened('PhoneProfileRead', { profile });
  });

  it('stores what the provider says of the subscription once, anew for each link', () => {
    const note = { type: 'NoteSubscription' as const, phoneNumberId };
    const [on, none] = [
      { subscribed: true, problem: null },
      { subscribed: null, problem: null },
    ];
    const read = PhoneSubscriptionRead.of({ phoneNumberId, ...on });
    const givenRead = given(linked, read);
    givenLinked
      .when({ ...note, ...on })
      .thenHappened('PhoneSubscriptionRead', { phoneNumberId, ...on });
    givenLinked.when({ ...note, ...none }).thenNothing();
    givenRead.when({ ...note, ...on }).thenNothing();
    givenRead
      .when({ ...note, ...on, problem: 'No permission' })
      .thenHappened('PhoneSubscriptionRead', { problem: 'No permission' });
    given(linked, read, unlinked, linked)
      .when({ ...note, ...on })
      .thenHappened('PhoneSubscriptionRead', on);
    givenUnlinked.when({ ...note, ...on }).thenRefused('number.unknown');
  });

  it('stores a notice once, with its fields of the profile', () => {
    givenLinked.when(noticed('n1')).thenHappened('PhoneNoticed', notice('n1'));
    givenLinked
      .when({ ...noticed('n1'), profile: { qualityRating: 'RED' } })
      .thenHappened(
        { type: 'PhoneNoticed', data: notice('n1') },
        { type: 'PhoneProfileRead', data: { profile: { ...profile, qualityRating: 'RED' } } },
      );
    given(linked, PhoneNoticed.of(notice('n1')))
      .when({ ...noticed('n1'), profile: { qualityRating: 'RED' } })
      .thenNothing();
  });

  it('remembers the latest 100 notices', () => {
    const heard: PhoneFact[] = Array.from({ length: 100 }, (_, at) =>
      PhoneNoticed.of(notice(`n${at}`)),
    );
    given(linked, ...heard)
      .when(noticed('n0'))
      .thenNothing();
    const more = [...heard, PhoneNoticed.of(notice('n100'))];
    const givenMore = given(linked, ...more);
    givenMore.when(noticed('n1')).thenNothing();
    givenMore.when(noticed('n0')).thenHappened('PhoneNoticed', { noticeId: 'n0' });
  });
});
