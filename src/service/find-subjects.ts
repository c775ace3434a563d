import type { HeldSubject } from '../commands/privacy/keys.ts';
import { contactKeyOf } from '../events/contact.ts';
import type { EventReader } from '../events/store.ts';
import type { DataSubjects } from '../keys/data-subjects.ts';
import type { KeyReader } from '../keys/key-store.ts';
import { accounts } from '../projections/accounts.ts';
import { contacts } from '../projections/contacts.ts';
import type { Reader } from '../projections/engine/reader.ts';
import { readRefsOf } from '../projections/read-contacts.ts';

interface Deps {
  store: Pick<EventReader, 'head'>;
  reader: Reader;
  keys: Pick<KeyReader, 'subjects'>;
  subjects: Pick<DataSubjects, 'hashOf'>;
}

const ACCOUNTS_PAGE = 500;
const JOINED_MAX = 1_000;

/** Ids of all accounts, page by page, newest first. */
async function* accountPages(reader: Reader): AsyncGenerator<readonly string[], void, void> {
  for (let before: string | number | undefined; ; ) {
    const { rows, next } = await reader.scan(accounts, {
      where: before === undefined ? {} : { order: { lt: before } },
      order: { field: 'order', direction: 'descending' },
      fields: ['id'],
      limit: ACCOUNTS_PAGE,
      rowsMax: ACCOUNTS_PAGE,
      charactersMax: Number.POSITIVE_INFINITY,
    });
    yield rows.map(({ id }) => id);
    if (next === null) return;
    before = next;
  }
}

/** All refs of one contact: those that messages are kept under, and the user ids that belong to them. */
const joinedRefs = async (reader: Reader, accountId: string, ref: string): Promise<string[]> => {
  const refs = new Set(await readRefsOf(reader, accountId, ref));
  refs.add(ref);
  for (const contactRef of [...refs]) {
    const joined = await reader.find(contacts, {
      where: { contactRef },
      order: { field: 'contactRef', direction: 'ascending' },
      limit: JOINED_MAX,
    });
    for (const { id } of joined) refs.add(id.slice(contactKeyOf(accountId, '').length));
  }
  return [...refs];
};

/**
 * Finds the subjects of a contact by one of its ids, in one account or in all. A contact of whom
 * nothing is held has none.
 */
export const createFindSubjects = ({ store, reader, keys, subjects }: Deps) => {
  const findIn = async (contact: string, accountIds: readonly string[]): Promise<HeldSubject[]> => {
    const hashes = accountIds.map((accountId) => subjects.hashOf(accountId, contact));
    const found: HeldSubject[] = [];
    for (const { accountId, ref } of await keys.subjects(hashes)) {
      for (const one of await joinedRefs(reader, accountId, ref)) {
        found.push({ accountId, ref: one });
      }
    }
    return found;
  };

  return async (contact: string, accountId: string | null): Promise<readonly HeldSubject[]> => {
    await reader.reached([accounts, contacts], await store.head());
    if (accountId !== null) return findIn(contact, [accountId]);
    const found: HeldSubject[] = [];
    for await (const page of accountPages(reader)) found.push(...(await findIn(contact, page)));
    return found;
  };
};
