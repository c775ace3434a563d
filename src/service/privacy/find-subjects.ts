import type { FindJoined, HeldSubject } from '../../commands/privacy/keys.ts';
import { NO_ACCOUNT } from '../../commands/privacy/retention-duty.ts';
import { ContactIdsJoined, type ContactJoin } from '../../events/contact.ts';
import { logPages } from '../../events/paging.ts';
import type { EventReader, Position } from '../../events/store.ts';
import type { DataSubjects } from '../../keys/data-subjects.ts';
import type { KeyReader } from '../../keys/key-store.ts';
import { accounts } from '../../projections/accounts.ts';
import { contacts } from '../../projections/contacts.ts';
import { newestPages } from '../../projections/engine/newest-pages.ts';
import { NotReached, type Reader } from '../../projections/engine/reader.ts';
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

type Joined = Pick<ContactJoin, 'userRef' | 'contactRef'>;

/** The joins of these accounts between two positions of the log. */
const readJoins = async (
  log: Pick<EventReader, 'readAll'>,
  accountIds: ReadonlySet<string>,
  { since, upTo }: { since: Position; upTo: Position },
): Promise<Joined[]> => {
  const joins: Joined[] = [];
  for await (const { events } of logPages(log, since, { upTo })) {
    for (const { type, data } of events) {
      if (type !== ContactIdsJoined.type) continue;
      const { accountId, userRef, contactRef } = data as ContactJoin;
      if (accountIds.has(accountId)) joins.push({ userRef, contactRef });
    }
  }
  return joins;
};

/** Adds all refs that these joins lead to. */
const addJoined = (refs: Set<string>, joins: readonly Joined[]): void => {
  const isAdding = ({ userRef, contactRef }: Joined) => refs.has(userRef) !== refs.has(contactRef);
  for (let adding = joins; adding.length > 0; adding = joins.filter(isAdding)) {
    for (const one of adding.filter(isAdding)) refs.add(one.userRef).add(one.contactRef);
  }
};

/**
 * Finds the refs that were joined with these subjects, destroyed ones included. Where the read model
 * takes too long, as with a partition that has halted in another process, the log itself tells what was
 * joined since: the keys of the contact must go all the same.
 */
export const createFindJoined =
  ({ log, reader }: { log: Pick<EventReader, 'head' | 'readAll'>; reader: Reader }): FindJoined =>
  async (subjects, since) => {
    const upTo = await log.head();
    const isShown = await reader.reached([contacts], upTo).then(
      () => true,
      (error) => {
        if (error instanceof NotReached) return false;
        throw error;
      },
    );
    const refs = new Set<string>();
    for (const { accountId, ref } of subjects) {
      for (const one of await readJoinedRefs(reader, accountId, ref)) refs.add(one);
    }
    if (isShown) return [...refs];
    const accountIds = new Set(subjects.map(({ accountId }) => accountId));
    addJoined(refs, await readJoins(log, accountIds, { since, upTo }));
    return [...refs];
  };
