import { isUserId, numberIn } from '../../events/contact.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { CommandContext } from '../core/decider.ts';
import type { ShownRecipient } from './recorded-contact.ts';

/** White space, and the invisible characters that come with copied text. */
const BLANKS_AROUND = /^[\s\u200b-\u200f\u2060]+|[\s\u200b-\u200f\u2060]+$/g;

/** The digits of a telephone number. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/**
 * The recipient of a send: a user id without the blanks around it, else the digits. A leading `00` is
 * the international prefix and is read as `+`; nothing else of a recipient is checked (contract 4.7).
 */
export const recipientOf = (to: string): string => {
  const trimmed = to.replace(BLANKS_AROUND, '');
  if (isUserId(trimmed)) return trimmed;
  const digits = digitsOf(to);
  return /^\D*\+/.test(to) ? digits : digits.replace(/^00/, '');
};

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
  // A number whose user id nobody has told yet.
  if (number !== null) return contact.number === null || mayBeNumber(contact.number, number);
  return false;
};
