import {
  type ContactJoin,
  type ContactKind,
  contactKeyOf,
  ID_CHAIN_MAX,
} from '../../events/contact.ts';
import { createGrowingCache } from '../../shared/growing-cache.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { contactDecider } from './contact.ts';
import type { createHomes } from './homes.ts';
import { type Subjects, subjectOf } from './subjects.ts';

/** Joins kept in memory. */
const JOINS_MAX = 50_000;

/** What names a contact. */
export interface ContactName {
  ref: string;
  kind: ContactKind;
  /** Digits, or the user id; null where the log does not tell it any more. */
  id: string | null;
}

export interface JoinsDeps {
  writer: Writer;
  subjects: Pick<Subjects, 'of' | 'ofRef' | 'areHeld'>;
}

type Homes = ReturnType<typeof createHomes>;

/** Reads to whom user ids belong. */
export const createSearch = ({ writer, subjects }: JoinsDeps, homes: Homes) => {
  // What was seen together stays so until it is erased, so only that is looked at again.
  const known = createGrowingCache<string, ContactName>(JOINS_MAX);

  /** The contact of a join; null once it was erased. */
  const contactIn = async (joined: ContactJoin): Promise<ContactName | null> => {
    const { accountId, contactRef: ref, contactKind: kind, contact: id } = joined;
    return (await subjectOf(subjects, accountId, ref)) ? { ref, kind, id } : null;
  };

  /** A join is complete once its conversations are joined too: a crash may have come before that. */
  const complete = async (
    joined: ContactJoin,
    context: CommandContext,
  ): Promise<ContactName | null> => {
    const contact = await contactIn(joined);
    if (contact === null) return null;
    const { accountId, userRef, by } = joined;
    await homes.join(joined, { ...context, accountId });
    if (by === 'seen') known.set(contactKeyOf(accountId, userRef), contact);
    return contact;
  };

  const load = async (accountId: string, userRef: string) =>
    (await writer.load(contactDecider, contactKeyOf(accountId, userRef))).state;

  /** The next contact on the way; null at its end. */
  const nextOf = async (accountId: string, userRef: string, context: CommandContext) => {
    const kept = known.get(contactKeyOf(accountId, userRef));
    if (kept) return (await subjectOf(subjects, accountId, kept.ref)) ? kept : null;
    const { joined } = await load(accountId, userRef);
    return joined && complete(joined, context);
  };

  /** Rivals that were joined with each other have the smallest one of them as their contact. */
  const find = async (
    accountId: string,
    from: ContactName,
    context: CommandContext,
  ): Promise<ContactName> => {
    const passed: ContactName[] = [];
    for (let at = from; ; ) {
      if (at.kind === 'number') return at;
      const first = passed.findIndex(({ ref }) => ref === at.ref);
      if (first >= 0) return passed.slice(first).sort((a, b) => (a.ref < b.ref ? -1 : 1))[0]!;
      passed.push(at);
      const next = passed.length > ID_CHAIN_MAX ? null : await nextOf(accountId, at.ref, context);
      if (next === null) return at;
      at = next;
    }
  };

  return { known, contactIn, complete, load, find };
};
