import {
  asArray,
  asBounded,
  asDigits,
  asId,
  asRecord,
  asText,
  asUserId,
  isRecord,
  type Json,
  shorten,
} from '../shape.ts';
import type { SenderChange, WebhookItem } from './item.ts';
import { asTime, envelopeOf, type Place, type Reading, unknown } from './reader.ts';

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
const indexContacts = (contacts: readonly unknown[]): Contacts => {
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

const WORD_LENGTH_MAX = 64;

const asWord = (value: unknown): string | null => asBounded(value, WORD_LENGTH_MAX);

/** What the items of one change have in common. */
interface Shared {
  place: Place;
  number: { phoneNumberId: string; wabaId: string | null };
  displayPhoneNumber: string | null;
  contacts: Contacts;
  /** How many items the change has in its list of this kind. */
  count: number;
}

type Reader = (item: Json, shared: Shared) => Reading;

/** The value of a change that holds this item alone, so that many items never repeat a large change. */
const valueWith = ({ place }: Shared, list: string, item: unknown, contact?: Json | null): Json => {
  const { phone_number_id, display_phone_number } = asRecord(place.value.metadata);
  return {
    messaging_product: asWord(place.value.messaging_product) ?? undefined,
    metadata: { display_phone_number: asWord(display_phone_number) ?? undefined, phone_number_id },
    ...(contact && { contacts: [contact] }),
    [list]: [item],
  };
};

const envelopeWith = (shared: Shared, list: string, item: Json, contact?: Json | null) =>
  envelopeOf(shared.place, valueWith(shared, list, item, contact));

const readStatus: Reader = (item, shared) => {
  const messageId = asId(item.id);
  const status = asWord(item.status);
  if (messageId === null) return { unfit: 'a status without the id of its message' };
  if (status === null) return { unfit: 'a status without a name' };
  const error = asRecord(asArray(item.errors)[0]);
  const errorText =
    asText(asRecord(error.error_data).details) ?? asText(error.message) ?? asText(error.title);
  return {
    kind: 'status',
    ...shared.number,
    messageId,
    status,
    at: asTime(item.timestamp),
    recipientWaId: asDigits(item.recipient_id),
    recipientUserId: asUserId(item.recipient_user_id),
    chargeId: asId(item.biz_opaque_callback_data),
    errorCode: asWord(error.code),
    errorMessage: cut(errorText),
    pricing: isRecord(item.pricing) ? item.pricing : null,
    envelope: envelopeWith(shared, 'statuses', item),
  };
};

const readMessage: Reader = (item, shared) => {
  const messageId = asId(item.id);
  const type = asWord(item.type);
  if (messageId === null) return { unfit: 'a message without its id' };
  if (type === null) return { unfit: 'a message without its type' };
  const contact = contactOf(item, shared.contacts, shared.count);
  return {
    kind: 'message',
    ...shared.number,
    messageId,
    displayPhoneNumber: shared.displayPhoneNumber,
    from: asDigits(item.from),
    userId: asUserId(item.from_user_id) ?? asUserId(contact?.user_id),
    change: changeOf(item),
    type,
    at: asTime(item.timestamp),
    message: item,
    contact,
    envelope: envelopeWith(shared, 'messages', item, contact),
  };
};

const readPreference: Reader = (item, shared) => {
  const category = asWord(item.category);
  const value = asWord(item.value);
  if (category === null || value === null)
    return { unfit: 'a preference without category or value' };
  return {
    kind: 'user_preference',
    ...shared.number,
    waId: asDigits(item.wa_id),
    userId: asUserId(item.user_id),
    category,
    value,
    detail: cut(asText(item.detail)),
    at: asTime(item.timestamp),
    envelope: envelopeWith(shared, 'user_preferences', item),
  };
};

const readError: Reader = () => ({ unfit: 'not handled: an error of the account' });

const readers: Readonly<Record<string, Reader>> = {
  statuses: readStatus,
  messages: readMessage,
  user_preferences: readPreference,
  errors: readError,
};

/** The items of a change of a number, which may hold a list of each kind, one after the other. */
export function* readNumberChange(place: Place): Generator<WebhookItem, void, void> {
  const { metadata, contacts } = place.value;
  const { phone_number_id, display_phone_number } = asRecord(metadata);
  const phoneNumberId = asId(phone_number_id);
  if (phoneNumberId === null) {
    yield unknown(place, place.value, 'no phone number id');
    return;
  }
  const ofChange = {
    place,
    number: { phoneNumberId, wabaId: place.wabaId },
    displayPhoneNumber: asDigits(display_phone_number),
    contacts: indexContacts(asArray(contacts)),
  };
  let isEmpty = true;
  for (const [list, read] of Object.entries(readers)) {
    const entries = asArray(place.value[list]);
    const shared: Shared = { ...ofChange, count: entries.length };
    for (const entry of entries) {
      isEmpty = false;
      const reading = isRecord(entry) ? read(entry, shared) : { unfit: 'not an object' };
      if ('unfit' in reading) yield unknown(place, valueWith(shared, list, entry), reading.unfit);
      else yield reading;
    }
  }
  if (isEmpty) yield unknown(place, place.value, 'not handled: nothing known in it');
}
