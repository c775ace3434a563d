import {
  KEYS_MAX,
  type KeyRecord,
  type KeyStore,
  type SubjectRecord,
} from '../../src/keys/key-store.ts';

interface Held {
  subject: SubjectRecord;
  keys: Map<string, Uint8Array>;
}

/**
 * Data keys in memory, or a copy of others. `turn` stands for the way to a store, and back once it is
 * done; it may hold or throw.
 */
export const createMemoryKeys = (of: readonly Held[] = []) => {
  const copies = of.map(({ subject, keys }) => ({ subject, keys: new Map(keys) }));
  const held = new Map<string, Held>(copies.map((one) => [one.subject.hash, one]));
  const byRef = new Map<string, Held>(copies.map((one) => [one.subject.ref, one]));
  let applied = -1;
  let calls = 0;

  const findRef = (ref: string) => byRef.get(ref);
  const demandFew = (asked: readonly unknown[]) => {
    if (asked.length > KEYS_MAX) throw new Error(`${asked.length} are over ${KEYS_MAX}`);
  };

  const open = (turn: (isDone: boolean) => Promise<void> = async () => undefined): KeyStore => {
    const step = async <T>(work: () => T): Promise<T> => {
      calls += 1;
      await turn(false);
      const result = work();
      await turn(true);
      return result;
    };
    return {
      keys: (names) =>
        step(() => {
          demandFew(names);
          return names.flatMap(({ ref, month }): KeyRecord[] => {
            const one = findRef(ref);
            const wrapped = one?.keys.get(month);
            return wrapped ? [{ ref, month, accountId: one!.subject.accountId, wrapped }] : [];
          });
        }),
      subjects: (hashes) =>
        step(() => {
          demandFew(hashes);
          return hashes.flatMap((hash) => held.get(hash)?.subject ?? []);
        }),
      subjectsOf: (refs) =>
        step(() => {
          demandFew(refs);
          return refs.flatMap((ref) => findRef(ref)?.subject ?? []);
        }),
      ensure: (subjects, month, wrap) =>
        step(() => {
          demandFew(subjects);
          return subjects.map((fresh) => {
            const { subject, keys } = held.get(fresh.hash) ?? { subject: fresh, keys: new Map() };
            const wrapped = keys.get(month) ?? wrap(subject.ref);
            keys.set(month, wrapped);
            const one = { subject, keys };
            held.set(subject.hash, one);
            byRef.set(subject.ref, one);
            const { ref, accountId } = subject;
            return { subject, key: { ref, month, accountId, wrapped } };
          });
        }),
      destroySubjects: (refs) =>
        step(() => {
          const gone = refs.flatMap((ref) => findRef(ref) ?? []);
          for (const { subject } of gone) {
            held.delete(subject.hash);
            byRef.delete(subject.ref);
          }
          return gone.reduce((sum, { keys }) => sum + keys.size, 0);
        }),
      destroyMonths: (accountId, through) =>
        step(() => {
          let count = 0;
          for (const { subject, keys } of held.values()) {
            if (subject.accountId !== accountId) continue;
            for (const month of keys.keys()) {
              if (month <= through && keys.delete(month)) count += 1;
            }
          }
          return count;
        }),
      applied: () => step(() => applied),
      setApplied: (revision) =>
        step(() => {
          applied = Math.max(applied, revision);
        }),
      clean: () => step(() => undefined),
      health: async () => ({ ok: true }),
      close: async () => undefined,
    };
  };
  return { open, calls: () => calls, held: () => [...held.values()] };
};
