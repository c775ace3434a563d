import { expect } from 'chai';
import { createContacts } from '../../../src/commands/contacts/contacts.ts';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { createStatusUpdates } from '../../../src/commands/inbound/status-updates.ts';
import { messageDecider } from '../../../src/commands/sending/message.ts';
import type { StatusRecord, StatusUpdate } from '../../../src/commands/sending/message-statuses.ts';
import type { Found } from '../../../src/commands/sending/recovery.ts';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { intent, sentRecord, statusUpdate } from '../../support/samples.ts';
import { customer, memorySubjects } from '../../support/subjects.ts';

const AT = '2026-11-21T12:00:00.000Z';
const [ACCOUNT, MESSAGE] = ['acc_1', 'wamid.1'];
const { phoneNumberId } = intent();
const context = { requestId: 'r' };
const update = (status: string, category?: string): StatusUpdate =>
  statusUpdate({ status, chargeId: 'c', pricing: category === undefined ? null : { category } });

const open = async ({ sent = true, found = { kind: 'none' } as Found } = {}) => {
  const { store, events } = createMemoryLog();
  let failures = 0;
  const flaky: EventStore = {
    ...store,
    append(...what) {
      failures -= 1;
      if (failures >= 0) throw new StoreUnavailable('away');
      return store.append(...what);
    },
  };
  const writer = createWriter({ store: flaky, clock: fixedClock(), ids: countedIds() });
  const told: string[] = [];
  const asked: string[] = [];
  const record = async () => {
    const record = sentRecord({ chargeId: 'chg_1_0', recipient: { waId: '919812345678' } });
    const on = { ...context, subjects: [customer] };
    const command = { type: 'RecordSent' as const, record };
    await writer.execute(messageDecider, `${ACCOUNT}.${MESSAGE}`, command, on);
  };
  if (sent) await record();
  const statuses = createStatusUpdates({
    writer,
    links: { holdersOf: async () => [ACCOUNT] },
    contacts: createContacts({ writer, subjects: memorySubjects }),
    subjects: memorySubjects,
    store,
    recovery: {
      async find() {
        asked.push('find');
        return found;
      },
      async settle() {
        asked.push('settle');
        await record();
        return true;
      },
    },
    onOtherCategory: (...pair) => told.push(pair.join(' as ')),
  });
  const types = () => events.map(({ type }) => type);
  const fail = (times: number) => {
    failures = times;
  };
  return { statuses, told, asked, types, events, fail };
};

describe('a status', () => {
  it('is recorded with its message, once', async () => {
    const { statuses, types, asked } = await open();
    await statuses.record(update('sent'), context);
    await statuses.record(update('sent'), context);
    expect(types()).to.deep.equal(['MessageSent', 'StatusUpdated']);
    expect(asked).to.deep.equal([]);
  });

  it('joins the ids that it shows in the account of the message, wherever the number is now', async () => {
    const { statuses, events } = await open();
    const shown = { ...update('sent'), accountId: 'acc_2', recipientUserId: 'IN.1' };
    await statuses.record(shown, context);
    await statuses.record({ ...shown, recipientUserId: 'IN.2', status: 'delivered' }, context);
    const joins = events.filter(({ type }) => type === 'ContactIdsJoined');
    const contact = { contactRef: customer.ref, contactKind: 'number', contact: '919812345678' };
    expect(joins).to.have.length(2);
    for (const [index, userId] of ['IN.1', 'IN.2'].entries()) {
      const { stream, data, meta } = joins[index]!;
      const ids = { accountId: ACCOUNT, userRef: `ref_${userId}`, userId, ...contact };
      expect(data).to.deep.equal({ ...ids, by: 'seen' });
      expect([stream, meta.accountId]).to.deep.equal([`contact-${ACCOUNT}.ref_${userId}`, ACCOUNT]);
    }
  });

  it('that names another category than the charge is reported, once for a message', async () => {
    const { statuses, told } = await open();
    await statuses.record(update('sent', 'utility'), context);
    await statuses.record(update('delivered', 'marketing'), context);
    expect(told).to.deep.equal([]);
    const other = await open();
    await other.statuses.record(update('sent', 'marketing'), context);
    await other.statuses.record(update('sent', 'marketing'), context);
    await other.statuses.record(update('delivered', 'marketing'), context);
    expect(other.told).to.deep.equal(['UTILITY as MARKETING']);
  });

  it('without a record waits in its stream, where it carries no charge', async () => {
    const { statuses, types, asked, told } = await open({ sent: false });
    await statuses.record(update('sent', 'marketing'), context);
    expect(types()).to.deep.equal(['StatusUpdated']);
    expect([asked, told]).to.deep.equal([['find'], []]);
  });

  const claim = {
    messageRef: MESSAGE,
    messageId: MESSAGE,
    chargeId: 'c',
    accountId: 'acc_2',
    phoneNumberId: phoneNumberId!,
    contactRef: customer.ref,
    recipient: null,
    reservedAt: AT,
  };

  it('claims its charge for the account of the charge, and waits while the send may go on', async () => {
    const found = { kind: 'early' as const, chargeClaim: claim, subject: customer };
    const { statuses, types, asked, events } = await open({ sent: false, found });
    await statuses.record(update('sent'), context);
    expect(types()).to.deep.equal(['StatusUpdated', 'ChargeClaimed']);
    expect(events.map(({ meta }) => meta.accountId)).to.deep.equal(['acc_2', 'acc_2']);
    expect((events[0]!.data as StatusRecord).accountId).to.equal('acc_2');
    expect(asked).to.deep.equal(['find']);
  });

  it('settles its claim where the send is over, and compares the category then', async () => {
    const chargeClaim = { ...claim, accountId: ACCOUNT };
    const found = { kind: 'free' as const, chargeClaim, subject: customer };
    const { statuses, types, asked, told } = await open({ sent: false, found });
    await statuses.record(update('sent', 'marketing'), context);
    expect(types()).to.deep.equal(['StatusUpdated', 'ChargeClaimed', 'MessageSent']);
    expect(asked).to.deep.equal(['find', 'settle']);
    expect(told).to.deep.equal(['UTILITY as MARKETING']);
  });

  it('is not taken for one without a record where the log is away', async () => {
    const { statuses, asked, fail } = await open();
    fail(1);
    const error = await statuses.record(update('sent'), context).catch((thrown) => thrown);
    expect(error).to.be.instanceOf(StoreUnavailable);
    expect(asked).to.deep.equal([]);
  });
});
