import { parseContact } from '../../events/contact.ts';
import { asDigits, asUserId, isRecord } from '../shape.ts';

// Messages name others than their sender: whom they quote, whose number changed, whose card they carry.

/** Fields of the provider with an id of a customer: digits of a number, or a user id. */
const ID_FIELDS: ReadonlySet<string> = new Set([
  'wa_id',
  'new_wa_id',
  'from',
  'recipient_id',
  'to',
  'user_id',
  'from_user_id',
  'to_user_id',
  'recipient_user_id',
  'previous_user_id',
  'recipient_participant_id',
  'phone',
  'phone_number',
  'participant',
  'author',
]);

/** A value in a message that names contacts. */
interface NamedPlace {
  /** Names of fields and places in lists, from the message down to the value. */
  path: readonly (string | number)[];
  /** Digits of numbers, and user ids. */
  ids: readonly string[];
}

/** Values within values that are looked at: the depth to which the service reads JSON. */
const DEPTH_MAX = 32;

const asNumber = (value: unknown): string | null => {
  if (asDigits(value) === null) return null;
  const digits = parseContact(String(value));
  return /^\d{5,20}$/.test(digits) ? digits : null;
};

const asContact = (value: unknown): string | null => asUserId(value) ?? asNumber(value);

/** The contact in the provider's id of a message: base64 of fields, of which the first text names it. */
const contactInMessageId = (id: string): string | null => {
  const bytes = Buffer.from(id.slice('wamid.'.length), 'base64');
  const from = bytes.indexOf(0x18) + 2;
  const text = bytes.toString('latin1', from, from + (bytes[from - 1] ?? 0));
  return from >= 2 && /^\d+$|^[A-Z]{2}\.\w+$/.test(text) ? asContact(text) : null;
};

/** The numbers of a contact card in the form of vCard. */
const numbersInCard = (card: string): string[] =>
  [...card.matchAll(/\bwaid=(\d+)/gi), ...card.matchAll(/^TEL[^:\r\n]*:([^\r\n]+)/gim)].flatMap(
    ([, number]) => asNumber(number) ?? [],
  );

const idsInField = (name: string | number | undefined, value: unknown): string[] => {
  if (typeof value === 'string' && value.startsWith('wamid.')) {
    return [contactInMessageId(value) ?? []].flat();
  }
  if (name === 'vcard' && typeof value === 'string') return numbersInCard(value);
  if (typeof name !== 'string' || !ID_FIELDS.has(name)) return [];
  return [asContact(value) ?? []].flat();
};

/** A notice of changed ids, and a contact card: the words in them name the person, too. */
const isWhole = (path: NamedPlace['path']): boolean =>
  path.at(-1) === 'system' || path.at(-2) === 'contacts';

/** The id of a message names its own contact. */
const isOwnId = (path: NamedPlace['path']): boolean =>
  path.length === 2 && path[0] === 'message' && path[1] === 'id';

/**
 * The places that name contacts, in an item of the provider or in parts of an event. Text that somebody typed is not searched.
 */
export function* namedPlacesIn(
  value: unknown,
  path: NamedPlace['path'] = [],
): Generator<NamedPlace, void, void> {
  if (path.length > DEPTH_MAX) return;
  if (isRecord(value) && isWhole(path)) {
    const ids = [...inner(value, path)].flatMap((place) => place.ids);
    if (ids.length > 0) yield { path, ids: [...new Set(ids)] };
  } else if (isRecord(value) || Array.isArray(value)) {
    yield* inner(value, path);
  } else if (!isOwnId(path)) {
    const ids = idsInField(path.at(-1), value);
    if (ids.length > 0) yield { path, ids };
  }
}

function* inner(value: object, path: NamedPlace['path']): Generator<NamedPlace, void, void> {
  const isList = Array.isArray(value);
  for (const [name, item] of Object.entries(value)) {
    yield* namedPlacesIn(item, [...path, isList ? Number(name) : name]);
  }
}
