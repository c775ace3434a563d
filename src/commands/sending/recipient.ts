import { isUserId, numberIn } from '../../events/contact.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { CommandContext } from '../core/decider.ts';

/** The ids of the recipient in the provider's words about an accepted message. */
export interface ShownRecipient {
  recipientWaId: string | null;
  recipientUserId?: string | undefined;
}

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
