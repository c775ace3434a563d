import { type EventStore, type Position, START } from '../../events/store.ts';

/** Work that continues after its call. */
export interface Unsettled<T = unknown> {
  /** Stays open when a stop interrupts the work. */
  settled: Promise<T>;
  /** The position that the work has reached; until it is defined, that before the event. */
  position?(): Position | undefined;
}

// How the checkpoints of a reactor are stored.

/** Streams of snapshots whose state is the position up to which a reactor has done its work. */
export const CHECKPOINT_PREFIX = 'reactor-';

/**
 * A partition for which nothing was done is saved after so many events of the others, or so much time.
 * Seldom, because in EventStoreDB the saves of many partitions are events themselves, behind which all
 * of them would have to be saved again.
 */
const QUIET_EVENTS = 500;
const QUIET_SAVE_MS = 600_000;

const laterOf = (one: Position, other: Position): Position => (one > other ? one : other);
const earlierOf = (one: Position, other: Position): Position => (one < other ? one : other);

export interface Place {
  partition: number;
  stream: string;
  /** The checkpoint that this process found. */
  from: Position;
  saved: Position;
  savedAtMs: number;
  /** Events that this process had read when it was saved. */
  savedAtCount: number;
  /** Higher than that of the process before: the store keeps the checkpoint of the last one. */
  generation: number;
  /** Whether something was done since it was saved. */
  isBusy: boolean;
  /** One for each unsettled work: the position from which the log must be read again. */
  open: Set<() => Position>;
}

export type Store = Pick<EventStore, 'loadSnapshot' | 'saveSnapshot'>;

/** Reads the stored checkpoints of one reactor in so many partitions. */
export const createStored = (name: string, count: number, store: Store) => {
  const whole = `${CHECKPOINT_PREFIX}${name}`;
  const streamOf = (partition: number) => (count === 1 ? whole : `${whole}-${partition}of${count}`);

  const read = async (stream: string) => {
    const snapshot = await store.loadSnapshot(stream);
    // A state of any other type is no position; handling all events again does no harm.
    const position = typeof snapshot?.state === 'string' ? snapshot.state : START;
    return { position, revision: Math.max(-1, snapshot?.revision ?? -1) };
  };

  return {
    async load(partitions: readonly number[]): Promise<ReadonlyMap<number, Place>> {
      // Where a process that had all of it ended, as before its log was copied to a server.
      const base = (await read(whole)).position;
      const found = partitions.map(async (partition): Promise<[number, Place]> => {
        const stream = streamOf(partition);
        const { position, revision } = await read(stream);
        const from = laterOf(position, base);
        const generation = count === 1 ? 0 : revision + 1;
        // From now on the store keeps no checkpoint of the process before, should it still write.
        const claim = { revision: generation, version: 1, state: from };
        if (count > 1) await store.saveSnapshot(stream, claim);
        const since = { saved: from, savedAtMs: 0, savedAtCount: 0, isBusy: false };
        return [partition, { partition, stream, from, ...since, generation, open: new Set() }];
      });
      return new Map(await Promise.all(found));
    },
  };
};

/** Saves places, and lists those that are due. */
const createSaving = (
  count: number,
  store: Pick<Store, 'saveSnapshot'>,
  monotonicMs: () => number,
) => {
  /** Events that this process has read. */
  let read = 0;
  const note = (place: Place): void => {
    place.savedAtMs = monotonicMs();
    place.savedAtCount = read;
  };
  return {
    pass(events: number): void {
      read += events;
    },
    /** The place is as it is stored. */
    note,
    isDue: ({ isBusy, savedAtMs, savedAtCount }: Place): boolean =>
      count === 1 ||
      isBusy ||
      read - savedAtCount >= QUIET_EVENTS ||
      monotonicMs() - savedAtMs >= QUIET_SAVE_MS,
    async save(place: Place, reached: Position): Promise<void> {
      let until = reached;
      for (const position of place.open) until = earlierOf(until, position());
      place.isBusy = place.open.size > 0;
      if (until === place.saved) return;
      const { stream, generation: revision } = place;
      try {
        await store.saveSnapshot(stream, { revision, version: 1, state: until });
      } catch (error) {
        place.isBusy = true;
        throw error;
      }
      place.saved = until;
      note(place);
    },
  };
};

/**
 * How far a reactor has come in each of its partitions that this process has. The checkpoints lie in
 * the log's own snapshots, so dropping the read models does not make the reactor run again. Each says
 * only what is done, so one that a late process writes may repeat work but never leave any out.
 */
export const createCheckpoints = (
  name: string,
  count: number,
  store: Store,
  monotonicMs: () => number = () => performance.now(),
) => {
  const stored = createStored(name, count, store);
  const saving = createSaving(count, store, monotonicMs);
  const places = new Map<number, Place>();
  /** How far this process has read. A partition that was further on stays there. */
  let reached: Position = START;
  const at = ({ from }: Place): Position => laterOf(from, reached);
  const slowest = (): Position => [...places.values()].map(at).reduce(earlierOf, at(first()));
  const first = (): Place => places.values().next().value!;

  return {
    partitions: (): Iterable<number> => places.keys(),
    /** Of the slowest partition. */
    position: (): Position => (places.size === 0 ? START : slowest()),
    /** Adds partitions. The log must be read from `position` after that. */
    async load(partitions: readonly number[]): Promise<void> {
      const added = await stored.load(partitions);
      for (const place of places.values()) place.from = at(place);
      reached = START;
      for (const [partition, place] of added) {
        saving.note(place);
        places.set(partition, place);
      }
      reached = slowest();
    },
    /** The partitions, or of one the only one, that have not seen what is at this position. */
    newTo: (position: Position, partition: number | null): readonly Place[] => {
      const asked = partition === null ? [...places.values()] : [places.get(partition)];
      return asked.filter((place) => place !== undefined && place.from < position) as Place[];
    },
    moveTo(position: Position, events: number): void {
      reached = position;
      saving.pass(events);
    },
    /** Something is done for these partitions; what has not settled may go on. */
    note(of: readonly Place[], unsettled: Unsettled | undefined): void {
      for (const place of of) {
        place.isBusy = true;
        if (!unsettled) continue;
        const before = at(place);
        const position = () => unsettled.position?.() ?? before;
        place.open.add(position);
        const close = () => {
          place.open.delete(position);
          place.isBusy = true;
        };
        unsettled.settled.then(close, close);
      }
    },
    /** Saves those that have changed; those for which nothing was done more seldom, unless `all`. */
    async save({ all = false } = {}): Promise<void> {
      const due = [...places.values()].filter((place) => all || saving.isDue(place));
      await Promise.all(due.map((place) => saving.save(place, at(place))));
    },
  };
};
