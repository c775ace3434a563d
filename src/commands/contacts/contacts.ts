import { type ContactIds, kindOf } from '../../events/contact.ts';
import type { DataSubject } from '../../events/personal.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { ContactName } from './contact-search.ts';
import { createJoins } from './joins.ts';
import { type Subjects, subjectOf } from './subjects.ts';

export type { ContactName } from './contact-search.ts';

/** A contact, and the data key that its events of this month are sealed under. */
export interface Contact extends ContactName, DataSubject {}

/** A contact's ids that the provider showed together. */
interface Seen extends ContactIds {
  accountId: string;
}

/** A user id that replaces the one of a contact. */
interface IdChange {
  accountId: string;
  /** The older user id, or the number of the contact. */
  previous: string;
  userId: string;
}

/** Names contacts by their pseudonyms. */
const createNaming = (subjects: Subjects) => ({
  /** The contact of an id on its own; made where the id is new. */
  async own(accountId: string, id: string): Promise<Contact> {
    return { ...(await subjects.of(accountId, id)), kind: kindOf(id), id };
  },
  /** The name of a user id, which needs no data key where it is known. */
  async nameOf(accountId: string, id: string): Promise<ContactName> {
    const ref = (await subjects.refOf(accountId, id)) ?? (await subjects.of(accountId, id)).ref;
    return { ref, kind: kindOf(id), id };
  },
});

/** Gives a new user id to the contact of the previous one. */
const createChange =
  (
    { find, join }: Pick<ReturnType<typeof createJoins>, 'find' | 'join'>,
    nameOf: ReturnType<typeof createNaming>['nameOf'],
  ) =>
  async ({ accountId, previous, userId }: IdChange, context: CommandContext): Promise<void> => {
    const contact = await find(accountId, await nameOf(accountId, previous), context);
    const user = await find(accountId, await nameOf(accountId, userId), context);
    if (user.ref === contact.ref) return;
    const by = 'changed' as const;
    if (user.kind === 'userId') await join({ accountId, user, contact, by }, context);
    // The number of the new id is known: the older id belongs to it too.
    else if (contact.kind === 'userId') {
      await join({ accountId, user: contact, contact: user, by }, context);
    }
  };

/**
 * The contacts of accounts: which ids are one contact. The only code that resolves an id or joins two.
 * A number is a contact of its own and needs no look-up. A user id is the contact that its stream
 * names; the stream is asked, never a read model, so no answer lags.
 */
export const createContacts = ({ writer, subjects }: { writer: Writer; subjects: Subjects }) => {
  const { find, meet, join, joinSeen } = createJoins({ writer, subjects });
  const { own, nameOf } = createNaming(subjects);

  /** The contact of a user id, as the log has it. One that was erased meanwhile has it no more. */
  const resolve = async (accountId: string, userId: string, context: CommandContext) => {
    const found = await find(accountId, await nameOf(accountId, userId), context);
    const subject = await subjectOf(subjects, accountId, found.ref);
    return subject ? { ...found, ...subject } : own(accountId, userId);
  };

  /** The contact of these ids. A number and a user id that come together are one from here on. */
  const see = async (
    { accountId, waId, userId }: Seen,
    context: CommandContext,
  ): Promise<Contact | null> => {
    if (userId === null) return waId === null ? null : own(accountId, waId);
    if (waId === null) return resolve(accountId, userId, context);
    const [user, contact] = [await nameOf(accountId, userId), await own(accountId, waId)];
    await joinSeen({ accountId, user, contact }, context);
    return contact;
  };

  return {
    see,
    /** The contact of an id; undefined where nothing is held of it. Creates nothing. */
    async find(
      accountId: string,
      id: string,
      context: CommandContext,
    ): Promise<ContactName | undefined> {
      const ref = await subjects.refOf(accountId, id);
      return ref === undefined
        ? undefined
        : find(accountId, { ref, kind: kindOf(id), id }, context);
    },

    /** The contact of the ids of a message at this number. Null without an id. */
    async meet(
      { phoneNumberId, ...seen }: Seen & { phoneNumberId: string },
      context: CommandContext,
    ): Promise<Contact | null> {
      const { accountId } = seen;
      let contact = await see(seen, context);
      while (contact?.kind === 'userId') {
        const { ref: userRef } = contact;
        const other = await meet({ accountId, userRef, phoneNumberId }, context);
        if (other === null) return contact;
        const next = await find(accountId, other, context);
        if (next.ref === userRef) return contact;
        const subject = await subjectOf(subjects, accountId, next.ref);
        if (!subject) return contact;
        contact = { ...next, ...subject };
      }
      return contact;
    },

    change: createChange({ find, join }, nameOf),
  };
};

export type Contacts = ReturnType<typeof createContacts>;
