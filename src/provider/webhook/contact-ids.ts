import { parseJsonExact } from '../../shared/json.ts';
import { asArray, asDigits, asRecord, asUserId, isRecord, type Json } from '../shape.ts';

/** Fields of the provider with an id of a customer: digits of a number, or a user id. */
const ID_FIELDS = [
  ...['wa_id', 'from', 'recipient_id', 'to', 'user_id', 'from_user_id'],
  ...['to_user_id', 'recipient_user_id', 'previous_user_id', 'recipient_participant_id'],
];

/** Lists of messages: their content may name others, as a shared contact card does. */
const MESSAGES = ['messages', 'message_echoes'];
/** Lists within lists that are looked at; the provider's own shapes have four. */
const DEPTH_MAX = 8;

/**
 * The value of a change and the items of its lists, of lists in these too, with what they say of a change
 * of ids and of an entry in an address book.
 */
function* placesIn(value: Json, depth = 0): Generator<Json, void, void> {
  yield value;
  const { system, contact } = value;
  if (isRecord(system)) yield system;
  if (isRecord(contact)) yield { wa_id: contact.phone_number, ...contact };
  if (depth === DEPTH_MAX) return;
  for (const [name, list] of Object.entries(value)) {
    for (const item of asArray(list).filter(isRecord)) {
      yield* placesIn(item, MESSAGES.includes(name) ? DEPTH_MAX : depth + 1);
    }
  }
}

const parsed = (raw: string): unknown => {
  try {
    return parseJsonExact(raw);
  } catch {
    return undefined;
  }
};

/**
 * The ids of customers that an item of a webhook names, each once; none where nothing of it can be
 * read. Does not look into the content of messages.
 */
export const contactIdsOf = (raw: string): string[] => {
  const ids = new Set<string>();
  for (const entry of asArray(asRecord(parsed(raw)).entry)) {
    for (const change of asArray(asRecord(entry).changes)) {
      const value = asRecord(asRecord(change).value);
      const own = asDigits(asRecord(value.metadata).display_phone_number);
      for (const place of placesIn(value)) {
        for (const field of ID_FIELDS) {
          const id = asUserId(place[field]) ?? asDigits(place[field]);
          if (id !== null && id !== own) ids.add(id);
        }
      }
    }
  }
  return [...ids];
};
