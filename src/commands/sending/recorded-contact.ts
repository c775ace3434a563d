import type { ReservedCharge } from '../../events/completed.ts';
import { isUserId } from '../../events/contact.ts';
import type { DataSubject } from '../../events/personal.ts';
import type { ContactName, Contacts } from '../contacts/contacts.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';

/** The ids of the recipient in the provider's words about an accepted message. */
export interface ShownRecipient {
  recipientWaId: string | null;
  recipientUserId?: string | undefined;
}

/** The contact that a message is recorded under, and its data key where the record needs one. */
export interface RecordedContact extends ContactName {
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
  const found =
    id === said?.to ? subjectOf(subjects, accountId, contactRef) : subjects.of(accountId, id);
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
