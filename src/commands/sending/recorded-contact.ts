import { isUserId } from '../../events/contact.ts';
import type { Intent } from '../../events/content.ts';
import type { Contacts } from '../contacts/contacts.ts';
import type { CommandContext } from '../core/decider.ts';

/** The ids of the recipient in the provider's words about an accepted message. */
export interface ShownRecipient {
  recipientWaId: string | null;
  recipientUserId?: string | undefined;
}

/**
 * The contact under which a message is recorded. For a number that is what the provider calls it, or
 * what the caller wrote, without a look at the log.
 */
export const recordedContact = async (
  contacts: Pick<Contacts, 'meet'>,
  { accountId, intent }: { accountId: string; intent: Intent },
  { recipientWaId: waId }: ShownRecipient,
  context: CommandContext,
): Promise<string> => {
  const { to, phoneNumberId } = intent;
  if (!isUserId(to) || phoneNumberId === null) return waId ?? to;
  return (await contacts.meet({ accountId, phoneNumberId, waId, userId: to }, context)) ?? to;
};
