import {
  asDigits,
  asId,
  asRecord,
  asText,
  asUserId,
  isRecord,
  type Json,
  shorten,
} from '../shape.ts';
import type { SenderChange } from './item.ts';

// The senders of messages: their records, and notices of new ids.

/** Characters of the JSON of a sender's record: ids and a name take a tenth of it. */
const CONTACT_LENGTH_MAX = 4096;
const TEXT_LENGTH_MAX = 500;

/** A text of the provider, cut to 500 characters. */
export const cut = (text: string | null): string | null =>
  text === null ? null : shorten(text, TEXT_LENGTH_MAX);

/** The records of the senders of a change, found by their ids. */
export interface Contacts {
  records: readonly Json[];
  byWaId: ReadonlyMap<unknown, Json>;
  byUserId: ReadonlyMap<unknown, Json>;
}

/** A longer record keeps its ids and its name only, because each message of the sender stores it. */
const boundContact = (contact: Json): Json => {
  if (JSON.stringify(contact).length <= CONTACT_LENGTH_MAX) return contact;
  const { wa_id, user_id, profile } = contact;
  const name = cut(asText(asRecord(profile).name));
  return {
    ...(asId(wa_id) !== null && { wa_id }),
    ...(asId(user_id) !== null && { user_id }),
    ...(name !== null && { profile: { name } }),
  };
};

/** Of several records with one id the first counts. */
export const indexContacts = (contacts: readonly unknown[]): Contacts => {
  const records = contacts.filter(isRecord).map(boundContact);
  const by = (key: string) =>
    new Map(records.toReversed().map((contact) => [contact[key], contact]));
  return { records, byWaId: by('wa_id'), byUserId: by('user_id') };
};

/** The sender's record. The only record is that of the only message. */
export const contactOf = (
  item: Json,
  { records, byWaId, byUserId }: Contacts,
  count: number,
): Json | null => {
  const same = (known: ReadonlyMap<unknown, Json>, id: unknown) =>
    asText(id) === null ? undefined : known.get(id);
  const match = same(byWaId, item.from) ?? same(byUserId, item.from_user_id);
  return match ?? (records.length === 1 && count === 1 ? records[0]! : null);
};

/** The ids in a notice that the customer has other ones now. */
export const changeOf = ({ from, from_user_id, type, system }: Json): SenderChange | null => {
  const notice = asRecord(system);
  const userId = asUserId(notice.user_id);
  if (type !== 'system' || userId === null) return null;
  const previous = asUserId(notice.previous_user_id) ?? asUserId(from_user_id);
  if (notice.type === 'user_changed_user_id') {
    return { previous: previous ?? asDigits(from), userId, waId: asDigits(notice.wa_id) };
  }
  // The old number stays a contact of its own: it may be another person's soon.
  if (notice.type !== 'user_changed_number') return null;
  return { previous: null, userId, waId: asDigits(notice.wa_id) };
};
