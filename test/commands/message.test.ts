import { expect } from 'chai';
import fc from 'fast-check';
import {
  messageDecider,
  type SentRecord,
  type StatusRecord,
  Unrecorded,
} from '../../src/commands/message.ts';
import { type MessageFact, MessageSent, StatusUpdated } from '../../src/events/message.ts';
import { intent, NOW, price } from '../support/samples.ts';
import { spec } from '../support/spec.ts';

const given = spec(messageDecider);

const record: SentRecord = {
  messageId: 'wamid.1',
  accountId: 'acc_0a',
  chargeId: 'chg_0a_2',
  chargeRevision: 2,
  chargeAmount: -1,
  recipientWaId: '919812345678',
  price: price(),
  intent: intent(),
  reservedAt: new Date(NOW).toISOString(),
  recovered: false,
};
const update = (status: string): StatusRecord => ({
  messageId: 'wamid.1',
  accountId: 'acc_0a',
  phoneNumberId: '100000000000001',
  status,
  statusAt: new Date(NOW).toISOString(),
  recipientWaId: '919812345678',
  chargeId: 'chg_0a_2',
  errorCode: status === 'failed' ? '131026' : null,
  errorMessage: status === 'failed' ? 'Message undeliverable' : null,
  pricing: null,
});
const sent = MessageSent.of(record);
const updated = (status: string) => StatusUpdated.of(update(status));
const recordStatus = (status: string) => ({
  type: 'RecordStatus' as const,
  update: update(status),
});

describe('message', () => {
  it('is recorded once', () => {
    given().when({ type: 'RecordSent', record }).thenHappened(sent);
    given(sent).when({ type: 'RecordSent', record }).thenNothing();
  });

  it('takes each word of delivery once, in whatever order', () => {
    given(sent, updated('read')).when(recordStatus('delivered')).thenHappened(updated('delivered'));
    given(sent, updated('read')).when(recordStatus('read')).thenNothing();
  });

  it('keeps a status that comes before the record of the send', () => {
    given().when(recordStatus('delivered')).thenHappened(updated('delivered'));
    given(updated('delivered')).when({ type: 'RecordSent', record }).thenHappened(sent);
  });

  it('asks for the record of the send to be looked for, where that is wanted', () => {
    const first = { ...recordStatus('delivered'), needsRecord: true };
    expect(() => given().when(first).thenNothing()).to.throw(Unrecorded);
    given(sent).when(first).thenHappened(updated('delivered'));
  });

  it('writes the lost record together with the status that brings it back', () => {
    const recovered = { ...record, recovered: true };
    given()
      .when({ ...recordStatus('sent'), recovered })
      .thenHappened(MessageSent.of(recovered), updated('sent'));
    given(sent)
      .when({ ...recordStatus('sent'), recovered })
      .thenHappened(updated('sent'));
  });

  it('keeps words that it does not know, below all others', () => {
    const { state } = given(sent, updated('delivered'), updated('played'));
    expect(state.status).to.equal('delivered');
  });

  it('counts as failed only when nothing proved delivery before', () => {
    expect(given(sent, updated('sent'), updated('failed')).state.failed).to.equal(true);
    expect(given(sent, updated('delivered'), updated('failed')).state.failed).to.equal(false);
    expect(given(sent, updated('failed'), updated('sent')).state).to.deep.include({
      failed: true,
      status: 'failed',
    });
    expect(given(sent, updated('failed'), updated('delivered')).state).to.deep.include({
      failed: false,
      status: 'delivered',
    });
  });

  it('stands at the same status whatever the order of the updates', () => {
    const words = ['sent', 'failed', 'delivered', 'read'];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 8 }), (list) => {
        const history: MessageFact[] = [];
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
