import { LRUCache } from 'lru-cache';
import { type EventStore, type NewEvent, type Position, START } from '../events/store.ts';
import type { Projection } from '../projections/define.ts';
import type { Reader } from '../projections/reader.ts';
import type { Route } from './route.ts';

/** Of all answers that are kept, as they are reckoned, and of one of them. */
const BYTES_MAX = 16 * 1024 * 1024;
const ANSWER_BYTES_MAX = 256 * 1024;
/** What keeping one takes beside its texts, and what a character takes at most. */
const ENTRY_BYTES = 600;
const CHARACTER_BYTES = 2;
const ACCOUNTS_MAX = 10_000;

/** An answer as it was given. */
export interface Given {
  route: Route;
  status: number;
  text: string;
}

const keepNothing = () => {};

interface Kept extends Given {
  /** What was known of the account when it was made; another one has taken its place since. */
  era: object;
  /** What it was read from, and how much of the log that showed. */
  collections: string;
  position: Position;
}

/** Keeps an answer that was made just now. It never stands if its account had an event meanwhile. */
export type Keep = (given: Given) => void;

/**
 * Answers to GETs that are made of nothing but an account's read models: each stands until the
 * account's next event. Only for a process that alone writes to the log.
 */
export interface Remembered {
  find(accountId: string, url: string): Given | undefined;
  /** To be called before the read models are asked. Throws where `shows` is more than it knows. */
  begin(accountId: string, url: string, shows: readonly Projection[]): Promise<Keep>;
  /** Something happened to the account that its own events do not tell. */
  forget(accountId: string): void;
  /** Something happened, and nobody knows to whom; or an answer was made of late read models. */
  forgetAll(): void;
  /** Takes in what is written to the log; forgets what that makes old. */
  note(event: NewEvent): void;
}

export const createRemembered = (deps: {
  store: Pick<EventStore, 'head'>;
  reader: Pick<Reader, 'showing'>;
  /** All that such answers may be made of. */
  projections: readonly Projection[];
}): Remembered => {
  const { store, reader, projections } = deps;
  const types = new Set(projections.flatMap(({ on }) => Object.keys(on)));
  const eras = new LRUCache<string, object>({ max: ACCOUNTS_MAX });
  const answers = new LRUCache<string, Kept>({
    maxSize: BYTES_MAX,
    maxEntrySize: ANSWER_BYTES_MAX,
    sizeCalculation: ({ text }, key) => ENTRY_BYTES + CHARACTER_BYTES * (text.length + key.length),
  });
  const nameOf = (accountId: string, url: string) => `${accountId} ${url}`;

  const eraOf = (accountId: string): object => {
    const known = eras.get(accountId) ?? {};
    eras.set(accountId, known);
    return known;
  };

  return {
    find(accountId, url) {
      const kept = answers.get(nameOf(accountId, url));
      if (!kept || kept.era !== eras.get(accountId)) return undefined;
      const { shows = [] } = kept.route;
      return reader.showing(shows, kept.position) === kept.collections ? kept : undefined;
    },
    async begin(accountId, url, shows) {
      const stranger = shows.find((one) => !projections.includes(one));
      if (stranger) throw new Error(`answers made of ${stranger.name} cannot be remembered`);
      const era = eraOf(accountId);
      const collections = reader.showing(shows, START);
      // A log that does not tell its end is no reason not to answer.
      const position = await store.head().catch(() => undefined);
      if (position === undefined || collections === undefined) return keepNothing;
      return (given) => {
        // Late, or another collection has come to serve: nobody knows which of them was read.
        if (reader.showing(shows, position) !== collections) return;
        answers.set(nameOf(accountId, url), { ...given, era, collections, position });
      };
    },
    forget(accountId) {
      eras.delete(accountId);
    },
    forgetAll() {
      eras.clear();
    },
    note({ type, data }) {
      if (!types.has(type)) return;
      const { accountId } = data as { accountId?: unknown };
      if (typeof accountId === 'string') eras.delete(accountId);
      else eras.clear();
    },
  };
};
