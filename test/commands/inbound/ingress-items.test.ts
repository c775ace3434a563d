import { hash } from 'node:crypto';
import { expect } from 'chai';
import { createContacts } from '../../../src/commands/contacts/contacts.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import type { NumberRecord } from '../../../src/commands/core/lookups.ts';
import { createIngressItems } from '../../../src/commands/inbound/ingress-items.ts';
import type { Rejected } from '../../../src/commands/inbound/rejected.ts';
import { conversationIdOf } from '../../../src/events/conversation.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { refOfMessage, secrets } from '../../support/message-refs.ts';
import { NOW } from '../../support/samples.ts';
import { failureOf } from '../../support/spec.ts';
import { memorySubjects, subjectOfId } from '../../support/subjects.ts';

const AT = new Date(NOW).toISOString();
const context = { requestId: 'r' };
const place = { phoneNumberId: '10', wabaId: '20', at: AT, envelope: {} };
const status = {
  ...place,
  kind: 'status' as const,
  messageId: 'wamid.1',
  status: 'sent',
  chargeId: 'c',
  recipientWaId: '9198',
  recipientUserId: 'IN.9198',
  errorCode: '1',
  errorMessage: 'no',
  pricing: { category: 'utility' },
};
const message = {
  ...place,
  kind: 'message' as const,
  messageId: 'wamid.2',
  type: 'text',
  from: '9198',
  userId: null,
  change: null,
  displayPhoneNumber: '1 555',
  message: { type: 'text', text: { body: 'Hi' } },
  contact: { profile: { name: 'Mia' } },
};
const preference = {
  ...place,
  kind: 'user_preference' as const,
  waId: '9198',
  category: 'marketing',
  value: 'stop',
  detail: 'said so',
  userId: null,
};

const open = () => {
  const { store, events } = createMemoryLog();
  const recorded: unknown[] = [];
  const writer = createWriter({ store, clock: fixedClock(), ids: countedIds() });
  const items = createIngressItems({
    writer,
    subjects: memorySubjects,
    secrets,
    contacts: createContacts({ writer, subjects: memorySubjects }),
    clock: fixedClock(),
    statuses: { record: async (...what) => void recorded.push(what) },
    lookups: {
      number: async (id) =>
        id === '10'
          ? ({ accountId: 'acc_1', wabaId: '29', displayPhoneNumber: '+1 666' } as NumberRecord)
          : undefined,
    },
    links: { linkOf: async () => ({ accountId: 'acc_1', link: 1, moved: false }) },
  });
  return { items, events, recorded };
};

describe('items of a number', () => {
  it('that are statuses are recorded for the account of the number', async () => {
    const { items, recorded } = open();
    await items.ingestStatus(status, context);
    const [[update, on]] = recorded as [[object, object]];
    const { kind: _, at: __, envelope: ___, wabaId: ____, ...rest } = status;
    expect(update).to.deep.include({ ...rest, accountId: 'acc_1', statusAt: AT });
    expect(on).to.deep.equal(context);
    const refusal = (change: object) =>
      failureOf<Rejected>(items.ingestStatus({ ...status, ...change }, context));
    const timeless = { kind: 'unreadable', message: 'a status without a usable time' };
    expect(await refusal({ at: null })).to.include(timeless);
    expect(await refusal({ phoneNumberId: '9' })).to.include({ kind: 'not_linked' });
    expect(recorded).to.have.length(1);
  });

  it('that are messages take their id, then come into the conversation', async () => {
    const { items, events } = open();
    await items.ingestMessage(message, context);
    await items.ingestMessage(message, context);
    expect(events.map(({ type }) => type)).to.deep.equal(['InboundIdClaimed', 'MessageReceived']);
    const [claimed, received] = events;
    const owner = { messageRef: refOfMessage('wamid.2'), accountId: 'acc_1', phoneNumberId: '10' };
    const { ref: contactRef } = subjectOfId('9198');
    expect(claimed!.data).to.deep.equal({ ...owner, contactRef });
    const stream = `conversation-${conversationIdOf({ ...owner, contactRef })}`;
    expect(received!.stream).to.equal(stream);
    expect(received!.meta.accountId).to.equal('acc_1');
    expect(received!.data).to.deep.equal({
      ...owner,
      contactRef,
      mediaId: null,
      waId: '9198',
      userId: null,
      message: message.message,
      contact: message.contact,
      wabaId: '20',
      displayPhoneNumber: '1555',
      contactName: 'Mia',
      messageType: 'text',
      receivedAt: AT,
      text: 'Hi',
    });
  });

  it('that are messages take from the number and the message what they do not say', async () => {
    const { items, events } = open();
    const bare = {
      ...message,
      wabaId: null,
      displayPhoneNumber: null,
      from: null,
      contact: null,
      type: 'image',
      message: { type: 'image', image: { id: '77' }, from_user_id: 'GB.1' },
      userId: 'GB.1',
    };
    await items.ingestMessage(bare, context);
    expect(events.at(-1)!.data).to.include({
      wabaId: '29',
      displayPhoneNumber: '1666',
      waId: 'GB.1',
      contactName: null,
      text: null,
      mediaId: '77',
      contactRef: subjectOfId('GB.1').ref,
    });
  });

  it('that are messages have a name of 200 characters, a sender and a time', async () => {
    const { items, events } = open();
    const contact = { profile: { name: `${'x'.repeat(200)}y` } };
    await items.ingestMessage({ ...message, contact }, context);
    expect(events[1]!.data).to.include({ contactName: 'x'.repeat(200) });
    for (const [change, why] of [
      [{ from: null }, 'a message without its sender'],
      [{ at: null }, 'a message without a usable time'],
    ] as const) {
      const refused = items.ingestMessage({ ...message, ...change }, context);
      expect(await failureOf(refused)).to.include({ kind: 'unreadable', message: why });
    }
  });

  it('that are preferences come into the conversation once', async () => {
    const { items, events } = open();
    await items.ingestPreference(preference, context);
    await items.ingestPreference(preference, context);
    expect(events).to.have.length(1);
    const { ref: contactRef } = subjectOfId('9198');
    const id = hash('sha256', `${contactRef} marketing stop ${AT}`).slice(0, 32);
    expect(events[0]!.data).to.deep.equal({
      phoneNumberId: '10',
      contactRef,
      waId: '9198',
      userId: null,
      accountId: 'acc_1',
      category: 'marketing',
      value: 'stop',
      detail: 'said so',
      wabaId: '20',
      contactName: null,
      receivedAt: AT,
      preferenceId: `pref_${id}`,
    });
    expect(id).to.have.length(32);
    await items.ingestPreference({ ...preference, value: 'resume', wabaId: null }, context);
    expect(events[1]!.data).to.include({ value: 'resume', wabaId: '' });
    for (const change of [{ waId: null }, { at: null }]) {
      const refused = items.ingestPreference({ ...preference, ...change }, context);
      expect(await failureOf(refused)).to.include({ kind: 'unreadable' });
    }
  });
});
