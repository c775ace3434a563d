import { contactKeyOf } from '../events/contact.ts';
import { defineProjection } from './define.ts';

/** What is known of one id of a contact, in one account. Ids that were never joined have none. */
export interface ContactDocument {
  id: string;
  accountId: string;
  /** The contact that this user id belongs to; null where the id is that of the contact itself. */
  contactRef: string | null;
  /** The number of that contact; null where it is a user id, or was erased. */
  number: string | null;
  /** User ids with messages of their own that belong to this contact, oldest first. */
  absorbed: readonly string[];
  sealedMonth: string | null;
}

/** More user ids of one contact are not read together. */
const ABSORBED_MAX = 20;

/** The ids of contacts, to find and to show their messages. */
export const contacts = defineProjection<ContactDocument>({
  name: 'contacts',
  version: 3,
  indexes: [['contactRef?'], ['contactRef', 'sealedMonth?'], ['accountId', 'sealedMonth?']],
  words: ['accountId'],
  erase: { by: 'contactRef', document: (one) => ({ ...one, number: null, sealedMonth: null }) },
  on: {
    ContactIdsJoined: {
      key({ data: { accountId, userRef, contactRef, conversations } }) {
        const own = contactKeyOf(accountId, userRef);
        return conversations ? [own, contactKeyOf(accountId, contactRef)] : own;
      },
      fold(document, { data, sealedMonth = null }, id) {
        const { accountId, userRef, contactRef, contactKind, contact } = data;
        const known = document ?? {
          id,
          accountId,
          contactRef: null,
          number: null,
          absorbed: [],
          sealedMonth: null,
        };
        if (id === contactKeyOf(accountId, userRef)) {
          const number = contactKind === 'number' ? contact : null;
          return {
            ...known,
            contactRef,
            number,
            sealedMonth: number === null ? null : sealedMonth,
          };
        }
        if (known.absorbed.includes(userRef)) return document;
        return { ...known, absorbed: [...known.absorbed, userRef].slice(0, ABSORBED_MAX) };
      },
    },
  },
});
