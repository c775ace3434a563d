import { parseJsonExact } from '../../shared/json.ts';
import { asArray, asDigits, asRecord, asUserId, isRecord, type Json } from '../shape.ts';

/** Fields of the provider with an id of a customer: digits of a number, or a user id. */
const ID_FIELDS = [
  ...['wa_id', 'from', 'recipient_id', 'to', 'user_id', 'from_user_id'],
  ...['to_user_id', 'recipient_user_id', 'previous_user_id'],
];

/** The value of a change, the items of its lists, and what these say of a change of ids. */
function* placesIn(value: Json): Generator<Json, void, void> {
  yield value;
  for (const list of Object.values(value)) {
    for (const item of asArray(list).filter(isRecord)) {
      yield item;
      if (isRecord(item.system)) yield item.system;
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
