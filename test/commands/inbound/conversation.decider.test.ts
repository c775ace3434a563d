import { expect } from 'chai';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import {
  ConversationAssigned,
  ForwardClaimed,
  MessageForwarded,
  MessageReceived,
  PreferenceReceived,
} from '../../../src/events/conversation.ts';
import { inboundMessage } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';

const given = spec(conversationDecider);
const AT = '2026-11-21T12:00:00.000Z';
const thread = { phoneNumberId: '10', contactRef: 'ref_1', accountId: 'acc_1' };
const ids = { waId: '919812345678', userId: null };
const message = (messageRef = 'wamid.1') => inboundMessage({ ...thread, messageRef });
const received = (messageRef?: string) => MessageReceived.of(message(messageRef));
const receive = { type: 'Receive' as const, message: message() };
const preference = {
  ...thread,
  ...ids,
  wabaId: '1',
  contactName: null,
  preferenceId: 'pref_1',
  category: 'marketing',
  value: 'stop',
  detail: null,
  receivedAt: AT,
};
const of = (messageRef = 'wamid.1') => ({ ...thread, messageRef });
const claim = (messageRef?: string) => ({ ...of(messageRef), host: 'shop.example', claimedAt: AT });
const outcome = (messageRef?: string) => ({
  ...of(messageRef),
  outcome: 'answered' as const,
  statusCode: 200,
  latencyMs: 1,
  error: null,
});
const claimForward = (messageRef?: string) => ({
  type: 'ClaimForward' as const,
  forward: claim(messageRef),
});
const noteForward = { type: 'NoteForward' as const, outcome: outcome() };
const leaveForward = { type: 'LeaveForward' as const, outcome: outcome() };

describe('a conversation and what comes into it', () => {
  it('takes each message and preference once', () => {
    given().when(receive).thenHappened(received());
    given(received()).when(receive).thenNothing();
    given(received('wamid.2')).when(receive).thenHappened(received());
    const note = { type: 'NotePreference' as const, preference };
    given().when(note).thenHappened(PreferenceReceived.of(preference));
    given(PreferenceReceived.of(preference)).when(note).thenNothing();
  });

  it('is forwarded by one, message by message', () => {
    const claimed = ForwardClaimed.of(claim());
    given(received()).when(claimForward()).thenHappened(claimed);
    given(received(), claimed).when(claimForward()).thenNothing();
    const next = ForwardClaimed.of(claim('wamid.2'));
    const givenTwo = given(received(), received('wamid.2'), claimed);
    givenTwo.when(claimForward('wamid.2')).thenHappened(next);
    given().when(claimForward()).thenNothing();
  });

  it('takes one outcome, of a message that was claimed', () => {
    const forwarded = MessageForwarded.of(outcome());
    const claimed = ForwardClaimed.of(claim());
    given(received()).when(noteForward).thenNothing();
    given(received(), claimed).when(noteForward).thenHappened(forwarded);
    given(received(), claimed, forwarded).when(noteForward).thenNothing();
    given(received(), claimed, forwarded).when(claimForward()).thenNothing();
    const other = ForwardClaimed.of(claim('wamid.2'));
    given(received(), other).when(noteForward).thenNothing();
  });

  it('leaves a message out once, and for good', () => {
    const left = MessageForwarded.of(outcome());
    given(received()).when(leaveForward).thenHappened(left);
    given(received(), left).when(leaveForward).thenNothing();
    given(received(), left).when(claimForward()).thenNothing();
    given(received(), ForwardClaimed.of(claim())).when(leaveForward).thenNothing();
  });

  it('remembers the latest 1000 messages', () => {
    const many = Array.from({ length: 1000 }, (_, index) => received(`wamid.x${index}`));
    const givenFewer = given(received(), ...many.slice(1));
    const givenMany = given(received(), ...many);
    givenFewer.when(receive).thenNothing();
    givenMany.when(receive).thenHappened(received());
  });

  it('is assigned once, unless another one has come to it with its assignee', () => {
    const assign = (personId: string | null, shown: string | null) =>
      ({ type: 'Assign', conversation: thread, anyway: false, personId, shown }) as const;
    const to = (personId: string | null) => ConversationAssigned.of({ ...thread, personId });
    given(received(), to('per_1')).when(assign('per_1', 'per_1')).thenNothing();
    given(received(), to('per_1')).when(assign('per_1', 'per_2')).thenHappened(to('per_1'));
    given(received()).when(assign(null, 'per_2')).thenHappened(to(null));
  });

  it('keeps a snapshot every 500 events', () =>
    expect(conversationDecider.snapshot?.every).to.equal(500));
});
