import {
  createEmptying,
  createKeyDestroyer,
  type Emptying,
} from '../../commands/privacy/erasing.ts';
import type { FindJoined, HeldSubject } from '../../commands/privacy/keys.ts';
import { createPrivacy } from '../../commands/privacy/privacy.ts';
import {
  createRetentionDuty,
  NO_ACCOUNT,
  type Retained,
} from '../../commands/privacy/retention-duty.ts';
import { BUCKETS } from '../../events/bucket.ts';
import { ContactIdsJoined, type ContactJoin } from '../../events/contact.ts';
import { logPages } from '../../events/paging.ts';
import { type EventReader, type Position, START } from '../../events/store.ts';
import type { DataSubjects } from '../../keys/data-subjects.ts';
import type { KeyReader } from '../../keys/key-store.ts';
import { type AccountDocument, accounts } from '../../projections/accounts.ts';
import { contacts } from '../../projections/contacts.ts';
import { newestPages } from '../../projections/engine/lists.ts';
import { inTime, NotReached, type Page, type Reader } from '../../projections/engine/reader.ts';
import { expirations } from '../../projections/erasures.ts';
import { readJoinedRefs } from '../../projections/read-contacts.ts';
import type { Query } from '../../projections/views.ts';
import { Interrupted, orStop } from '../../shared/retry.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Stores } from '../stores.ts';
import { createCountHeld } from './held-data.ts';

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
    const head = await store.head();
    await reader.reached([accounts, contacts], head);
    // An account that is missing would keep what it holds.
    if (accountId === null && (await reader.shows([accounts], head)).size < BUCKETS) {
      throw new NotReached([accounts.name], head);
    }
    const pages = accountId === null ? accountPages(reader) : [[accountId]];
    const found: HeldSubject[] = [];
    for await (const page of pages) {
      const known = await keys.subjects(page.map((one) => subjects.hashOf(one, contact)));
      for (const one of known) found.push(...(await joinedWith(one)));
    }
    return found;
  };
};

/** Time for the read model to show all joins, before the log is searched for them. */
const SHOWN_WAIT_MS = 30_000;
/** A short page, because an embedded log is read within this thread. */
const JOINS_PAGE = 200;

/** Adds what the log has joined with one of these refs. */
const addJoined = async (
  refs: Set<string>,
  log: Pick<EventReader, 'readAll'>,
  { upTo, signal }: { upTo: Position; signal: AbortSignal | undefined },
): Promise<void> => {
  for await (const { events } of logPages(log, START, { upTo, pageSize: JOINS_PAGE })) {
    if (signal?.aborted) throw new Interrupted();
    for (const { type, data } of events) {
      if (type !== ContactIdsJoined.type) continue;
      const { userRef, contactRef } = data as ContactJoin;
      if (refs.has(userRef) || refs.has(contactRef)) refs.add(userRef).add(contactRef);
    }
  }
};

/**
 * Finds the refs that were joined with these subjects, destroyed ones included. Where the read model does
 * not show them in time, as with a partition that has halted, the log itself has them: it is read until
 * that adds no ref, for a join may lead to an earlier one. The keys of the contact must still go.
 */
export const createFindJoined =
  ({ log, reader }: { log: Pick<EventReader, 'head' | 'readAll'>; reader: Reader }): FindJoined =>
  async (subjects, signal) => {
    const upTo = await log.head();
    await orStop(inTime(reader.reached([contacts], upTo, SHOWN_WAIT_MS)), signal);
    // Where it has halted, `reached` does not wait for it.
    const isShown = (await reader.shows([contacts], upTo)).size === BUCKETS;
    const refs = new Set<string>();
    for (const { accountId, ref } of subjects) {
      for (const one of await readJoinedRefs(reader, accountId, ref)) refs.add(one);
    }
    for (let known = -1; !isShown && known < refs.size; ) {
      known = refs.size;
      await addJoined(refs, log, { upTo, signal });
    }
    return [...refs];
  };

const PAGE = 500;

/** What does not keep personal data for ever: accounts with a retention, and dead letters of none. */
const createRetained = (
  { store, reader }: { store: Pick<EventReader, 'head'>; reader: Reader },
  deadLetterMonths: number,
) =>
  async function* retained(): AsyncGenerator<Retained, void, void> {
    yield { accountId: NO_ACCOUNT, months: deadLetterMonths, through: null };
    await reader.reached([accounts, expirations], await store.head());
    for (let after: string | number = ''; ; ) {
      const { rows, next }: Page<AccountDocument> = await reader.scan(accounts, {
        where: { retainedSince: { gt: after } },
        order: { field: 'retainedSince', direction: 'ascending' },
        limit: PAGE,
        rowsMax: PAGE,
        charactersMax: Number.POSITIVE_INFINITY,
      });
      const ids = rows.map(({ id }) => id);
      const gone = new Map(
        (await reader.getMany(expirations, ids)).map(({ id, through }) => [id, through]),
      );
      for (const { id, contentRetentionMonths: months } of rows) {
        if (months === null) continue;
        yield { accountId: id, months, through: gone.get(id) ?? null };
      }
      if (next === null) return;
      after = next;
    }
  };

/** Wires the commands for personal data. */
export const createPrivacyWork = ({ ids }: ServiceDeps, stores: Stores) => {
  const { writer, lookups, store, reader, keys, subjects } = stores;
  const findSubjects = createFindSubjects({ store, reader, keys, subjects });
  return createPrivacy({ writer, lookups, findSubjects, ids });
};

/**
 * Empties the documents of this process's partitions, and waits for those of the others. So every
 * process runs it that folds some. A new one at each start.
 */
export const createEmptyingWork = ({ logger }: ServiceDeps, stores: Stores): Emptying => {
  const { writer, log, reader, engine, keys } = stores;
  return createEmptying({
    writer,
    keys,
    sweeper: engine,
    count: createCountHeld({ log, reader }),
    onUnclean(err) {
      logger.warn({ err }, 'Files with erased data cannot be cleaned yet');
    },
  });
};

/** Wires what follows from the commands, in one process. A new one at each start of the reactors. */
export const createErasing = (deps: ServiceDeps, stores: Stores) => {
  const { clock, ids, settings } = deps;
  const { writer, log, store, reader, keys, subjects } = stores;
  const memory = subjects.ring;
  const retention = createRetentionDuty({
    writer,
    keys,
    memory,
    clock,
    ids,
    retained: createRetained({ store, reader }, settings.deadLetterRetentionMonths),
    monotonicMs: () => performance.now(),
  });
  const findJoined = createFindJoined({ log, reader });
  const destroyer = createKeyDestroyer({ writer, keys, memory, findJoined });
  return { destroyer, retention };
};
