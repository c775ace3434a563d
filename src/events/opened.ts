import type { Destroyed } from './erasure.ts';
import { keysFor, openEvent } from './index.ts';
import type { SealedUnder } from './sealing.ts';
import { type EventReader, type Interest, type Recorded, storedType } from './store.ts';

/** The data keys that are in memory, over the store of the keys. */
export interface KeyRing {
  /** Brings keys into memory. Those that were destroyed stay away. */
  load(names: readonly SealedUnder[]): Promise<void>;
  /** A key in memory; undefined for one that was destroyed or not loaded. */
  find(ref: string, month: string): Uint8Array | undefined;
  /** Forgets all keys, because destructions may have been missed. */
  clear(): Promise<void>;
  forget(refs: readonly string[]): void;
  /** Forgets the keys of an account up to a month, that month included. */
  forgetMonths(accountId: string, through: string): void;
}

/** Forgets destroyed keys, also where the event that tells of them was not read. */
export const forgetIn =
  (ring: Pick<KeyRing, 'forget' | 'forgetMonths'>) =>
  (destroyed: Destroyed): void => {
    if ('refs' in destroyed) ring.forget(destroyed.refs);
    else ring.forgetMonths(destroyed.accountId, destroyed.through);
  };

/** Most keys that are loaded before the events that need them are opened. */
const NAMES_MAX = 1_000;

/** The events after which no reader can open what they name: the keys were destroyed before them. */
const destructions = new Map<string, (ring: KeyRing, data: never) => void>([
  ['ContactErased', (ring, { refs }: { refs: readonly string[] }) => ring.forget(refs)],
  [
    'MonthsExpired',
    (ring, { accountId, through }: { accountId: string; through: string }) =>
      ring.forgetMonths(accountId, through),
  ],
]);

export const destructionTypes: ReadonlySet<string> = new Set(destructions.keys());

/** An event with the keys that are in memory. */
interface Waiting {
  event: Recorded;
  names: readonly SealedUnder[];
  keys: readonly (Uint8Array | undefined)[];
}

const isPlain = ({ type, sealed }: Recorded) => sealed === undefined && !destructions.has(type);

const openAll = async (
  ring: KeyRing,
  events: readonly Recorded[],
): Promise<readonly Recorded[]> => {
  if (events.every(isPlain)) return events;
  const opened: Recorded[] = [];
  // Keys are held here, because the memory of the ring is bounded and others load keys meanwhile.
  let waiting: Waiting[] = [];
  let missing: SealedUnder[] = [];

  const flush = async () => {
    if (missing.length > 0) await ring.load(missing);
    for (const { event, names, keys } of waiting) {
      const found = keys.map((key, at) => key ?? ring.find(names[at]!.ref, names[at]!.month));
      opened.push(openEvent(event, names, found));
    }
    waiting = [];
    missing = [];
  };

  for (const event of events) {
    const names = keysFor(event);
    const keys = names.map(({ ref, month }) => ring.find(ref, month));
    waiting.push({ event, names, keys });
    if (keys.includes(undefined)) missing.push(...names);
    const destroys = destructions.get(event.type);
    if (missing.length >= NAMES_MAX || destroys) await flush();
    destroys?.(ring, event.data as never);
  }
  await flush();
  return opened;
};

/** Opens events of the log, and forgets destroyed keys when it passes their destruction. */
export const createOpening = (ring: KeyRing) => (events: readonly Recorded[]) =>
  openAll(ring, events);

/** The interest with the destructions of keys; undefined is interest in everything. */
const withDestructions = (interest: Interest | undefined): Interest | undefined =>
  interest && new Map([...interest, ...[...destructions.keys()].map((type) => [type, 0] as const)]);

/**
 * The log with personal fields in clear, or null where their keys were destroyed. Every follower
 * forgets destroyed keys when it passes their destruction, so that a fold is the same whenever it runs.
 */
export const opened = <Log extends EventReader>(log: Log, ring: KeyRing): Log => {
  const isAsked = (interest: Interest | undefined, event: Recorded): boolean =>
    !interest || interest.has(event.type) || !destructions.has(storedType(event));

  return {
    ...log,
    read: async (stream, options) => openAll(ring, await log.read(stream, options)),
    async readAll(...where) {
      const { events, to } = await log.readAll(...where);
      return { events: await openAll(ring, events), to };
    },
    async *follow(position, signal, interest, buckets) {
      const wanted = withDestructions(interest);
      for await (const { events, to } of log.follow(position, signal, wanted, buckets)) {
        const all = await openAll(ring, events);
        yield { events: interest ? all.filter((event) => isAsked(interest, event)) : all, to };
      }
    },
  };
};
