import { z } from 'zod';
import { defineEvent, type FactOf, type Form } from './define.ts';
import { personal } from './personal.ts';
import { idInStream, inAccount, partsOfId } from './streams.ts';

// A contact has a number, a user id of the provider, or both. An account's events name a contact by the
// pseudonym of one of them, its `ref`: that of the number once it is known, else that of the user id.

const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/;

/** Whether a text is a user id of the provider, such as `US.13491208655302741918`. */
export const isUserId = (text: string): boolean => USER_ID.test(text);

/** White space, and the invisible characters that come with copied text. */
const BLANKS_AROUND = /^[\s\u200b-\u200f\u2060]+|[\s\u200b-\u200f\u2060]+$/g;

/**
 * The id of a contact as callers write it, in sends, filters, erasures and everywhere else: a user id
 * without the blanks around it, else the digits. A leading `00` is the international prefix and is read
 * as `+`; nothing else is checked (contract 4.7).
 */
export const parseContact = (text: string): string => {
  const trimmed = text.replace(BLANKS_AROUND, '');
  if (isUserId(trimmed)) return trimmed;
  const digits = text.replace(/\D/g, '');
  return /^\D*\+/.test(text) ? digits : digits.replace(/^00/, '');
};

/** The same where a text may be something else: undefined for one that is neither number nor user id. */
export const contactIn = (text: string): string | undefined => {
  const id = parseContact(text);
  const isNumber = /^[\d\s+().\u200b-\u200f\u2060-]+$/.test(text) && /^\d{1,20}$/.test(id);
  return isNumber || isUserId(id) ? id : undefined;
};

/** The ids of a contact, as far as they are known. */
export interface ContactIds {
  /** Digits of the number. */
  waId: string | null;
  userId: string | null;
}

/** The number in a contact's id; null where that is a user id. */
export const numberIn = (contact: string): string | null =>
  /^\d+$/.test(contact) ? contact : null;

export type ContactKind = 'number' | 'userId';

export const kindOf = (contact: string): ContactKind =>
  numberIn(contact) === null ? 'userId' : 'number';

/** The ids that a contact's id and a user id that was seen beside it tell. */
export const idsOf = (contact: string | null, userId: string | null): ContactIds => {
  const waId = contact === null ? null : numberIn(contact);
  return { waId, userId: userId ?? (waId === null ? contact : null) };
};

/** The contact's id that these ids make: the inverse of `idsOf`. Empty without an id. */
export const contactIdOf = ({ waId, userId }: ContactIds): string => waId ?? userId ?? '';

/** User ids that are followed from one to the next; a contact changes its id now and then. */
export const ID_CHAIN_MAX = 8;

/** The name of a contact in an account. */
export const contactKeyOf = inAccount;

/** The stream of a user id. */
export const contactStream = (accountId: string, userRef: string): string =>
  `contact-${contactKeyOf(accountId, userRef)}`;

/** The user id's pseudonym, which names its stream. */
const ofUserId = { accountId: z.string(), userRef: z.string() };

/** The stream's name holds the account and the pseudonym of the user id. */
const ofStream: Form = {
  pack: ({ accountId: _, userRef: __, ...data }) => data,
  unpack(stored, stream) {
    const { accountId, rest: userRef } = partsOfId(idInStream(stream, 'contact'));
    return { accountId, userRef, ...stored };
  },
};

/** A user id, which is a contact of its own until now, has a conversation at this number. */
export const ContactMet = defineEvent(
  'ContactMet',
  z.object({ ...ofUserId, phoneNumberId: z.string() }),
  // Before there were pseudonyms, the ids were in clear.
  [({ userId, ...v1 }) => ({ ...v1, userRef: userId })],
);

/**
 * The user id belongs to this contact from here on. In the stream of the user id, so that rivals meet
 * there and one of them wins.
 */
export const ContactIdsJoined = defineEvent(
  'ContactIdsJoined',
  z.object({
    ...ofUserId,
    contactRef: z.string(),
    contactKind: z.enum(['number', 'userId']),
    userId: personal(z.string()),
    /** Digits, or the older user id. */
    contact: personal(z.string()),
    /**
     * `seen`: the provider showed number and user id together; final. `changed`: the user id replaces
     * another one; a number that is seen beside it later counts more.
     */
    by: z.enum(['seen', 'changed']),
    /**
     * The numbers where the user id has a conversation, and whose stream goes on with both. Absent for
     * a user id that was never without its contact.
     */
    conversations: z
      .array(z.object({ phoneNumberId: z.string(), home: z.enum(['contact', 'userId']) }))
      .optional(),
  }),
  [
    (v1) => ({
      ...v1,
      userRef: v1.userId,
      contactRef: v1.contact,
      contactKind: kindOf(String(v1.contact)),
    }),
    // Version 2 repeats what its stream's name tells.
    (v2) => v2,
  ],
  ofStream,
);

export const contactEvents = [ContactMet, ContactIdsJoined] as const;
export type ContactFact = FactOf<(typeof contactEvents)[number]>;
export type ContactJoin = FactOf<typeof ContactIdsJoined>['data'];
