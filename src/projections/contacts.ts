import { contactKeyOf } from '../events/contact.ts';
import { defineProjection } from './define.ts';

/** What is known of one id of a contact, in one account. Ids that were never joined have none. */
export interface ContactDocument {
  id: string;
  /** The contact that this user id belongs to; absent where the id is that of the contact itself. */
  contact?: string;
  /** User ids with messages of their own that belong to this contact, oldest first. */
  absorbed?: readonly string[];
}

/** More user ids of one contact are not read together. */
const ABSORBED_MAX = 20;

/** The ids of contacts, to find and to show their messages. */
export const contacts = defineProjection<ContactDocument>({
  name: 'contacts',
  version: 2,
  indexes: [],
  on: {
    ContactIdsJoined: {
      key({ data: { accountId, userId, contact, conversations } }) {
        const own = contactKeyOf(accountId, userId);
        return conversations ? [own, contactKeyOf(accountId, contact)] : own;
      },
      fold(document, { data: { accountId, userId, contact } }, id) {
        if (id === contactKeyOf(accountId, userId)) return { ...document, id, contact };
        const absorbed = document?.absorbed ?? [];
        if (absorbed.includes(userId)) return document;
        return { ...document, id, absorbed: [...absorbed, userId].slice(0, ABSORBED_MAX) };
      },
    },
  },
});
