import { expect } from 'chai';
import fc from 'fast-check';
import { Rejected } from '../../../src/commands/inbound/rejected.ts';
import { messageDecider } from '../../../src/commands/sending/message.ts';
import {
  HiddenRecipient,
  IdTaken,
  NeedsSubject,
  type StatusUpdate,
  Unrecorded,
} from '../../../src/commands/sending/message-statuses.ts';
import {
  ChargeClaimed,
  ChargeClaimRefused,
  InboundIdClaimed,
  type MessageFact,
  MessageMarkedRead,
  MessageSent,
  StatusUpdated,
} from '../../../src/events/message.ts';
import { NOW, sentRecord, statusRecord, statusUpdate } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';

const given = spec(messageDecider);

const record = sentRecord({ accountId: 'acc_0a', chargeId: 'chg_0a_2' });
const { accountId, chargeId, contactRef } = record;
const statusAt = new Date(NOW).toISOString();
const claim = {
  messageRef: 'wamid.1',
  messageId: 'wamid.1',
  chargeId,
  accountId,
  contactRef,
  phoneNumberId: '100000000000001',
  recipient: { waId: '919812345678' },
  reservedAt: statusAt,
};
const update = (status: string): StatusUpdate =>
  statusUpdate({
    accountId,
    status,
    recipientWaId: '919812345678',
    chargeId,
    errorCode: status === 'failed' ? '131026' : null,
    errorMessage: status === 'failed' ? 'Message undeliverable' : null,
  });
const sent = MessageSent.of(record);
const givenSent = given(sent);
/** A status of the recorded message. */
const updated = (status: string, change: object = {}) =>
  StatusUpdated.of({
    ...statusRecord({ accountId, contactRef, status }),
    ...(status === 'failed' && { errorCode: '131026', errorMessage: 'Message undeliverable' }),
    ...change,
  });
/** A status that came before the record. */
const early = (status: string, change: object = {}) =>
  updated(status, {
    messageId: 'wamid.1',
    recipient: { waId: '919812345678' },
    chargeId,
    ...change,
  });
const givenClaimed = given(early('sent'), ChargeClaimed.of(claim));
const recordStatus = (status: string) => ({
  type: 'RecordStatus' as const,
  update: update(status),
  sealedFor: contactRef,
});

