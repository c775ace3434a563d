import { type EventReader, NO_STREAM, type Recorded, UNREADABLE } from '../../events/store.ts';
import type { Decider } from './decider.ts';
import type { BadSnapshot, Found, Snapshots } from './snapshots.ts';

/** The state of a stream up to a revision. */
export interface Folded<State = unknown> {
  state: State;
  revision: number;
}

type AnyDecider = Decider<unknown, unknown>;
type FoundState = Extract<Found, { kind: 'state' }>;

/** A state, and the last of the events that were read for it. */
interface Reached {
  folded: Folded;
  last: Recorded | undefined;
}

export interface FoldingDeps {
  store: Pick<EventReader, 'read'>;
  snapshots: Snapshots;
  /** Events that one read gives. */
  page: number;
  /** A snapshot was not used; the state was folded from the log instead. */
  onBad: (bad: BadSnapshot) => void;
  onSnapshotFailed: (stream: string, error: unknown) => void;
}

/** Brings states up to date from the log, with the help of snapshots where they can be trusted. */
export const createFolding = (deps: FoldingDeps) => {
  const { store, snapshots, page, onBad, onSnapshotFailed } = deps;

  const foldPage = (
    decider: AnyDecider,
    stream: string,
    from: Folded,
    events: readonly Recorded[],
  ) => {
    let { state, revision } = from;
    for (const event of events) {
      if (event.type === UNREADABLE) {
        throw new Error(`event ${event.revision} of ${stream} cannot be read`);
      }
      state = decider.evolve(state, event);
      revision = event.revision;
    }
    return { state, revision };
  };

  const readTo = async (decider: AnyDecider, stream: string, from: Folded): Promise<Reached> => {
    let folded = from;
    let last: Recorded | undefined;
    for (;;) {
      const limit = page;
      const events = await store.read(stream, { from: folded.revision + 1, limit });
      folded = foldPage(decider, stream, folded, events);
      last = events.at(-1) ?? last;
      if (events.length < limit) return { folded, last };
    }
  };

  /** From a snapshot and what came after it; undefined when it was taken of other events. */
  const fromSnapshot = async (
    decider: AnyDecider,
    stream: string,
    { state, revision, isAt }: FoundState,
  ): Promise<Reached | undefined> => {
    // One event more than are to be read anyway: that at which it was taken.
    const limit = page;
    const [at, ...after] = await store.read(stream, { from: revision, limit });
    if (!isAt(at)) return undefined;
    const folded = foldPage(decider, stream, { state, revision }, after);
    const last = after.at(-1);
    if (after.length + 1 < limit) return { folded, last };
    const rest = await readTo(decider, stream, folded);
    return { folded: rest.folded, last: rest.last ?? last };
  };

  const load = async (decider: AnyDecider, stream: string): Promise<Folded> => {
    const found = await snapshots.find(decider, stream);
    const known = found.kind === 'state' && (await fromSnapshot(decider, stream, found));
    const fault = found.kind === 'bad' ? found.fault : 'other-events';
    const isBad = found.kind === 'bad' || (found.kind === 'state' && !known);
    if (isBad) onBad({ stream, revision: found.revision, fault });
    const start: Folded = { state: decider.initial, revision: NO_STREAM };
    const { folded, last } = known || (await readTo(decider, stream, start));
    const from = known && found.kind === 'state' ? found.revision : NO_STREAM;
    const wasLong = folded.revision - from >= (decider.snapshot?.every ?? Number.POSITIVE_INFINITY);
    // The next load shall find a good one, and not read as much again.
    if (last && (isBad || wasLong)) {
      snapshots
        .save(decider, stream, { ...folded, last }, { replace: !known })
        .catch((error) => onSnapshotFailed(stream, error));
    }
    return folded;
  };

  return {
    /** The state after all events of the stream, from one that is known. */
    readOn: async (decider: AnyDecider, stream: string, from: Folded): Promise<Folded> =>
      (await readTo(decider, stream, from)).folded,
    /** The same from the snapshot, or from nothing. */
    load,
  };
};
