import {
  asArray,
  asDigits,
  asId,
  asRecord,
  asText,
  isRecord,
  type Json,
  shorten,
} from '../shape.ts';
import type { WebhookItem } from './item.ts';
import { asTime, envelopeOf, type Place, type Reading, unknown } from './reader.ts';

const ERROR_LENGTH_MAX = 500;
const DETAIL_LENGTH_MAX = 500;
const WORD_LENGTH_MAX = 64;

const asWord = (value: unknown): string | null => {
  const text = asText(value);
  return text !== null && text.length <= WORD_LENGTH_MAX && text.isWellFormed() ? text : null;
};

/** What the items of one change have in common. */
interface Shared {
  place: Place;
  phoneNumberId: string;
  displayPhoneNumber: string | null;
  contacts: unknown[];
  /** How many items stand in the change's list of this kind. */
  count: number;
}

type Reader = (item: Json, shared: Shared) => Reading;

const envelopeWith = ({ place }: Shared, list: string, item: Json, contact?: Json | null) => {
  const { messaging_product, metadata } = place.value;
  const contacts = contact && { contacts: [contact] };
  return envelopeOf(place, { messaging_product, metadata, ...contacts, [list]: [item] });
};

const readStatus: Reader = (item, shared) => {
  const messageId = asId(item.id);
  const status = asWord(item.status);
  if (messageId === null) return { unfit: 'a status without the id of its message' };
  if (status === null) return { unfit: 'a status without its word' };
  const error = asRecord(asArray(item.errors)[0]);
  const errorText =
    asText(asRecord(error.error_data).details) ?? asText(error.message) ?? asText(error.title);
  return {
    kind: 'status',
    phoneNumberId: shared.phoneNumberId,
    wabaId: shared.place.wabaId,
    messageId,
    status,
    at: asTime(item.timestamp),
    recipientWaId: asDigits(item.recipient_id),
    chargeId: asId(item.biz_opaque_callback_data),
    errorCode: asWord(error.code),
    errorMessage: errorText === null ? null : shorten(errorText, ERROR_LENGTH_MAX),
    pricing: isRecord(item.pricing) ? item.pricing : null,
    envelope: envelopeWith(shared, 'statuses', item),
  };
};

/** The sender's record; a lone one is taken to be that of a lone message. */
const contactOf = (item: Json, { contacts, count }: Shared): Json | null => {
  const records = contacts.filter(isRecord);
  const same = (key: string, id: unknown) =>
    asText(id) === null ? undefined : records.find((contact) => contact[key] === id);
  const match = same('wa_id', item.from) ?? same('user_id', item.from_user_id);
  return match ?? (records.length === 1 && count === 1 ? records[0]! : null);
};

const readMessage: Reader = (item, shared) => {
  const messageId = asId(item.id);
  const type = asWord(item.type);
  if (messageId === null) return { unfit: 'a message without its id' };
  if (type === null) return { unfit: 'a message without its type' };
  const contact = contactOf(item, shared);
  return {
    kind: 'message',
    phoneNumberId: shared.phoneNumberId,
    wabaId: shared.place.wabaId,
    messageId,
    displayPhoneNumber: shared.displayPhoneNumber,
    from: asDigits(item.from),
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
  if (category === null || value === null) return { unfit: 'a preference that says nothing' };
  const detail = asText(item.detail);
  return {
    kind: 'user_preference',
    phoneNumberId: shared.phoneNumberId,
    wabaId: shared.place.wabaId,
    waId: asDigits(item.wa_id) ?? asId(item.user_id),
    category,
    value,
    detail: detail === null ? null : shorten(detail, DETAIL_LENGTH_MAX),
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

/** The items of a change that belongs to a number: it may hold lists of every kind. */
export const readNumberChange = (place: Place): WebhookItem[] => {
  const { metadata, contacts } = place.value;
  const { phone_number_id, display_phone_number } = asRecord(metadata);
  const phoneNumberId = asId(phone_number_id);
  if (phoneNumberId === null) return [unknown(place, place.value, 'no phone number id')];
  const items = Object.entries(readers).flatMap(([list, read]) => {
    const entries = asArray(place.value[list]);
    const shared: Shared = {
      place,
      phoneNumberId,
      displayPhoneNumber: asDigits(display_phone_number),
      contacts: asArray(contacts),
      count: entries.length,
    };
    return entries.map((entry): WebhookItem => {
      const reading = isRecord(entry) ? read(entry, shared) : { unfit: 'not an object' };
      if (!('unfit' in reading)) return reading;
      return unknown(place, { ...place.value, ...only(list, entry) }, reading.unfit);
    });
  });
  return items.length > 0
    ? items
    : [unknown(place, place.value, 'not handled: nothing known in it')];
};

/** Every list emptied but one. */
const only = (list: string, entry: unknown): Json => ({
  ...Object.fromEntries(Object.keys(readers).map((key) => [key, undefined])),
  [list]: [entry],
});
