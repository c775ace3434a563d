import { expect } from 'chai';
import {
  ScheduleBegun,
  ScheduleChanged,
  type ScheduledSend,
  ScheduleEnded,
  SendScheduled,
} from '../../src/events/schedule.ts';
import { type ScheduledDocument, scheduled } from '../../src/projections/scheduled.ts';
import { foldAll } from '../support/projections.ts';
import { recorded, type Written, written } from '../support/projections-facts.ts';

const ID = { scheduleId: 'sch_1', accountId: 'acc_1' };
const AT = '2026-11-27T08:00:00.000Z';
const send: ScheduledSend = {
  ...ID,
  contactRef: 'ref',
  kind: 'notification',
  event: 'order_shipped',
  category: 'UTILITY',
  phoneNumberId: '106540352242922',
  dueAt: AT,
  notAfter: '2026-11-28T08:00:00.000Z',
  timeZone: 'Asia/Kolkata',
  rule: { by: 'sendAt', text: 'as asked' },
  problems: [],
  request: { to: '+91 98123 45678' },
};
const taken = SendScheduled.of(send);
const changed = ScheduleChanged.of({ ...send, phoneNumberId: null });
const begun = ScheduleBegun.of({ ...ID, run: { claimId: 'c1', instanceId: 'i1', at: AT } });
const end = {
  event: 'order_shipped',
  at: AT,
  chargeId: 'chg_1',
  messageId: 'wamid.1',
  error: null,
};
const sent = ScheduleEnded.of({ ...ID, ...end, contactRef: 'ref', state: 'sent' });
const cancelled = ScheduleEnded.of({ ...sent.data, state: 'cancelled', messageId: null });

const MONTH = '2026-11';

/** The document after these facts, as before an erasure or, where `isErased`, rebuilt after it. */
const documentAfter = (facts: readonly Written['fact'][], isErased = false): ScheduledDocument => {
  const gone = isErased ? { request: null, messageId: null, error: null } : {};
  const events = recorded(facts.map((fact) => written('schedule-acc_1.sch_1', fact))).map((one) => {
    const data = { ...(one.data as object) } as Record<string, unknown>;
    for (const name of Object.keys(gone)) if (name in data) data[name] = null;
    return { ...one, data, ...(isErased ? {} : { sealedMonth: MONTH }) };
  });
  return foldAll(scheduled, events).get('sch_1')!.document;
};

describe('scheduled sends', () => {
  it('stand in the lane of their number and rank while they have not ended', () => {
    expect(documentAfter([taken])).to.include({
      state: 'waiting',
      to: '919812345678',
      lane: 'acc_1.2.106540352242922',
      due: `${AT} sch_1`,
    });
    expect(documentAfter([taken, changed])).to.include({ lane: 'acc_1.2.', phoneNumberId: null });
    expect(documentAfter([taken, begun])).to.include({ state: 'sending', due: `${AT} sch_1` });
    expect(documentAfter([taken, begun, sent])).to.include({
      state: 'sent',
      lane: null,
      due: null,
      metaMessageId: 'wamid.1',
      chargeId: 'chg_1',
    });
  });

  it('wait no more once their contact is erased: what a sweep leaves is what a rebuild makes', () => {
    const gone = { state: 'erased', to: null, lane: null, due: null };
    expect(documentAfter([taken], true)).to.include(gone);
    for (const later of [[], [changed], [begun], [begun, sent], [cancelled]]) {
      const facts = [taken, ...later];
      const swept = scheduled.erase!.document(documentAfter(facts), { refs: ['ref'] });
      expect(swept).to.deep.equal(documentAfter(facts, true));
    }
  });

  it('keep what is sealed under a later month than those that expired', () => {
    const through = { accountId: 'acc_1', through: '2026-10' };
    const document = documentAfter([taken]);
    expect(scheduled.erase!.document(document, through)).to.deep.equal(document);
  });
});
