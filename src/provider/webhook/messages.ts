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
} from '../shape.ts';
import type { WebhookItem } from './item.ts';
import { asTime, envelopeOf, type Place, type Reading, unknown } from './reader.ts';
import { type Contacts, changeOf, contactOf, cut, indexContacts } from './senders.ts';

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