describe('message', () => {
  it('is recorded once', () => {
    given().when({ type: 'RecordSent', record }).thenHappened(sent);
    givenSent.when({ type: 'RecordSent', record }).thenNothing();
  });

  it('takes each word of delivery once, in whatever order', () => {
    given(sent, updated('read')).when(recordStatus('delivered')).thenHappened(updated('delivered'));
    given(sent, updated('read')).when(recordStatus('read')).thenNothing();
  });

  it('keeps the user id of the recipient once, until a status shows another one', () => {
    const shows = (status: string, userId: string) => {
      const command = recordStatus(status);
      return { ...command, update: { ...command.update, recipientUserId: userId } };
    };
    const told = (userId: string) => ({ recipient: { waId: null, userId } });
    const first = updated('sent', told('IN.1'));
    givenSent.when(shows('sent', 'IN.1')).thenHappened(first);
    given(sent, first).when(shows('delivered', 'IN.1')).thenHappened(updated('delivered'));
    const read = shows('read', 'IN.1');
    given(sent, first, updated('delivered')).when(read).thenHappened(updated('read'));
    const other = updated('delivered', told('IN.2'));
    given(sent, first).when(shows('delivered', 'IN.2')).thenHappened(other);
    given(sent, first, other)
      .when(read)
      .thenHappened(updated('read', told('IN.1')));
    const before = early('sent', { recipient: { waId: '919812345678', userId: 'IN.1' } });
    given(before, sent).when(read).thenHappened(updated('read'));
  });

  it('keeps a status that comes before the record of the send', () => {
    given().when(recordStatus('delivered')).thenHappened(early('delivered'));
    const command = { type: 'RecordSent' as const, record };
    const heard = (status: string) => MessageSent.of({ ...record, heard: status });
    given(early('delivered')).when(command).thenHappened(heard('delivered'));
    given(early('failed'), early('sent')).when(command).thenHappened(heard('failed'));
    given(early('sent')).when(command).thenHappened(sent);
    const elsewhere = early('delivered', { phoneNumberId: 'another' });
    given(elsewhere).when(command).thenHappened(sent);
  });

  it('asks for the record of the send to be looked for, where that is wanted', () => {
    const first = { ...recordStatus('delivered'), needsRecord: true };
    given().when(first).thenThrows(Unrecorded);
    givenSent.when(first).thenHappened(updated('delivered'));
  });

  it('waits with a status that carries a charge, one charge at a time', () => {
    const claimed = ChargeClaimed.of(claim);
    const first = { ...recordStatus('sent'), chargeClaim: claim };
    given().when(first).thenHappened(early('sent'), claimed);
    const other = { ...claim, chargeId: 'chg_0a_9' };
    givenClaimed.when({ ...recordStatus('read'), chargeClaim: other }).thenHappened(early('read'));
    const refused = ChargeClaimRefused.of({ messageRef: 'wamid.1', chargeId, accountId });
    const refuse = { type: 'RefuseChargeClaim', chargeId } as const;
    givenClaimed.when(refuse).thenHappened(refused);
    given(updated('sent'), claimed, refused).when(refuse).thenNothing();
    givenClaimed.when({ type: 'RefuseChargeClaim', chargeId: other.chargeId }).thenNothing();
  });

  it('has one charge for ever', () => {
    const other = { ...record, chargeId: 'chg_0a_9' };
    givenSent.when({ type: 'RecordSent', record: other }).thenThrows(IdTaken);
    expect(given(sent, MessageSent.of(other)).state.sent).to.deep.equal(record);
  });

  const elsewhere = (status: string) => ({ ...update(status), phoneNumberId: '999' });

  it('refuses a status of another number, and takes one of its own number once that has moved', () => {
    const foreign = { ...recordStatus('failed'), update: elsewhere('failed') };
    givenSent.when(foreign).thenThrows(Rejected, /another number/);
    const moved = { ...update('failed'), accountId: 'acc_0b' };
    givenSent.when({ ...recordStatus('failed'), update: moved }).thenHappened(updated('failed'));
  });

  it('leaves aside what came in at another number before the record or, in old logs, after it', () => {
    const before = given(early('failed', { phoneNumberId: '999' }), early('sent'), sent);
    expect(before.state).to.deep.include({ seen: ['sent'], status: 'sent', failed: false });
    before.when(recordStatus('failed')).thenHappened(updated('failed'));
    const after = given(sent, updated('failed', { phoneNumberId: '999' }));
    expect(after.state).to.deep.include({ seen: [], status: null, failed: false });
  });

  const { messageRef, phoneNumberId } = claim;
  const owner = { messageRef, accountId, phoneNumberId, contactRef };
  const taken = given(InboundIdClaimed.of(owner));
  const take = (change: object = {}) => ({
    type: 'ClaimInboundId' as const,
    owner: { ...owner, ...change },
  });

  it('gives the id of a customer’s message to one number', () => {
    given().when(take()).thenHappened(InboundIdClaimed.of(owner));
    taken.when(take()).thenNothing();
    const elsewhere = take({ phoneNumberId: '999' });
    taken.when(elsewhere).thenThrows(Rejected, /another number/);
    givenSent.when(take()).thenThrows(Rejected, /was sent/);
    taken.when(recordStatus('read')).thenThrows(Rejected, /customer/);
  });

  it('records once that the owner of a customer’s message marked it as read', () => {
    const note = (change: object = {}) => ({
      type: 'NoteRead' as const,
      owner: { ...owner, ...change },
    });
    taken.when(note()).thenHappened(MessageMarkedRead.of(owner));
    given(InboundIdClaimed.of(owner), MessageMarkedRead.of(owner)).when(note()).thenNothing();
    const elsewhere = note({ phoneNumberId: '999' });
    taken.when(elsewhere).thenThrows(Rejected, /no customer/);
    givenSent.when(note()).thenThrows(Rejected, /no customer/);
  });

  it('takes nothing twice of what the record and the statuses before it tell', () => {
    const pricing = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
    const priced = (status: string) => {
      const { update: plain, ...command } = recordStatus(status);
      return { ...command, update: { ...plain, pricing } };
    };
    givenSent.when(priced('sent')).thenHappened(updated('sent', { pricing }));
    const first = updated('sent', { pricing });
    const second = updated('delivered', { pricing: 'unchanged' });
    given(sent, first).when(priced('delivered')).thenHappened(second);
    const third = updated('read', { pricing: 'unchanged' });
    given(sent, first, second).when(priced('read')).thenHappened(third);
    const before = early('sent', { pricing });
    given(before, sent).when(priced('delivered')).thenHappened(second);
    expect(given(sent, first, second).state.pricing).to.deep.equal(pricing);
    const other = { ...recordStatus('read'), update: { ...update('read'), chargeId: 'chg_0a_9' } };
    givenSent.when(other).thenHappened(updated('read', { chargeId: 'chg_0a_9' }));
  });

  it('keeps no id of a charge that is none of ours: another program may write anything there', () => {
    const others = (status: string) => ({
      ...recordStatus(status),
      update: { ...update(status), chargeId: 'order 7 of Mia' },
    });
    for (const { when } of [given(), givenSent]) {
      const [fact] = when(others('read')).thenHappened('StatusUpdated', {});
      expect(fact!.data).to.not.have.property('chargeId');
    }
  });

  it('asks for the data key of its contact where a status holds something personal', () => {
    const { sealedFor: _, ...unsealed } = recordStatus('failed');
    for (const command of [unsealed, { ...unsealed, sealedFor: 'ref_other' }]) {
      givenSent.when(command).thenThrows(NeedsSubject);
    }
    const destroyed = { ...unsealed, sealedFor: null };
    givenSent.when(destroyed).thenHappened(updated('failed', { errorMessage: null }));
    givenSent.when({ type: 'RecordStatus', update: update('read') }).thenHappened(updated('read'));
  });

  it('recorded under a user id takes the status of today’s contact', () => {
    const hidden = MessageSent.of({ ...record, isHidden: true });
    const command = { type: 'RecordStatus' as const, update: update('read') };
    given(hidden).when(command).thenThrows(HiddenRecipient);
    const today = { ...command, contactRef: 'ref_now' };
    given(hidden)
      .when(today)
      .thenHappened(updated('read', { contactRef: 'ref_now' }));
  });

  it('bounds the statuses of one message, before its record and after it', () => {
    const many = Array.from({ length: 40 }, (_, index) => updated(`word-${index}`));
    for (const history of [many, [sent, ...many], [...many, sent]]) {
      const full = given(...history);
      full.when(recordStatus('one-more')).thenThrows(Rejected, /too many/);
      full.when(recordStatus('word-7')).thenNothing();
    }
  });

  it('keeps words that it does not know, below all others', () => {
    const { state } = given(sent, updated('delivered'), updated('played'));
    expect(state.status).to.equal('delivered');
  });

  it('counts as failed only when nothing proved delivery before', () => {
    for (const [first, second, failed, status] of [
      ['sent', 'failed', true, 'failed'],
      ['delivered', 'failed', false, 'delivered'],
      ['failed', 'sent', true, 'failed'],
      ['failed', 'delivered', true, 'delivered'],
    ] as const) {
      const { state } = given(sent, updated(first), updated(second));
      expect(state, `${first}, ${second}`).to.include({ failed, status });
    }
  });

  it('has the same status whatever the order of the updates', () => {
    const words = ['sent', 'failed', 'delivered', 'read'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }), (list) => {
        const history: MessageFact[] = [sent];
        for (const status of list) {
          const state = history.reduce(messageDecider.evolve, messageDecider.initial);
          history.push(...messageDecider.decide(recordStatus(status), state));
        }
        const state = history.reduce(messageDecider.evolve, messageDecider.initial);
        const highest = list.reduce((a, b) => (words.indexOf(a) >= words.indexOf(b) ? a : b));
        expect(state.status).to.equal(highest);
        expect(new Set(state.seen).size).to.equal(state.seen.length);
      }),
    );
  });
});
