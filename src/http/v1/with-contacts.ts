import { isUserId, numberIn } from '../../events/contact.ts';
import { conversationIdOf } from '../../events/conversation.ts';
import type { MessageDocument } from '../../projections/messages.ts';
import { readContacts } from '../../projections/read-contacts.ts';
import type { ReadModels } from '../route/read-models.ts';

/** A message that is kept under a user id, as a message of the contact that has it now. */
const ofContact = (message: MessageDocument, contact: string): MessageDocument => {
  const { accountId, phoneNumberId, direction } = message;
  const number = numberIn(contact);
  return {
    ...message,
    ...(direction === 'inbound' ? { senderWaId: number } : { recipientWaId: number }),
    conversationId: phoneNumberId && conversationIdOf({ accountId, phoneNumberId, waId: contact }),
  };
};

/** The messages with the numbers of customers that have become known since. */
export const withContacts = async (
  models: Pick<ReadModels, 'getMany'>,
  messages: readonly MessageDocument[],
): Promise<readonly MessageDocument[]> => {
  const hidden = messages.filter(({ contactWaId }) => isUserId(contactWaId));
  if (hidden.length === 0) return messages;
  const contacts = new Map<string, string>();
  for (const [accountId, of] of Map.groupBy(hidden, (message) => message.accountId)) {
    const ids = of.map(({ contactWaId }) => contactWaId);
    for (const [id, contact] of await readContacts(models, accountId, ids)) {
      contacts.set(`${accountId} ${id}`, contact);
    }
  }
  return messages.map((message) => {
    const contact = contacts.get(`${message.accountId} ${message.contactWaId}`);
    return contact === undefined ? message : ofContact(message, contact);
  });
};
