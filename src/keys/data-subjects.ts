import type { KeyRing } from '../events/opened.ts';
import type { DataSubject } from '../events/personal.ts';
import { type Clock, isoTime } from '../shared/clock.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';
import { CACHED_KEYS_MAX, createKeyRing } from './key-ring.ts';
import { type KeyStore, KeysUnavailable, type SubjectRecord } from './key-store.ts';
import type { Wrapping } from './wrapping.ts';

/** Finds and creates the subjects of contacts, with the data keys of their events. */
export interface DataSubjects {
  /** The subject of a contact's id with this month's key where both are in memory. Creates nothing. */
  known(accountId: string, id: string): DataSubject | undefined;
  /**
   * The subject of a contact's id in an account with this month's key; created, durable, when new.
   * A promise only where it is not in memory. Throws KeysUnavailable.
   */
  of(accountId: string, id: string): DataSubject | Promise<DataSubject>;
  /**
   * The subjects of different ids, at most `KEYS_MAX`, in their order. What is not in memory does not stay
   * there: many ids that were never met push no others out.
   */
  ofAll(accountId: string, ids: readonly string[]): Promise<readonly DataSubject[]>;
  /**
   * The subject of a ref with this month's key, for events about a contact whose ids are not at hand;
   * undefined where the ref was destroyed. A promise only where it is not in memory.
   */
  ofRef(ref: string): DataSubject | undefined | Promise<DataSubject | undefined>;
  /** Whether the store holds all of these refs. Those that it does not are forgotten. */
  areHeld(refs: readonly string[]): Promise<boolean>;
  /** Its ref; undefined where nothing is held of the id. Creates nothing. */
  refOf(accountId: string, id: string): Promise<string | undefined>;
  /** The keyed hash under which the subject's record lies. */
  hashOf(accountId: string, id: string): string;
  ring: KeyRing;
}

/** Subjects that are created or looked for at one time. */
const ENSURES_MAX = 1_000;
/** A further attempt follows only when the subject was erased during one. */
const ATTEMPTS_MAX = 4;

/** The present month in UTC; its text is made once in a month. */
const createMonths = (clock: Clock): (() => string) => {
  let month = '';
  let [from, to] = [0, 0];
  return () => {
    const now = clock.now();
    if (now < from || now >= to) {
      month = isoTime(now).slice(0, 7);
      const [year = 0, number = 0] = month.split('-').map(Number);
      from = Date.UTC(year, number - 1);
      to = Date.UTC(year, number);
    }
    return month;
  };
};

/** Finds the subject of a ref that is not in memory, and makes its key of the month. */
const createRefSearch =
  ({
    keys,
    wrapping,
    cache,
    ring,
  }: {
    keys: KeyStore;
    wrapping: Wrapping;
    cache: KeyCache;
    ring: KeyRing;
  }) =>
  async (ref: string, month: string): Promise<DataSubject | undefined> => {
    await ring.load([{ ref, month }]);
    const known = cache.find(ref, month);
    if (known || cache.isForgotten(ref)) return known;
    const [subject] = await keys.subjectsOf([ref]);
    if (!subject) return undefined;
    const { accountId } = subject;
    // Another ref than the asked one, so that one that is destroyed meanwhile does not come back.
    const [another] = wrapping.newRefs(1);
    const fresh = { ...subject, ref: another! };
    const clears = cache.clears();
    const wrap = (of: string) => wrapping.wrapNew({ ref: of, month });
    const [held] = await keys.ensure([fresh], month, wrap);
    const { key: record } = held!;
    if (record.ref !== ref || cache.isForgotten(ref)) return undefined;
    const key = wrapping.unwrap(record, record.wrapped);
    // It was made under a secret that is lost, and so is the key.
    if (!key) return undefined;
    cache.put({ accountId, ref, key: { ref, month, key } }, clears);
    return { ref, month, key };
  };

