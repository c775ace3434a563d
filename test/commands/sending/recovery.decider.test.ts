import { expect } from 'chai';
import { Rejected } from '../../../src/commands/inbound/rejected.ts';
import { recoveryDecider } from '../../../src/commands/sending/recovery.ts';
import { ChargeExpired, ChargeMatched, ChargeReleased } from '../../../src/events/recovery.ts';
import { spec } from '../../support/spec.ts';

const given = spec(recoveryDecider);

const [chargeId, accountId] = ['chg_0a_2', 'acc_0a'];
const match = (messageRef: string) => ({
  chargeId,
  accountId,
  messageRef,
  messageId: messageRef,
  phoneNumberId: '1',
  contactRef: 'ref_1',
  recipient: null,
});
const matched = ChargeMatched.of(match('wamid.1'));
const released = ChargeReleased.of({ chargeId, accountId, messageRef: 'wamid.1' });
const expired = ChargeExpired.of({ chargeId, accountId });
const win = (messageRef: string) => ({ type: 'Match' as const, match: match(messageRef) });
const release = (messageRef: string) => ({ type: 'Release' as const, messageRef });
const expire = { type: 'Expire' as const, chargeId, accountId };

describe('a charge of an interrupted send', () => {
  const givenMatched = given(matched);

  it('is won by one message', () => {
    given().when(win('wamid.1')).thenHappened(matched);
    givenMatched.when(win('wamid.1')).thenNothing();
    givenMatched.when(win('wamid.2')).thenThrows(Rejected, /has a message/);
  });

  it('expires once, unless a message has won it', () => {
    given().when(expire).thenHappened(expired);
    given(expired).when(expire).thenNothing();
    givenMatched.when(expire).thenNothing();
  });

  it('can be won after it has expired', () => {
    given(expired).when(win('wamid.1')).thenHappened(matched);
    expect(given(expired, matched).state).to.deep.include({ expired: true });
  });

  it('is free again when its message turns out to have another charge', () => {
    givenMatched.when(release('wamid.1')).thenHappened(released);
    givenMatched.when(release('wamid.2')).thenNothing();
    const givenReleased = given(matched, released);
    givenReleased.when(win('wamid.2')).thenHappened(ChargeMatched.of(match('wamid.2')));
    givenReleased.when(expire).thenHappened(expired);
  });
});
