import { idsOf } from '../../events/contact.ts';

/** A document about a contact. Every event about one names its id, unless that was erased. */
interface OfContact {
  waId: string | null;
  userId: string | null;
  contactName: string | null;
}

/** The contact of a conversation or a run; null once it was erased, which `erased` shows. */
export const presentContact = ({ waId, userId, contactName }: OfContact) =>
  waId === null
    ? { contact: null, erased: true as const }
    : { contact: { ...idsOf(waId, userId), name: contactName } };
