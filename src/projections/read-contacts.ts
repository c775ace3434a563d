import { contactKeyOf, ID_CHAIN_MAX } from '../events/contact.ts';
import { type ContactDocument, contacts } from './contacts.ts';
import type { Reader } from './engine/reader.ts';

type Source = Pick<Reader, 'get' | 'getMany'>;

/** Ids of one contact that are read together. */
const IDS_MAX = 20;

/** The contact that a user id belongs to. */
export interface ContactOf {
  ref: string;
  /** Null where it is a user id, or was erased. */
  number: string | null;
}

/** The contacts of user ids as the read models have them; ids without another contact are left out. */
export const readContacts = async (
  source: Pick<Source, 'getMany'>,
  accountId: string,
  refs: Iterable<string>,
): Promise<ReadonlyMap<string, ContactOf>> => {
  const known = new Map<string, ContactDocument>();
  const all = [...new Set(refs)];
  for (let asked = all, hops = 0; asked.length > 0 && hops < ID_CHAIN_MAX; hops += 1) {
    const keys = asked.map((ref) => contactKeyOf(accountId, ref));
    const found = await source.getMany(contacts, keys);
    for (const document of found) known.set(document.id, document);
    const next = found.flatMap(({ contactRef }) => contactRef ?? []);
    asked = next.filter((ref) => !known.has(contactKeyOf(accountId, ref)));
  }
  const contactOf = (ref: string): ContactOf => {
    let at: ContactOf = { ref, number: null };
    for (let hops = 0; hops < ID_CHAIN_MAX; hops += 1) {
      const { contactRef = null, number = null } = known.get(contactKeyOf(accountId, at.ref)) ?? {};
      if (contactRef === null) return at;
      at = { ref: contactRef, number };
    }
    return at;
  };
  return new Map(
    all.flatMap((ref) => {
      const contact = contactOf(ref);
      return contact.ref === ref ? [] : [[ref, contact] as const];
    }),
  );
};

/** All refs under which the messages of a contact are kept. The contact's own comes first. */
export const readRefsOf = async (
  source: Source,
  accountId: string,
  ref: string,
): Promise<readonly string[]> => {
  const contact = (await readContacts(source, accountId, [ref])).get(ref)?.ref ?? ref;
  const refs = [contact];
  for (let at = 0; at < refs.length && refs.length < IDS_MAX; at += 1) {
    const known = await source.get(contacts, contactKeyOf(accountId, refs[at]!));
    refs.push(...(known?.absorbed ?? []).filter((other) => !refs.includes(other)));
  }
  return refs.slice(0, IDS_MAX);
};

/** Joins of one contact that are read at one time; a contact has a handful. */
const JOINS_PAGE = 500;

/** Every ref that was ever joined with this one, with messages or without. */
export const readJoinedRefs = async (
  source: Pick<Reader, 'get' | 'find'>,
  accountId: string,
  ref: string,
): Promise<readonly string[]> => {
  const refs = new Set([ref]);
  for (const at of refs) {
    const own = await source.get(contacts, contactKeyOf(accountId, at));
    if (own?.contactRef) refs.add(own.contactRef);
    const users = await source.find(contacts, {
      where: { contactRef: at },
      order: { field: 'contactRef', direction: 'ascending' },
      limit: JOINS_PAGE,
    });
    const prefix = contactKeyOf(accountId, '');
    for (const { id } of users) refs.add(id.slice(prefix.length));
  }
  return [...refs];
};
