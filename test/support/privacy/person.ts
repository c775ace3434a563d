import { newMessageId } from '../../../src/provider/simulator/messages.ts';
import { fixedClock } from '../ambient.ts';
import type { Mark } from './needles.ts';

/** A contact whose every text occurs nowhere else. */
export interface Person {
  /** Digits. */
  number: string;
  userId: string;
  /** The user id before it changed. */
  oldUserId: string;
  /** A text for one place; the same one for the same place. */
  text(place: string): string;
  /** A new id of a message from or to this contact, as the provider makes them. */
  messageId(direction: 'inbound' | 'outbound', name?: string): string;
  /** All ids of messages, so far. */
  messageIds(): readonly string[];
  /** All that can be looked for, so far. */
  marks(): Mark[];
}

let persons = 0;
let ids = 0;
const clock = fixedClock();
const byContact = new Map<string, Person>();

/** The person with this number or user id; a new one where nobody has it. */
export const personOf = (contact: string): Person => byContact.get(contact) ?? createPerson();

/** Letters that no program writes by chance. */
const letters = (count: number): string =>
  Array.from({ length: count }, () =>
    String.fromCharCode(97 + Math.floor(Math.random() * 26)),
  ).join('');

/** Texts hold what JSON and URLs write otherwise. */
const oddText = (): string => `${letters(10)} ü"${letters(10)}`;

/** A person of this run. */
export const createPerson = (textOf: (place: string) => string = oddText): Person => {
  persons += 1;
  const texts = new Map<string, string>();
  // 12 digits of India, the country of the rate card's examples.
  const number = `9198${String(10_000_000 + Math.floor(Math.random() * 89_000_000))}`;
  const digits = () => String(Math.random()).slice(2, 17).padEnd(15, '7');
  const [userId, oldUserId] = [`IN.${digits()}${persons}`, `IN.${digits()}${persons}`];
  const messages: Mark[] = [];
  const nextId = () => {
    ids += 1;
    return ids;
  };
  const person: Person = {
    number,
    userId,
    oldUserId,
    text(place) {
      const known = texts.get(place);
      if (known !== undefined) return known;
      const made = textOf(place);
      texts.set(place, made);
      return made;
    },
    messageId(direction, name = `id of message ${messages.length}`) {
      const place = { contact: number, phoneNumberId: '1', direction };
      const id = newMessageId({ clock, nextId }, place);
      messages.push({ name, text: id });
      return id;
    },
    messageIds: () => messages.map(({ text }) => text),
    marks: () => [
      { name: 'number', text: number },
      { name: 'user id', text: userId },
      { name: 'old user id', text: oldUserId },
      ...[...texts].map(([name, text]) => ({ name, text })),
      ...messages,
    ],
  };
  for (const contact of [number, userId, oldUserId]) byContact.set(contact, person);
  return person;
};
