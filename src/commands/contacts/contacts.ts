import { type ContactIds, isUserId } from '../../events/contact.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { createJoins } from './joins.ts';

/** A contact's ids that the provider showed together. */
interface Seen extends ContactIds {
  accountId: string;
}

/** A user id that replaces the one of a contact. */
interface IdChange {
  accountId: string;
  /** The older user id, or the number of the contact. */
  previous: string;
  userId: string;
}

/**
 * The contacts of accounts: which ids are one contact. The only code that resolves an id or joins two.
 * Digits are a contact of their own and need no look-up. A user id is the contact that its stream
 * names; the stream is asked, never a read model, so no answer lags.
 */
export const createContacts = ({ writer }: { writer: Writer }) => {
  const { find, meet, join, joinSeen } = createJoins(writer);

  /** The contact of these ids. A number and a user id that come together are one from here on. */
  const see = async (
    { accountId, waId, userId }: Seen,
    context: CommandContext,
  ): Promise<string | null> => {
    if (userId === null) return waId;
    if (waId === null) return find(accountId, userId, context);
    await joinSeen({ accountId, userId, contact: waId }, context);
    return waId;
  };

  return {
    find,
    see,
    /** The contact of the ids of a message at this number. Null without an id. */
    async meet(
      { phoneNumberId, ...seen }: Seen & { phoneNumberId: string },
      context: CommandContext,
    ): Promise<string | null> {
      const { accountId } = seen;
      let contact = await see(seen, context);
      while (contact !== null && isUserId(contact)) {
        const other = await meet({ accountId, userId: contact, phoneNumberId }, context);
        if (other === null) return contact;
        const next = await find(accountId, other, context);
        if (next === contact) return contact;
        contact = next;
      }
      return contact;
    },

    /** Gives the new user id to the contact of the previous one. */
    async change(
      { accountId, previous, userId }: IdChange,
      context: CommandContext,
    ): Promise<void> {
      const contact = await find(accountId, previous, context);
      const own = await find(accountId, userId, context);
      if (own === contact) return;
      const pair = { accountId, by: 'changed' as const };
      if (isUserId(own)) await join({ ...pair, userId: own, contact }, context);
      // The number of the new id is known: the older id belongs to it too.
      else if (isUserId(contact)) await join({ ...pair, userId: contact, contact: own }, context);
    },
  };
};

export type Contacts = ReturnType<typeof createContacts>;
