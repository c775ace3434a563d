import type { Subjects } from '../../src/commands/contacts/subjects.ts';
import { decode, keysFor, openEvent } from '../../src/events/index.ts';
import { type KeyRing, opened } from '../../src/events/opened.ts';
import type { DataSubject } from '../../src/events/personal.ts';
import { type EventReader, type Recorded, UNREADABLE } from '../../src/events/store.ts';

// Contacts with fixed pseudonyms and keys, for what is tested without a store of keys.

const MONTH = '2026-11';

/** The subject of an id: its pseudonym names the id, so that a failed test can be read. */
export const subjectOfId = (id: string): DataSubject => ({
  ref: `ref_${id}`,
  month: MONTH,
  key: new Uint8Array(32).fill(7),
});

/** The recipient of the sample messages. */
export const customer = subjectOfId('919812345678');

/** Everybody has a subject, and nobody is ever erased. */
export const memorySubjects: Subjects = {
  known: (_, id) => subjectOfId(id),
  of: (_, id) => subjectOfId(id),
  ofAll: async (_, ids) => ids.map(subjectOfId),
  ofRef: (ref) => ({ ...customer, ref }),
  areHeld: async () => true,
  refOf: async (_, id) => subjectOfId(id).ref,
};

/** A stored event as a reader with all keys has it; one that no program wrote stays as it is. */
export const readOpened = (stored: Recorded): Recorded => {
  const sealed = decode(stored);
  const names = keysFor(sealed);
  const keys = names.map(() => customer.key);
  const read = openEvent(sealed, names, keys);
  // What other keys seal is left to who has them.
  if (read.isErased) return sealed;
  return read.type === UNREADABLE ? stored : read;
};

/** Has the key of everybody. */
export const memoryRing: KeyRing = {
  load: async () => undefined,
  find: () => customer.key,
  clear: async () => undefined,
  forget: () => undefined,
  forgetMonths: () => undefined,
};

/** The log as a reader with all keys has it. */
export const openedLog = <Log extends EventReader>(log: Log): Log => opened(log, memoryRing);
