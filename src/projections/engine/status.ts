import { type EventReader, type Position, START } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { type Checkpoints, endsOf, slowestOf } from '../checkpoints.ts';
import type { Projection } from '../define.ts';
import type { Halt, Halts, Views } from '../views.ts';
import { planOf } from './collections.ts';

export interface ProjectionStatus {
  name: string;
  version: number;
  /** The checkpoint of the serving collection: that of its slowest partition. */
  position: Position;
  /** Age in ms of the oldest event that readers do not see yet; null when the log cannot tell now. */
  lag: number | null;
  state: 'live' | 'catching-up' | 'rebuilding' | 'halted';
  /** Whether it has halted in this process, which folds it. */
  isHaltedHere: boolean;
  /** Each partition of the serving collection, by its number. */
  partitions: readonly PartitionStatus[];
  error: StatusError | null;
  /** The build of the next collection, during one. */
  rebuild: { position: Position; lag: number | null } | null;
}

interface PartitionStatus {
  position: Position;
  lag: number | null;
}

interface StatusError {
  message: string;
  /** The event at which the projection halted; null for a failure that is retried. */
  position: Position | null;
  stream: string | null;
}

/** The part of a projection's status that only the process with the engine knows. */
export interface EngineView {
  /** The collection that it writes for readers. */
  serving: string;
  halted: boolean;
  catchingUp: boolean;
  error: StatusError | null;
}

interface StatusOptions {
  store: EventReader;
  views: Views;
  projections: readonly Projection[];
  clock: Clock;
}

/** Pages that are read for the oldest event that is not seen yet. */
const LAG_PAGES_MAX = 10;

/** A projection with a larger lag is catching up. */
const LIVE_LAG_MS_MAX = 5_000;

/** What a halt is told as. */
export const errorAt = ({ reason, position, stream }: Halt): StatusError => ({
  message: reason,
  position,
  stream,
});

const firstOf = (halts: Halts | undefined): Halt | undefined => halts?.values().next().value;

/** Null where one of them is not known. */
const largest = (lags: readonly (number | null)[]): number | null =>
  lags.reduce((most, one) => (most === null || one === null ? null : Math.max(most, one)), 0);

const createLag = async ({ store, clock }: StatusOptions) => {
  const head = await store.head().catch(() => undefined);
  const ends = await store.bucketEnds().catch(() => undefined);
  const known = new Map<Position, Promise<number | null>>();

  const measure = async (position: Position): Promise<number | null> => {
    if (head === undefined) return null;
    if (position >= head) return 0;
    let at = position;
    for (let page = 0; page < LAG_PAGES_MAX && at < head; page += 1) {
      const { events, to } = await store.readAll(at, 1);
      const [oldest] = events;
      if (oldest) return Math.max(0, clock.now() - Date.parse(oldest.meta.at));
      // The page held events of others only.
      at = to;
    }
    return at < head ? null : 0;
  };

  const lagAt = (position: Position): Promise<number | null> => {
    const lag = known.get(position) ?? measure(position).catch(() => null);
    known.set(position, lag);
    return lag;
  };
  /** Of each partition: one that has seen the last event of its buckets has no lag. */
  const lagsOf = (checkpoints: Checkpoints) => {
    const last = endsOf(checkpoints.length, ends ?? []);
    return Promise.all(
      checkpoints.map((one, partition) => {
        const end = last[partition];
        return end !== undefined && one >= end ? 0 : lagAt(one);
      }),
    );
  };
  return { lagsOf, isEmpty: head === START };
};

/**
 * The status of each projection, from the views and the log, in any process. The process that runs
 * the engine adds failures, and where its halts are.
 */
export const readStatus = async (
  options: StatusOptions,
  known: (projection: string) => EngineView | undefined = () => undefined,
): Promise<ProjectionStatus[]> => {
  const { views, projections } = options;
  // A loss of the views can leave checkpoints of what was being opened meanwhile: no collection.
  const [live, names, checkpoints, halts, { lagsOf, isEmpty }] = await Promise.all([
    views.live(),
    views.collections(),
    views.checkpoints(),
    views.halts(),
    createLag(options),
  ]);

  const statusOf = async (projection: Projection): Promise<ProjectionStatus> => {
    const { serving, current, next } = planOf(projection, live, names);
    const of = (collection: string | undefined) =>
      collection === undefined ? undefined : checkpoints[collection];
    const filled = of(serving);
    const position = slowestOf(filled ?? []);
    const lags = await lagsOf(filled ?? [START]);
    const lag = largest(lags);
    const built = serving === undefined ? undefined : of(next);
    const engine = known(projection.name);
    const isHaltedHere = engine?.halted ?? false;
    const told = firstOf(halts[serving ?? '']);
    const halt = told ?? firstOf(halts[next ?? '']);
    // In a young log, even an empty collection has a small lag.
    const isFilled = filled !== undefined && current && (position !== START || isEmpty);
    const isFollowed = !engine || engine.serving === serving;
    return {
      name: projection.name,
      version: projection.version,
      position,
      lag,
      state: stateOf(engine, {
        lag,
        halted: isHaltedHere || told !== undefined,
        building: built !== undefined,
        ready: isFilled && isFollowed,
      }),
      isHaltedHere,
      partitions: (filled ?? []).map((one, partition) => ({
        position: one,
        lag: lags[partition]!,
      })),
      error: engine?.error ?? (halt ? errorAt(halt) : null),
      rebuild:
        built === undefined
          ? null
          : { position: slowestOf(built), lag: largest(await lagsOf(built)) },
    };
  };
  return Promise.all(projections.map(statusOf));
};

const stateOf = (
  engine: EngineView | undefined,
  {
    lag,
    halted,
    building,
    ready,
  }: { lag: number | null; halted: boolean; building: boolean; ready: boolean },
): ProjectionStatus['state'] => {
  if (halted) return 'halted';
  if (building) return 'rebuilding';
  if (engine?.catchingUp || !ready) return 'catching-up';
  return lag === null || lag > LIVE_LAG_MS_MAX ? 'catching-up' : 'live';
};
