/** An event as the double keeps it. */
export interface Kept {
  id: string;
  stream: string;
  revision: number;
  position: bigint;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

export type Proposed = Pick<Kept, 'id' | 'type' | 'contentType' | 'data' | 'metadata'>;

/** Any: wherever the stream ends. -1: it must not be there. */
export type Expected = 'any' | 'exists' | number;

export type Verdict = { last: Kept } | { wrong: true; current: number };

/** What the server keeps, with its rules for revisions, repeats and positions. */
export interface KeptLog {
  append(stream: string, expected: Expected, events: readonly Proposed[]): Verdict;
  stream(name: string): readonly Kept[];
  all(): readonly Kept[];
  /** Called for each event once it is kept. Returns how to stop. */
  watch(watcher: (event: Kept) => void): () => void;
  /** As after a restart without a disk. */
  clear(): void;
}

/** Positions are those of bytes, so they have gaps; the server's log begins with its own records. */
const FIRST_POSITION = 100n;
const FRAME_BYTES = 60;

export const createKeptLog = (): KeptLog => {
  const streams = new Map<string, Kept[]>();
  const watchers = new Set<(event: Kept) => void>();
  let events: Kept[] = [];
  let end = FIRST_POSITION;

  const keep = (stream: string, proposed: Proposed): Kept => {
    const there = streams.get(stream) ?? [];
    const kept = { ...proposed, stream, revision: there.length, position: end };
    end += BigInt(FRAME_BYTES + proposed.data.length + proposed.metadata.length);
    streams.set(stream, [...there, kept]);
    events.push(kept);
    return kept;
  };

  const repeated = (there: readonly Kept[], expected: number, ids: readonly string[]) => {
    const first = expected + 1;
    const same = ids.every((id, i) => there[first + i]?.id === id);
    return same ? there[first + ids.length - 1] : undefined;
  };

  return {
    append: (stream, expected, proposed) => {
      const there = streams.get(stream) ?? [];
      const current = there.length - 1;
      const wrong = { wrong: true as const, current };
      if (expected === 'exists' && current < 0) return wrong;
      if (typeof expected === 'number' && expected !== current) {
        const ids = proposed.map(({ id }) => id);
        const last = expected < current ? repeated(there, expected, ids) : undefined;
        return last ? { last } : wrong;
      }
      const kept = proposed.map((one) => keep(stream, one));
      for (const event of kept) for (const watcher of watchers) watcher(event);
      return { last: kept.at(-1)! };
    },
    stream: (name) => streams.get(name) ?? [],
    all: () => events,
    watch: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    clear: () => {
      streams.clear();
      events = [];
      end = FIRST_POSITION;
    },
  };
};
