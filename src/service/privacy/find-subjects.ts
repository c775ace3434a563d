import type { FindJoined, HeldSubject } from '../../commands/privacy/keys.ts';
import { NO_ACCOUNT } from '../../commands/privacy/retention-duty.ts';
import type { EventReader } from '../../events/store.ts';
import type { DataSubjects } from '../../keys/data-subjects.ts';
import type { KeyReader } from '../../keys/key-store.ts';
import { accounts } from '../../projections/accounts.ts';
import { contacts } from '../../projections/contacts.ts';
import { newestPages } from '../../projections/engine/newest-pages.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { readJoinedRefs } from '../../projections/read-contacts.ts';
import type { Query } from '../../projections/views.ts';

interface Deps {
  store: Pick<EventReader, 'head'>;
  reader: Reader;
  keys: Pick<KeyReader, 'subjects' | 'subjectsOf'>;
  subjects: Pick<DataSubjects, 'hashOf'>;
}

const ACCOUNTS_PAGE = 500;

/** Ids of all accounts, page by page, newest first, after that of items that belong to none. */
async function* accountPages(reader: Reader): AsyncGenerator<readonly string[], void, void> {
  yield [NO_ACCOUNT];
  const read = (query: Pick<Query, 'where' | 'order'>) =>
    reader.scan(accounts, {
      ...query,
      fields: ['id'],
      limit: ACCOUNTS_PAGE,
      rowsMax: ACCOUNTS_PAGE,
      charactersMax: Number.POSITIVE_INFINITY,
    });
  for await (const rows of newestPages(read)) yield rows.map(({ id }) => id);
}

/**
 * Finds the subjects of a contact by one of its ids, in one account or in all. A contact of whom
 * nothing is held has none.
 */
export const createFindSubjects = ({ store, reader, keys, subjects }: Deps) => {
  /** The subjects of all ids of a contact. */
  const joinedWith = async ({ accountId, ref }: HeldSubject): Promise<HeldSubject[]> => {
    const held = await keys.subjectsOf(await readJoinedRefs(reader, accountId, ref));
    return held.map((one) => ({ accountId, ref: one.ref }));
  };

  return async (contact: string, accountId: string | null): Promise<readonly HeldSubject[]> => {
    await reader.reached([accounts, contacts], await store.head());
    const pages = accountId === null ? accountPages(reader) : [[accountId]];
    const found: HeldSubject[] = [];
    for await (const page of pages) {
      const known = await keys.subjects(page.map((one) => subjects.hashOf(one, contact)));
      for (const one of known) found.push(...(await joinedWith(one)));
    }
    return found;
  };
};

/** Finds the refs that were joined with these subjects, destroyed ones included. */
export const createFindJoined =
  ({ store, reader }: Pick<Deps, 'store' | 'reader'>): FindJoined =>
  async (subjects) => {
    await reader.reached([contacts], await store.head());
    const refs = new Set<string>();
    for (const { accountId, ref } of subjects) {
      for (const one of await readJoinedRefs(reader, accountId, ref)) refs.add(one);
    }
    return [...refs];
  };
