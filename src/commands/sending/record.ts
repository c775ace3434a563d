import type { ReservedCharge } from '../../events/completed.ts';
import { isUserId } from '../../events/contact.ts';
import type { DataSubject } from '../../events/personal.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { type RetryOptions, retry } from '../../shared/retry.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { ContactName, Contacts } from '../contacts/contacts.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { messageDecider } from './message.ts';
import type { SentRecord } from './message-statuses.ts';
import type { ShownRecipient } from './recipient.ts';
import type { AccountContext, Reserved } from './reserve.ts';
import { TookTooLong } from './send-errors.ts';
import type { SendsUnderWay } from './sends-under-way.ts';
import type { Held } from './transmitted.ts';

// The record of a message that the provider accepted: MessageSent, under the contact that it went to.

/** The contact that a message is recorded under, and its data key where the record needs one. */
interface RecordedContact extends ContactName {
  subjects: readonly DataSubject[];
}

export interface RecordedContactDeps {
  contacts: Pick<Contacts, 'meet'>;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
}

/** The contact of a charge, where nothing more is shown, or its ids are erased. */
const ofCharge = ({ contactRef, said }: ReservedCharge['data']): RecordedContact => {
  return { ref: contactRef, kind: 'number', id: said?.to ?? null, subjects: [] };
};

/** The contact of this id; of the charge where the id is the charge's own. */
const ofNumber = (
  { subjects }: RecordedContactDeps,
  charge: ReservedCharge['data'],
  id: string,
): RecordedContact | Promise<RecordedContact> => {
  const { accountId, contactRef, said } = charge;
  const named = (subject: DataSubject | undefined): RecordedContact =>
    subject
      ? { ref: subject.ref, kind: 'number', id, subjects: [subject] }
      : { ...ofCharge(charge), id: null };
  // In old logs the id itself is the ref.
  const isKnown = id === said?.to && id !== contactRef;
  const found = isKnown ? subjects.ofRef(contactRef) : subjects.of(accountId, id);
  return found instanceof Promise ? found.then(named) : named(found);
};

/**
 * The contact under which a message is recorded. For a number that is what the provider calls it, or
 * what the caller wrote, without a look at the log.
 */
export const recordedContact = (
  deps: RecordedContactDeps,
  charge: ReservedCharge['data'],
  { recipientWaId: waId }: ShownRecipient,
  context: CommandContext,
): RecordedContact | Promise<RecordedContact> => {
  const { accountId, said, outline } = charge;
  const to = said?.to ?? null;
  if (to === null || !isUserId(to) || outline.phoneNumberId === null) {
    const id = waId ?? to;
    return id === null ? ofCharge(charge) : ofNumber(deps, charge, id);
  }
  const { phoneNumberId } = outline;
  const ids = { accountId, phoneNumberId, waId, userId: to };
  return deps.contacts
    .meet(ids, context)
    .then((contact) => (contact ? { ...contact, subjects: [contact] } : ofCharge(charge)));
};

/** What the provider says of a message that it accepted. */
export interface Accepted extends Held, ShownRecipient {
  messageRef: string;
  /** The provider's id; null of a recovered message whose contact was erased. */
  messageId: string | null;
  /** Time of the provider's call; absent of a recovered message. */
  tookMs?: number;
}

/** The record of the message that a reservation paid for, under the contact that it went to. */
export const sentRecordOf = (
  { data }: Pick<Reserved, 'data'>,
  { messageRef, messageId, recipientUserId, tookMs, providerStatus }: Accepted,
  { ref, kind, id, subjects }: RecordedContact,
): SentRecord => {
  const { accountId, chargeId, price, outline, said } = data;
  const to = said?.to ?? null;
  const userId = recipientUserId ?? (to !== null && isUserId(to) ? to : undefined);
  const isToldByCharge = id === null || (id === to && userId === undefined);
  return {
    messageRef,
    // Nothing can be sealed for a contact that was erased during the send.
    messageId: subjects.length === 0 ? null : messageId,
    accountId,
    contactRef: ref,
    phoneNumberId: outline.phoneNumberId,
    chargeId,
    category: price.category,
    recipient: isToldByCharge ? null : { waId: id, ...(userId !== undefined && { userId }) },
    ...(kind === 'userId' && { isHidden: true as const }),
    ...(providerStatus !== undefined && { providerStatus }),
    ...(tookMs !== undefined && { tookMs }),
  };
};

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
  const id = `${charge.data.accountId}.${messageRef}`;
  const accepted = { ...outcome, messageRef };
  const write = (contact: RecordedContact) => {
    const record = sentRecordOf(charge, accepted, contact);
    const command = { type: 'RecordSent' as const, record };
    const on = { ...context, subjects: contact.subjects };
    return deps.writer.execute(messageDecider, id, command, on, { assumeNew: true });
  };
  return retry(() => {
    if (!deps.sends.mayRecord(charge.data)) throw new TookTooLong();
    const contact = recordedContact(deps, charge.data, accepted, context);
    return contact instanceof Promise ? contact.then(write) : write(contact);
  }, RECORD_RETRY);
};
