import type { AppendJob } from './store.sqlite.protocol.ts';
import type { Page } from './store.sqlite.reader.ts';
import { toRecorded } from './store.sqlite.rows.ts';
import type { Recorded } from './store.ts';

/** The newest events of the log, in memory, so that live followers need not read the file. */
export interface Tail {
  /** Position of the newest event. */
  head(): number;
  /** An append ends at `last`; one that was there before changes nothing. */
  push(job: AppendJob, last: number): void;
  /** The log turned out to end here; nothing in between is known. */
  reset(head: number): void;
  /**
   * Up to `limit` events after `position`; undefined when they are not all in memory. The events
   * are shared by all who ask.
   */
  after(position: number, limit: number, types?: ReadonlySet<string>): Page | undefined;
  /** Resolves when there is something after `position`, when aborted and when woken. */
  changed(position: number, signal: AbortSignal): Promise<void>;
  wake(): void;
}

interface Entry {
  job: AppendJob;
  /** Position of its first event. */
  first: number;
  characters: number;
  /** Filled when first asked for. */
  events: (Recorded | undefined)[];
}

const eventsMax = 1_024;
const charactersMax = 4 * 1024 * 1024;

/** Undefined for an event of a type that is not asked for: it need not be decoded. */
const recordedAt = (
  entry: Entry,
  position: number,
  types: ReadonlySet<string> | undefined,
): Recorded | undefined => {
  const { job, first, events } = entry;
  const index = position - first;
  const row = job.rows[index];
  if (!row) throw new Error(`position ${position} is not in the append at ${first}`);
  if (types && !types.has(row.type)) return undefined;
  const known = events[index];
  if (known) return known;
  const revision = job.expected + 1 + index;
  const event = toRecorded({ ...row, stream: job.stream, revision, position });
  events[index] = event;
  return event;
};

export const createTail = (): Tail => {
  /** The event at position p is in slot p modulo its length. */
  const slots: (Entry | undefined)[] = new Array(eventsMax).fill(undefined);
  const waiting = new Set<() => void>();
  let head = 0;
  /** Position before the oldest event in memory. */
  let base = 0;
  let characters = 0;

  const dropOldest = (): void => {
    base += 1;
    const entry = slots[base % eventsMax];
    slots[base % eventsMax] = undefined;
    if (entry && entry.first + entry.job.rows.length - 1 === base) characters -= entry.characters;
  };
  const wake = (): void => {
    const resolves = [...waiting];
    waiting.clear();
    for (const resolve of resolves) resolve();
  };

  return {
    head: () => head,
    push: (job, last) => {
      if (last <= head) return;
      const size = job.rows.reduce((sum, { data, meta }) => sum + data.length + meta.length, 0);
      const entry: Entry = { job, first: head + 1, characters: size, events: [] };
      characters += size;
      while (head < last) {
        if (head - base === eventsMax) dropOldest();
        head += 1;
        slots[head % eventsMax] = entry;
      }
      while (characters > charactersMax && base < head) dropOldest();
      if (waiting.size > 0) wake();
    },
    reset: (position) => {
      while (base < head) dropOldest();
      head = position;
      base = position;
      wake();
    },
    after: (position, limit, types) => {
      if (position < base) return undefined;
      const events: Recorded[] = [];
      const to = Math.min(head, position + limit);
      for (let at = position + 1; at <= to; at += 1) {
        const entry = slots[at % eventsMax];
        const event = entry && recordedAt(entry, at, types);
        if (event) events.push(event);
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
