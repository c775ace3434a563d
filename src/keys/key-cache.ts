import { LRUCache } from 'lru-cache';
import type { DataSubject } from '../events/personal.ts';

/** Data keys and subjects in memory. What was forgotten stays out: a destroyed ref never comes back. */
export interface KeyCache {
  /** The subject of a contact's id with its key of a month. */
  subject(accountId: string, id: string, month: string): DataSubject | undefined;
  refOf(accountId: string, id: string): string | undefined;
  find(ref: string, month: string): DataSubject | undefined;
  /** How often all was forgotten. To be asked before what is put here is read from the store. */
  clears(): number;
  /**
   * Keeps a ref, and where they are given its key and the contact's id that leads to it. Keeps nothing
   * when all was forgotten after `clears` was asked.
   */
  put(
    entry: { accountId: string; ref: string; key?: DataSubject; id?: string },
    clears: number,
  ): void;
  /** Forgets all, because destructions may have been missed. */
  clear(): void;
  forget(refs: readonly string[]): void;
  forgetMonths(accountId: string, through: string): void;
  /** Whether the ref was forgotten. */
  isForgotten(ref: string): boolean;
}

interface Entry {
  accountId: string;
  /** The place of the ref in `refs`; undefined where the contact's id was not asked for. */
  place: string | undefined;
  keys: readonly DataSubject[];
}

/** Forgotten refs that are remembered: far more than are destroyed while one call is under way. */
const FORGOTTEN_MAX = 100_000;

const placeOf = (accountId: string, id: string): string => `${accountId} ${id}`;

export const createKeyCache = (keysMax: number): KeyCache => {
  const refs = new Map<string, string>();
  const entries = new LRUCache<string, Entry>({
    maxSize: keysMax,
    sizeCalculation: ({ keys }) => Math.max(1, keys.length),
    dispose({ place }, ref, reason) {
      if (place !== undefined && reason !== 'set' && refs.get(place) === ref) refs.delete(place);
    },
  });
  /** Oldest first. */
  const forgotten = new Set<string>();
  /** The last expired month of each account with expired months. */
  const expired = new Map<string, string>();
  let clears = 0;

  const refOf = (accountId: string, id: string) => refs.get(placeOf(accountId, id));
  const find = (ref: string, month: string) =>
    entries.get(ref)?.keys.find((key) => key.month === month);
  const isExpired = (accountId: string, month: string) => month <= (expired.get(accountId) ?? '');

  return {
    subject(accountId, id, month) {
      const ref = refOf(accountId, id);
      return ref === undefined ? undefined : find(ref, month);
    },
    refOf,
    find,
    clears: () => clears,
    put({ accountId, ref, key, id }, readAt) {
      if (forgotten.has(ref) || readAt !== clears) return;
      const known = entries.peek(ref);
      const keys = known?.keys ?? [];
      const isNew = key && !isExpired(accountId, key.month) && !find(ref, key.month);
      const place = id === undefined ? known?.place : placeOf(accountId, id);
      entries.set(ref, { accountId, place, keys: isNew ? [...keys, key] : keys });
      if (place !== undefined && entries.has(ref)) refs.set(place, ref);
    },
    clear() {
      clears += 1;
      entries.clear();
    },
    forget(gone) {
      for (const ref of gone) {
        forgotten.add(ref);
        entries.delete(ref);
      }
      for (const oldest of forgotten) {
        if (forgotten.size <= FORGOTTEN_MAX) break;
        forgotten.delete(oldest);
      }
    },
    forgetMonths(accountId, through) {
      if (isExpired(accountId, through)) return;
      expired.set(accountId, through);
      for (const [ref, entry] of [...entries.entries()]) {
        if (entry.accountId !== accountId) continue;
        const keys = entry.keys.filter(({ month }) => month > through);
        if (keys.length === entry.keys.length) continue;
        if (keys.length === 0) entries.delete(ref);
        else entries.set(ref, { ...entry, keys });
      }
    },
    isForgotten: (ref) => forgotten.has(ref),
  };
};
