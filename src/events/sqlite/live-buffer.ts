import { firstPast } from '../paging.ts';
import { type Interest, isOfInterest, type Recorded } from '../store.ts';
import { createWaitingFollowers } from '../waiting-followers.ts';
import type { AppendJob } from './protocol.ts';
import type { Page } from './reader.ts';
import { type StoredRow, toRecorded } from './rows.ts';

/**
 * Keeps the newest events of the log in memory, so that live followers need not read the file. It
 * keeps only events that some follower wants: no follower reads most events, and keeping those
 * would cost the garbage collector more than all other work on them.
 */
export interface LiveBuffer {
  /** Position of the newest event. */
  head(): number;
  /** Takes an append that ends at `last`; a repeated append changes nothing. */
  push(job: AppendJob, last: number): void;
  /** Sets the head to the log's end and drops all events, as the ones between are unknown. */
  reset(head: number): void;
  /**
   * Keeps the events of this interest from now on, all events when it is undefined, until the returned
   * function is called.
   */
  watch(interest: Interest | undefined): () => void;
  /**
   * The events of interest among the `limit` events after `position`; undefined when some are not
   * in memory. All callers share the event objects.
   */
  after(position: number, limit: number, interest?: Interest): Page | undefined;
  /**
   * Resolves when the head has passed `position`, at the next event of interest, when many others have
   * come, when aborted and on `wake`.
   */
  changed(position: number, signal: AbortSignal, interest?: Interest): Promise<void>;
  wake(): void;
}

interface Entry {
  row: StoredRow;
  characters: number;
  /** Decoded on first use. */
  event: Recorded | undefined;
}

const eventsMax = 1_024;
const charactersMax = 4 * 1024 * 1024;

/** The interests of all followers; undefined stands for that in all events. */
const createUnion = () => {
  const interests: (Interest | undefined)[] = [];
  let union: Map<string, number> | undefined = new Map();

  const unite = (): void => {
    const united = new Map<string, number>();
    for (const interest of interests) {
      for (const [type, from] of interest ?? []) {
        united.set(type, Math.min(from, united.get(type) ?? from));
      }
    }
    union = interests.includes(undefined) ? undefined : united;
  };

  return {
    covers: (interest: Interest | undefined): boolean =>
      union === undefined || interests.includes(interest),
    add(interest: Interest | undefined): void {
      interests.push(interest);
      unite();
    },
    remove(interest: Interest | undefined): void {
      interests.splice(interests.indexOf(interest), 1);
      unite();
    },
    has: (event: { type: string; revision: number }): boolean => isOfInterest(union, event),
  };
};

/** The newest wanted events, ordered by position, within the bounds of number and size. */
const createEntries = () => {
  let entries: Entry[] = [];
  let characters = 0;
  /** Every wanted event after this position is in memory. */
  let base = 0;

  const dropOldest = (count: number): void => {
    for (const { row, characters: size } of entries.splice(0, count)) {
      base = row.position;
      characters -= size;
    }
  };

  return {
    base: () => base,
    /** Drops a quarter at a time, so that not every event moves the whole array. */
    add(row: StoredRow): void {
      const size = row.data.length + row.meta.length;
      entries.push({ row, characters: size, event: undefined });
      characters += size;
      if (entries.length > eventsMax) dropOldest(eventsMax / 4);
      while (characters > charactersMax) dropOldest(1);
    },
    /** Drops all entries, as the events up to `head` are unknown. */
    clear(head: number): void {
      entries = [];
      characters = 0;
      base = head;
    },
    between(after: number, upTo: number, interest: Interest | undefined): Recorded[] {
      const first = firstPast(entries, ({ row }) => row.position > after);
      const events: Recorded[] = [];
      for (let index = first; index < entries.length; index += 1) {
        const entry = entries[index]!;
        if (entry.row.position > upTo) break;
        if (!isOfInterest(interest, entry.row)) continue;
        entry.event ??= toRecorded(entry.row);
        events.push(entry.event);
      }
      return events;
    },
  };
};

export const createLiveBuffer = (): LiveBuffer => {
  const entries = createEntries();
  const wanted = createUnion();
  const waiting = createWaitingFollowers();
  let head = 0;

  return {
    head: () => head,
    push: ({ stream, expected, rows }, last) => {
      if (last <= head) return;
      const kept: StoredRow[] = [];
      for (const [index, row] of rows.entries()) {
        const revision = expected + 1 + index;
        if (!wanted.has({ type: row.type, revision })) continue;
        kept.push({ ...row, stream, revision, position: head + 1 + index });
      }
      for (const row of kept) entries.add(row);
      head = last;
      waiting.wake(kept, rows.length);
    },
    reset: (position) => {
      head = position;
      entries.clear(head);
      waiting.wakeAll();
    },
    watch: (interest) => {
      if (!wanted.covers(interest)) entries.clear(head);
      wanted.add(interest);
      return () => wanted.remove(interest);
    },
    after: (position, limit, interest) => {
      if (position < entries.base() || !wanted.covers(interest)) return undefined;
      const to = Math.min(head, position + limit);
      return { events: entries.between(position, to, interest), count: to - position, to };
    },
    async changed(position, signal, interest) {
      if (head <= position) await waiting.changed(signal, { interest });
    },
    wake: waiting.wakeAll,
  };
};
