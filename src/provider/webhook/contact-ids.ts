import { parseJsonExact } from '../../shared/json.ts';
import { asArray, asDigits, asRecord } from '../shape.ts';
import { namedPlacesIn } from './named-contacts.ts';

const parsed = (raw: string): unknown => {
  try {
    return parseJsonExact(raw);
  } catch {
    return undefined;
  }
};

/**
 * The ids of customers that an item of a webhook names, each once; none where nothing of it can be
 * read.
 */
export const contactIdsOf = (raw: string): string[] => {
  const ids = new Set<string>();
  for (const entry of asArray(asRecord(parsed(raw)).entry)) {
    for (const change of asArray(asRecord(entry).changes)) {
      const value = asRecord(asRecord(change).value);
      const own = asDigits(asRecord(value.metadata).display_phone_number);
      for (const place of namedPlacesIn(value)) {
        for (const id of place.ids) if (id !== own) ids.add(id);
      }
    }
  }
  return [...ids];
};