/** Looks for refs in the store, whatever is in memory. */
const createHeldCheck =
  (keys: KeyStore, ring: KeyRing): DataSubjects['areHeld'] =>
  async (refs) => {
    const held = new Set((await keys.subjectsOf(refs)).map(({ ref }) => ref));
    const gone = refs.filter((ref) => !held.has(ref));
    ring.forget(gone);
    return gone.length === 0;
  };

export const createDataSubjects = ({
  keys,
  wrapping,
  clock,
  cachedKeysMax = CACHED_KEYS_MAX,
  ensuresMax = ENSURES_MAX,
}: {
  keys: KeyStore;
  wrapping: Wrapping;
  clock: Clock;
  cachedKeysMax?: number;
  ensuresMax?: number;
}): DataSubjects => {
  const cache = createKeyCache(cachedKeysMax);
  const ensuring = new Map<string, Promise<DataSubject>>();

  const ensure = async (
    accountId: string,
    ids: readonly string[],
    month: string,
    isKept: boolean,
  ): Promise<readonly DataSubject[]> => {
    const wrap = (ref: string) => wrapping.wrapNew({ ref, month });
    const made = new Map<string, DataSubject>();
    for (let attempt = 0; made.size < ids.length; attempt += 1) {
      if (attempt === ATTEMPTS_MAX) throw new KeysUnavailable('this contact is being erased');
      const left: string[] = [];
      for (const id of ids) if (!made.has(id)) left.push(id);
      const fresh: SubjectRecord[] = [];
      for (const [at, ref] of wrapping.newRefs(left.length).entries()) {
        fresh.push({ hash: wrapping.hashOf(accountId, left[at]!), accountId, ref });
      }
      const clears = cache.clears();
      const held = await keys.ensure(fresh, month, wrap);
      for (const [at, { subject, key: record }] of held.entries()) {
        const { ref } = subject;
        if (cache.isForgotten(ref)) continue;
        const key = wrapping.unwrap(record, record.wrapped);
        if (!key) throw new Error(`the data key ${ref}.${month} was made under another secret`);
        const id = left[at]!;
        const found = { ref, month, key };
        if (isKept) cache.put({ accountId, ref, key: found, id }, clears);
        made.set(id, found);
      }
    }
    const all: DataSubject[] = [];
    for (const id of ids) all.push(made.get(id)!);
    return all;
  };

  const ensureOnce = (accountId: string, id: string, month: string): Promise<DataSubject> => {
    const name = `${month} ${accountId} ${id}`;
    const running = ensuring.get(name);
    if (running) return running;
    if (ensuring.size >= ensuresMax) {
      return Promise.reject(new KeysUnavailable('too many contacts are new at once'));
    }
    const ensureOne = async () => {
      try {
        const [made] = await ensure(accountId, [id], month, true);
        return made!;
      } finally {
        ensuring.delete(name);
      }
    };
    const started = ensureOne();
    ensuring.set(name, started);
    return started;
  };

  const ring = createKeyRing(keys, wrapping, cache);
  const findRef = createRefSearch({ keys, wrapping, cache, ring });
  const monthNow = createMonths(clock);

  const known = (accountId: string, id: string) => cache.subject(accountId, id, monthNow());

  return {
    known,
    of: (accountId, id) => known(accountId, id) ?? ensureOnce(accountId, id, monthNow()),
    async ofAll(accountId, ids) {
      const month = monthNow();
      const found = ids.map((id) => cache.subject(accountId, id, month));
      const missing = ids.filter((_, at) => !found[at]);
      const made = (await ensure(accountId, missing, month, false)).values();
      return found.map((one) => one ?? made.next().value!);
    },
    ofRef: (ref) => cache.find(ref, monthNow()) ?? findRef(ref, monthNow()),
    async refOf(accountId, id) {
      const known = cache.refOf(accountId, id);
      if (known !== undefined) return known;
      const clears = cache.clears();
      const [found] = await keys.subjects([wrapping.hashOf(accountId, id)]);
      if (!found || cache.isForgotten(found.ref)) return undefined;
      cache.put({ accountId, ref: found.ref, id }, clears);
      return found.ref;
    },
    areHeld: createHeldCheck(keys, ring),
    hashOf: wrapping.hashOf,
    ring,
  };
};
