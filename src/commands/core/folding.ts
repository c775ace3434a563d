import { CHAIN_START } from '../../events/chain.ts';
import { chainAfter, newerType } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import {
  type EventReader,
  NO_STREAM,
  type Recorded,
  StoreUnavailable,
  UNREADABLE,
} from '../../events/store.ts';
import type { Decider } from './decider.ts';
import type { BadSnapshot, Folded, Found, Snapshots } from './snapshots.ts';

type AnyDecider = Decider<unknown, unknown>;
type FoundState = Extract<Found, { kind: 'state' }>;

/** A state, and the last of the events that were read for it. */
interface Reached {
  folded: Folded;
  last: Recorded | undefined;
}

interface FoldingDeps {
  store: Pick<EventReader, 'read'>;
  snapshots: Snapshots;
  /** Events that one read gives. */
  page: number;
  /** A snapshot was not used; the state was folded from the log instead. */
  onBad: (bad: BadSnapshot) => void;
  onSnapshotFailed: (stream: string, error: unknown) => void;
}

/** Why a stream cannot be folded. An instance of the newer program that wrote the event can do it. */
const unreadable = (event: Recorded, stream: string): Error => {
  const what = `event ${event.revision} of ${stream} cannot be read`;
  return newerType(event) === undefined
    ? new Error(what)
    : new StoreUnavailable(`${what}: a newer program wrote it`);
};

const foldEvents = (
  decider: AnyDecider,
  stream: string,
  from: Folded,
  events: readonly Recorded[],
): Folded => {
  let { state, revision, chain } = from;
  for (const event of events) {
    if (event.type === UNREADABLE) throw unreadable(event, stream);
    state = decider.evolve(state, event);
    revision = event.revision;
    chain = chainAfter(event, chain);
  }
  return { state, revision, chain };
};

const foldPages = async (
  decider: AnyDecider,
  stream: string,
  from: Folded,
  pages: AsyncIterable<readonly Recorded[]>,
): Promise<Reached> => {
  let folded = from;
  let last: Recorded | undefined;
  for await (const events of pages) {
    folded = foldEvents(decider, stream, folded, events);
    last = events.at(-1);
  }
  return { folded, last };
};

/** Brings states up to date from the log, with the help of snapshots where they can be trusted. */
export const createFolding = (deps: FoldingDeps) => {
  const { store, snapshots, page: pageSize, onBad, onSnapshotFailed } = deps;

  /** The state after all events of the stream that come after `from`. */
  const readTo = async (decider: AnyDecider, stream: string, from: Folded): Promise<Reached> =>
    foldPages(
      decider,
      stream,
      from,
      streamPages(store, stream, { from: from.revision + 1, pageSize }),
    );

  /** From a snapshot and what came after it; undefined when it was taken of other events. */
  const fromSnapshot = async (
    decider: AnyDecider,
    stream: string,
    { state, revision, chain, isAt }: FoundState,
  ): Promise<Reached | undefined> => {
    // The first page begins with the event at which the snapshot was taken.
    const pages = streamPages(store, stream, { from: revision, pageSize });
    const { value: first = [] } = await pages.next();
    const [at, ...after] = first;
    if (!isAt(at)) return undefined;
    const folded = foldEvents(decider, stream, { state, revision, chain }, after);
    const rest = await foldPages(decider, stream, folded, pages);
    return { folded: rest.folded, last: rest.last ?? after.at(-1) };
  };

  const load = async (decider: AnyDecider, stream: string): Promise<Folded> => {
    const found = await snapshots.find(decider, stream);
    const known = found.kind === 'state' && (await fromSnapshot(decider, stream, found));
    const fault = found.kind === 'bad' ? found.fault : 'other-events';
    const isBad = found.kind === 'bad' || (found.kind === 'state' && !known);
    if (isBad) onBad({ stream, revision: found.revision, fault });
    const start: Folded = { state: decider.initial, revision: NO_STREAM, chain: CHAIN_START };
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
