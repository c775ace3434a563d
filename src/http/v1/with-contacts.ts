import { contactKeyOf } from '../../events/contact.ts';
import type { MessageDocument } from '../../projections/message-document.ts';
import { type ContactOf, readContacts } from '../../projections/read-contacts.ts';
import type { ReadModels } from '../route/read-models.ts';

/** A message that is kept under a user id, as a message of the contact that has it now. */
const ofContact = (message: MessageDocument, { ref, number }: ContactOf): MessageDocument => {
  const shown =
    message.direction === 'inbound' ? { senderWaId: number } : { recipientWaId: number };
  return { ...message, contactRef: ref, ...shown };
};

const isHidden = ({ direction, senderWaId, recipientWaId, erased }: MessageDocument): boolean =>
  !erased && (direction === 'inbound' ? senderWaId : recipientWaId) === null;

/** The messages with the numbers of customers that have become known since. */
export const withContacts = async (
  models: Pick<ReadModels, 'getMany'>,
  messages: readonly MessageDocument[],
): Promise<readonly MessageDocument[]> => {
  const hidden = messages.filter(isHidden);
  if (hidden.length === 0) return messages;
  const contacts = new Map<string, ContactOf>();
  for (const [accountId, of] of Map.groupBy(hidden, (message) => message.accountId)) {
    const refs = of.map(({ contactRef }) => contactRef);
    for (const [ref, contact] of await readContacts(models, accountId, refs)) {
      contacts.set(contactKeyOf(accountId, ref), contact);
    }
  }
  return messages.map((message) => {
    const { accountId, contactRef } = message;
    const contact = isHidden(message) ? contacts.get(contactKeyOf(accountId, contactRef)) : null;
    return contact ? ofContact(message, contact) : message;
  });
};
