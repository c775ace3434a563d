import { asDigits, asUserId, type Json } from '../shape.ts';
import { magicRecipients, type Scenario, scenarios } from './scenarios.ts';
import { remember, type World } from './world.ts';

/** A customer, as the provider knows one. */
interface SimulatedContact {
  /** Digits; null for a user id that no customer has. */
  digits: string | null;
  userId: string;
  /** Whether webhooks show the user id alone. */
  hidden: boolean;
}

/** Country letters of user ids, by the beginning of the number. Others have ZZ, which is no country. */
const countries: Readonly<Record<string, string>> = { 1: 'US', 44: 'GB', 55: 'BR', 91: 'IN' };
const COUNTRY_DIGITS_MAX = 2;
/** A user id has the letters, this mark, how often it has changed, and the digits. */
const MARK = '77';
const CHANGES_DIGITS = 2;

const countryOf = (digits: string): string => {
  for (let length = COUNTRY_DIGITS_MAX; length > 0; length -= 1) {
    const country = countries[digits.slice(0, length)];
    if (country !== undefined) return country;
  }
  return 'ZZ';
};

const userIdOf = (digits: string, changes: number): string =>
  `${countryOf(digits)}.${MARK}${String(changes).padStart(CHANGES_DIGITS, '0')}${digits}`;

/** The digits in a user id; null where it is none of the simulator's. */
const digitsIn = (userId: string): string | null =>
  new RegExp(`^[A-Z]{2}\\.${MARK}\\d{${CHANGES_DIGITS}}(\\d+)$`).exec(userId)?.[1] ?? null;

/** A customer by number. Every customer has a user id, which is made of the digits. */
export const contactOf = ({ contacts }: World, digits: string): SimulatedContact => {
  const known = contacts.get(digits);
  const scenario: Scenario = scenarios[magicRecipients[digits] ?? 'normal'];
  return {
    digits,
    userId: userIdOf(digits, known?.changes ?? 0),
    hidden: known?.hidden ?? scenario.hidden === true,
  };
};

/** The recipient of a message: by number, or else by user id. */
export const recipientOf = (world: World, message: Json): SimulatedContact | undefined => {
  const digits = asDigits(message.to);
  if (digits !== null) return contactOf(world, digits);
  const userId = asUserId(message.recipient);
  if (userId === null) return undefined;
  const own = digitsIn(userId);
  return own === null
    ? { digits: null, userId, hidden: true }
    : { ...contactOf(world, own), userId };
};

/** Hides or shows a customer's number. */
export const setHidden = ({ contacts }: World, digits: string, hidden: boolean): void => {
  remember(contacts, digits, { changes: contacts.get(digits)?.changes ?? 0, hidden });
};

/** Gives a customer another user id; resolves to the notice of it. */
export const changeUserId = (world: World, digits: string): Json => {
  const { userId: previous, hidden } = contactOf(world, digits);
  const changes = (world.contacts.get(digits)?.changes ?? 0) + 1;
  remember(world.contacts, digits, { changes, hidden });
  const userId = userIdOf(digits, changes);
  return {
    type: 'system',
    system: {
      body: `User changed from ${previous} to ${userId}`,
      type: 'user_changed_user_id',
      user_id: userId,
      previous_user_id: previous,
    },
  };
};
