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
  const happens = 'PhoneDirectSendBarred';

  it('remembers it for a day, once', () => {
    const [late, over] = [1, 0].map((ms) => bar('not_onboarded', Date.parse(until) - ms));
    givenLinked.when(bar('not_onboarded')).thenHappened(barred);
    givenBarred.when(late!).thenNothing();
    givenBarred.when(over!).thenHappened(happens, { until: '2026-11-28T09:30:00.000Z' });
    givenBarred.when(bar('restricted')).thenHappened(happens, { state: 'restricted', until });
  });

  it('forgets it with the link, and remembers none of an unlinked number', () => {
    const givenAgain = given(linked, barred, unlinked, linked);
    givenAgain.when(bar('not_onboarded')).thenHappened(happens, { until });
    givenUnlinked.when(bar('restricted')).thenNothing();
  });
});

describe('a number', () => {
  it('is linked to one account at a time', () => {
    const link = (of = terms) => ({ type: 'Link' as const, terms: of });
    const other = { ...terms, accountId: 'acc_2' };
    given().when(link()).thenHappened('PhoneLinked', terms);
    givenLinked.when(link()).thenRefused('number.linked');
    givenUnlinked.when(link(other)).thenHappened('PhoneLinked', { accountId: 'acc_2' });
  });

  it('names each account that has had it once, the latest last, and forgets the oldest of many', () => {
    const linkedTo = (accountId: string) => PhoneLinked.of({ ...terms, accountId });
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
    givenLinked.when({ type: 'Unlink', phoneNumberId }).thenHappened(unlinked);
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
    const again = { links: 2, accountId, webhookUrl: null };
    expect(given(linked, webhook, unlinked, linked).state).to.include(again);
  });

  it('stores each new token, and null', () => {
    const set = (accessToken: typeof token | null) =>
      ({ type: 'SetToken', phoneNumberId, accessToken }) as const;
    const tokenSet = PhoneTokenSet.of({ phoneNumberId, accessToken: token });
    given(linked, tokenSet).when(set(token)).thenHappened(tokenSet);
    givenLinked.when(set(null)).thenHappened('PhoneTokenSet', { accessToken: null });
    expect(given(linked, tokenSet).state).to.deep.equal(given(linked).state);
  });

  it('takes a URL only from its own account, and the same URL once', () => {
    const set = { type: 'SetWebhook' as const, phoneNumberId, accountId, webhookUrl };
    const none = { ...set, webhookUrl: null };
    const webhook = PhoneWebhookSet.of({ phoneNumberId, webhookUrl });
    givenLinked.when(set).thenHappened(webhook);
    givenLinked.when({ ...set, accountId: 'acc_2' }).thenRefused('number.unknown');
    givenLinked.when(none).thenNothing();
    const givenWebhook = given(linked, webhook);
    givenWebhook.when(set).thenNothing();
    givenWebhook.when(none).thenHappened('PhoneWebhookSet', { webhookUrl: null });
  });

  it('changes only the given fields of its profile, without an event when all are equal', () => {
    const note = (qualityRating: string) =>
      ({ type: 'NoteProfile', phoneNumberId, profile: { qualityRating } }) as const;
    const red = { ...profile, qualityRating: 'RED' };
    const readRed = PhoneProfileRead.of({ phoneNumberId, profile: red });
    givenLinked.when(note('RED')).thenHappened(readRed);
    givenLinked.when(note('GREEN')).thenNothing();
    given(linked, readRed).when(note('GREEN')).thenHappened('PhoneProfileRead', { profile });
  });

  it('stores what the provider says of the subscription once, anew for each link', () => {
    const on = { subscribed: true, problem: null };
    const note = (change: { subscribed?: null; problem?: string } = {}) =>
      ({ type: 'NoteSubscription', phoneNumberId, ...on, ...change }) as const;
    const read = PhoneSubscriptionRead.of({ phoneNumberId, ...on });
    const givenRead = given(linked, read);
    const givenAgain = given(linked, read, unlinked, linked);
    const problem = 'No permission';
    givenLinked.when(note()).thenHappened(read);
    givenLinked.when(note({ subscribed: null })).thenNothing();
    givenRead.when(note()).thenNothing();
    givenRead.when(note({ problem })).thenHappened('PhoneSubscriptionRead', { problem });
    givenAgain.when(note()).thenHappened(read);
    givenUnlinked.when(note()).thenRefused('number.unknown');
  });

  it('stores a notice once, with its fields of the profile', () => {
    const told = PhoneNoticed.of(notice('n1'));
    const red = { ...noticed('n1'), profile: { qualityRating: 'RED' } };
    const read = { profile: { ...profile, qualityRating: 'RED' } };
    givenLinked.when(noticed('n1')).thenHappened(told);
    givenLinked.when(red).thenHappened(told, { type: 'PhoneProfileRead', data: read });
    given(linked, told).when(red).thenNothing();
  });

  it('remembers the latest 100 notices', () => {
    const heard: PhoneFact[] = Array.from({ length: 100 }, (_, at) =>
      PhoneNoticed.of(notice(`n${at}`)),
    );
    const givenHeard = given(linked, ...heard);
    givenHeard.when(noticed('n0')).thenNothing();
    const more = [...heard, PhoneNoticed.of(notice('n100'))];
    const givenMore = given(linked, ...more);
    givenMore.when(noticed('n1')).thenNothing();
    givenMore.when(noticed('n0')).thenHappened('PhoneNoticed', { noticeId: 'n0' });
  });
});
