import { contactKeyOf, ID_CHAIN_MAX, isUserId } from '../events/contact.ts';
import { type ContactDocument, contacts } from './contacts.ts';
import type { Reader } from './engine/reader.ts';

type Source = Pick<Reader, 'get' | 'getMany'>;

/** Ids of one contact that are read together. */
const IDS_MAX = 20;

/** The contacts of user ids as the read models have them; ids without another contact are left out. */
export const readContacts = async (
  source: Pick<Source, 'getMany'>,
  accountId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, string>> => {
  const known = new Map<string, ContactDocument>();
  let asked = [...new Set(ids)].filter(isUserId);
  const userIds = asked;
  for (let hops = 0; asked.length > 0 && hops < ID_CHAIN_MAX; hops += 1) {
    const keys = asked.map((id) => contactKeyOf(accountId, id));
    const found = await source.getMany(contacts, keys);
    for (const document of found) known.set(document.id, document);
    asked = found.flatMap(({ contact }) => contact ?? []).filter(isUserId);
    asked = asked.filter((id) => !known.has(contactKeyOf(accountId, id)));
  }
  const contactOf = (id: string): string => {
    let at = id;
    for (let hops = 0; hops < ID_CHAIN_MAX; hops += 1) {
      const next = known.get(contactKeyOf(accountId, at))?.contact;
      if (next === undefined) return at;
      at = next;
    }
    return at;
  };
  return new Map(
    userIds.flatMap((id) => {
      const contact = contactOf(id);
      return contact === id ? [] : [[id, contact] as const];
    }),
  );
};

/** All ids under which the messages of a contact are kept. The contact's own id comes first. */
export const readIdsOf = async (
  source: Source,
  accountId: string,
  id: string,
): Promise<readonly string[]> => {
  const contact = (await readContacts(source, accountId, [id])).get(id) ?? id;
  const ids = [contact];
  for (let at = 0; at < ids.length && ids.length < IDS_MAX; at += 1) {
    const known = await source.get(contacts, contactKeyOf(accountId, ids[at]!));
    ids.push(...(known?.absorbed ?? []).filter((other) => !ids.includes(other)));
  }
  return ids.slice(0, IDS_MAX);
};
