import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

// A contact has a number, a user id of the provider, or both. An account's events name a contact by one
// of them: by the digits of the number once they are known, else by the user id.

const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/;

/** Whether a text is a user id of the provider, such as `US.13491208655302741918`. */
export const isUserId = (text: string): boolean => USER_ID.test(text);

/** The ids of a contact, as far as they are known. */
export interface ContactIds {
  /** Digits of the number. */
  waId: string | null;
  userId: string | null;
}

/** The number in a contact's id; null where that is a user id. */
export const numberIn = (contact: string): string | null =>
  /^\d+$/.test(contact) ? contact : null;

/** The ids that a contact's id and a user id that was seen beside it tell. */
export const idsOf = (contact: string, userId: string | null): ContactIds => ({
  waId: numberIn(contact),
  userId: userId ?? (numberIn(contact) === null ? contact : null),
});

/** The contact's id that these ids make: the inverse of `idsOf`. Empty without an id. */
export const contactIdOf = ({ waId, userId }: ContactIds): string => waId ?? userId ?? '';

/** User ids that are followed from one to the next; a contact changes its id now and then. */
export const ID_CHAIN_MAX = 8;

/** The only place that builds the name of a contact's id in an account. An account's id contains no dot. */
export const contactKeyOf = (accountId: string, id: string): string => `${accountId}.${id}`;

const ofUserId = { accountId: z.string(), userId: z.string() };

/** A user id, which is a contact of its own until now, has a conversation at this number. */
export const ContactMet = defineEvent(
  'ContactMet',
  z.object({ ...ofUserId, phoneNumberId: z.string() }),
);

/**
 * The user id belongs to this contact from here on. In the stream of the user id, so that rivals meet
 * there and one of them wins.
 */
export const ContactIdsJoined = defineEvent(
  'ContactIdsJoined',
  z.object({
    ...ofUserId,
    /** Digits, or the older user id. */
    contact: z.string(),
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
);

export const contactEvents = [ContactMet, ContactIdsJoined] as const;
export type ContactFact = FactOf<(typeof contactEvents)[number]>;
export type ContactJoin = FactOf<typeof ContactIdsJoined>['data'];
