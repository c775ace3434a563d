import { StoreUnavailable } from '../../events/store.ts';
import { type RetryOptions, retry } from '../../shared/retry.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Writer } from '../core/execute.ts';
import { messageDecider } from './message.ts';
import {
  type RecordedContact,
  type RecordedContactDeps,
  recordedContact,
} from './recorded-contact.ts';
import { type Accepted, type AccountContext, type Reserved, sentRecordOf } from './reserve.ts';
import { TookTooLong } from './send-errors.ts';
import type { SendsUnderWay } from './sends-under-way.ts';

/** A record that the log could not take is written again after each of these pauses. */
const RECORD_RETRY: RetryOptions = {
  delays: [50, 200, 1000, 3000, 5000],
  while: (error) => error instanceof StoreUnavailable,
};

export interface RecordingDeps extends RecordedContactDeps {
  writer: Writer;
  sends: Pick<SendsUnderWay, 'mayRecord'>;
  secrets: Pick<Secrets, 'messageRef'>;
}

/** Writes the record of a message that the provider accepted. */
export const recordSent = (
  deps: RecordingDeps,
  charge: Reserved,
  outcome: Omit<Accepted, 'messageRef'> & { messageId: string },
  context: AccountContext,
) => {
  const messageRef = deps.secrets.messageRef(outcome.messageId);
  const accepted = { ...outcome, messageRef };
  const write = (contact: RecordedContact) => {
    const record = sentRecordOf(charge, accepted, contact);
    const command = { type: 'RecordSent' as const, record };
    const on = { ...context, subjects: contact.subjects };
    return deps.writer.execute(messageDecider, messageRef, command, on, { assumeNew: true });
  };
  return retry(() => {
    if (!deps.sends.mayRecord(charge.data)) throw new TookTooLong();
    const contact = recordedContact(deps, charge.data, accepted, context);
    return contact instanceof Promise ? contact.then(write) : write(contact);
  }, RECORD_RETRY);
};
