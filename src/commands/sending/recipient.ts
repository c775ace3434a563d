import type { ReservedCharge } from '../../events/completed.ts';
import { isUserId, numberIn } from '../../events/contact.ts';
import type { DataSubject } from '../../events/personal.ts';
import type { ContactName, Contacts } from '../contacts/contacts.ts';
import type { Subjects } from '../contacts/subjects.ts';
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

/** The digits of a telephone number. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * Whether the provider's id may be the number `to`: in Brazil, Mexico and Argentina the provider adds
 * or drops a digit after the country code.
 */
const mayBeNumber = (waId: string, to: string): boolean =>
  waId === to ||
  (Math.abs(waId.length - to.length) === 1 &&
    waId.slice(0, 2) === to.slice(0, 2) &&
    waId.slice(-8) === to.slice(-8));

/** The contact of an id. Digits are a contact of their own; one that is not known is by itself. */
const contactOf = async (
  contacts: Pick<Contacts, 'find'>,
  { accountId, id }: { accountId: string; id: string },
  context: CommandContext,
): Promise<{ ref: string; number: string | null }> => {
  if (!isUserId(id)) return { ref: id, number: numberIn(id) };
  const found = await contacts.find(accountId, id, context);
  if (!found) return { ref: id, number: null };
  return { ref: found.ref, number: found.id === null ? null : numberIn(found.id) };
};

/**
 * Whether a status with these ids may concern the recipient of a charge. Ids of which nothing is known
 * may; ids that are known to be another contact's may not.
 */
export const mayBeRecipient = async (
  contacts: Pick<Contacts, 'find'>,
  ids: ShownRecipient,
  { accountId, to }: { accountId: string; to: string | null },
  context: CommandContext,
): Promise<boolean> => {
  if (to === null) return true;
  const { recipientWaId: waId, recipientUserId: userId } = ids;
  const recipient = await contactOf(contacts, { accountId, id: to }, context);
  const { number } = recipient;
  if (waId !== null && number !== null) return mayBeNumber(waId, number);
  if (userId === undefined) return true;
  const contact = await contactOf(contacts, { accountId, id: userId }, context);
  if (contact.ref === recipient.ref) return true;
  // A number whose user id is not known yet.
  if (number !== null) return contact.number === null || mayBeNumber(contact.number, number);
  return false;
};
