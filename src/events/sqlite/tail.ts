import { type Interest, isOfInterest, type Recorded } from '../store.ts';
import type { AppendJob } from './protocol.ts';
import type { Page } from './reader.ts';
import { type StoredRow, toRecorded } from './rows.ts';

/**
 * The newest events of the log, in memory, so that live followers need not read the file. Only
 * those that some follower wants: most events go by unread here, and keeping them a while would
 * cost the collector more than anything else that is done with them.
 */
export interface Tail {
  /** Position of the newest event. */
  head(): number;
  /** An append ends at `last`; one that was there before changes nothing. */
  push(job: AppendJob, last: number): void;
  /** The log turned out to end here; nothing in between is known. */
  reset(head: number): void;
  /** Keeps what is of this interest from now on; everything, where there is none. */
  watch(interest: Interest | undefined): void;
  /**
   * What is of interest among the `limit` events after `position`; undefined when that is not all
   * in memory. The events are shared by all who ask.
   */
  after(position: number, limit: number, interest?: Interest): Page | undefined;
  /** Resolves when there is something after `position`, when aborted and when woken. */
  changed(position: number, signal: AbortSignal): Promise<void>;
  wake(): void;
}

interface Entry {
  row: StoredRow;
  characters: number;
  /** Made when first asked for. */
  event: Recorded | undefined;
}

const eventsMax = 1_024;
const charactersMax = 4 * 1024 * 1024;

/** What some follower wants; undefined once there is one that wants everything. */
const createUnion = () => {
  let union: Map<string, number> | undefined = new Map();
  const covered = new WeakSet<Interest>();
  return {
    covers: (interest: Interest | undefined): boolean =>
      union === undefined || (interest !== undefined && covered.has(interest)),
    add(interest: Interest | undefined): void {
      if (!interest) union = undefined;
      else {
        covered.add(interest);
        for (const [type, from] of interest) {
          union?.set(type, Math.min(from, union.get(type) ?? from));
        }
      }
    },
    has: (event: { type: string; revision: number }): boolean => isOfInterest(union, event),
  };
};

export const createTail = (): Tail => {
  /** By position; the oldest is dropped first. */
  let entries: Entry[] = [];
  const wanted = createUnion();
  const waiting = new Set<() => void>();
  let head = 0;
  /** All that is wanted and stands after this position is in memory. */
  let base = 0;
  let characters = 0;

  const dropOldest = (count: number): void => {
    for (const { row, characters: size } of entries.splice(0, count)) {
      base = row.position;
      characters -= size;
    }
  };
  const dropAll = (): void => {
    entries = [];
    characters = 0;
    base = head;
  };
  /** A quarter at a time, so that keeping the bound does not move all of them at each event. */
  const keepBound = (): void => {
    if (entries.length > eventsMax) dropOldest(eventsMax / 4);
    while (characters > charactersMax) dropOldest(1);
  };
  const keep = (row: StoredRow): void => {
    const size = row.data.length + row.meta.length;
    entries.push({ row, characters: size, event: undefined });
    characters += size;
    keepBound();
  };
  const wake = (): void => {
    const resolves = [...waiting];
    waiting.clear();
    for (const resolve of resolves) resolve();
  };

  return {
    head: () => head,
    push: ({ stream, expected, rows }, last) => {
      if (last <= head) return;
      rows.forEach((row, index) => {
        const revision = expected + 1 + index;
        if (!wanted.has({ type: row.type, revision })) return;
        keep({ ...row, stream, revision, position: head + 1 + index });
      });
      head = last;
      if (waiting.size > 0) wake();
    },
    reset: (position) => {
      head = position;
      dropAll();
      wake();
    },
    watch: (interest) => {
      if (wanted.covers(interest)) return;
      wanted.add(interest);
      dropAll();
    },
    after: (position, limit, interest) => {
      if (position < base || !wanted.covers(interest)) return undefined;
      const to = Math.min(head, position + limit);
      const first = entries.findLastIndex(({ row }) => row.position <= position) + 1;
      const events: Recorded[] = [];
      for (let index = first; index < entries.length; index += 1) {
        const entry = entries[index]!;
        if (entry.row.position > to) break;
        if (!isOfInterest(interest, entry.row)) continue;
        entry.event ??= toRecorded(entry.row);
        events.push(entry.event);
      }
      return { events, count: to - position, to };
    },
    changed: (position, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || head > position) return resolve();
        const done = (): void => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', done);
      }),
    wake,
  };
};
