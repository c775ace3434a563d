import { isUserId } from '../../events/contact.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { type RetryOptions, retry } from '../../shared/retry.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { Writer } from '../core/execute.ts';
import { messageDecider } from './message.ts';
import { recordedContact } from './recorded-contact.ts';
import { type Accepted, type AccountContext, type Reserved, sentRecordOf } from './reserve.ts';
import { TookTooLong } from './send-errors.ts';
import type { SendsUnderWay } from './sends-under-way.ts';

/** A record that the log could not take is written again after each of these pauses. */
const RECORD_RETRY: RetryOptions = {
  delays: [50, 200, 1000, 3000, 5000],
  while: (error) => error instanceof StoreUnavailable,
};

export interface RecordingDeps {
  writer: Writer;
  sends: Pick<SendsUnderWay, 'mayRecord'>;
  contacts: Pick<Contacts, 'meet'>;
}

/** Writes the record of a message that the provider accepted. */
export const recordSent = (
  { writer, sends, contacts }: RecordingDeps,
  charge: Reserved,
  accepted: Accepted,
  context: AccountContext,
) => {
  const { messageId } = accepted;
  const write = (contact: string) => {
    const record = sentRecordOf(charge, accepted, contact);
    const command = { type: 'RecordSent' as const, record };
    return writer.execute(messageDecider, messageId, command, context, { assumeNew: true });
  };
  const { intent } = charge.data;
  return retry(() => {
    if (!sends.mayRecord(charge.data)) throw new TookTooLong();
    if (!isUserId(intent.to)) return write(accepted.recipientWaId ?? intent.to);
    return recordedContact(contacts, charge.data, accepted, context).then(write);
  }, RECORD_RETRY);
};
