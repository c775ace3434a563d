import { setTimeout as pause } from 'node:timers/promises';
import { ALL_BUCKETS } from '../../events/bucket.ts';
import { type EventReader, type Position, START } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import { type Checkpoints, endsOf } from '../checkpoints.ts';
import type { Projection } from '../define.ts';
import {
  type Halts,
  type Kept,
  type Query,
  type Scan,
  type Scanned,
  type ViewsReader,
  ViewsUnavailable,
} from '../views.ts';
import { parseCollection } from './collections.ts';

/** The projections did not reach a position in time; their documents are older. */
export class NotReached extends ViewsUnavailable {
  readonly projections: readonly string[];
  readonly position: Position;
  constructor(projections: readonly string[], position: Position) {
    super(`${projections.join(', ')} did not reach the asked position in time`);
    this.name = 'NotReached';
    this.projections = projections;
    this.position = position;
  }
}

/**
 * What readers see of a position: all up to it; not all, because a partition has halted, or because an older
 * version serves, which nobody folds any further, while the new one is built.
 */
export type Shown = 'all' | 'halted' | 'older';

/** What is shown of several projections. One that is behind counts as halted. */
export const shownOf = (each: readonly (Shown | 'behind')[]): Shown => {
  if (each.includes('older')) return 'older';
  return each.includes('halted') || each.includes('behind') ? 'halted' : 'all';
};

/** Whether all of what was waited for is shown: false also where it threw NotReached. */
export const inTime = (reached: Promise<Shown>): Promise<boolean> =>
  reached.then(
    (shown) => shown === 'all',
    (error) => {
      if (error instanceof NotReached) return false;
      throw error;
    },
  );

type Named = Pick<Projection, 'name' | 'version'>;

export interface Page<Doc> {
  rows: Doc[];
  next: Scanned['next'];
}

/** Reads each projection from the collection that serves it. */
export interface Reader {
  get<Doc>(projection: Projection<Doc>, id: string): Promise<Doc | undefined>;
  /** The documents that exist, in no order. */
  getMany<Doc>(projection: Projection<Doc>, ids: readonly string[]): Promise<Doc[]>;
  find<Doc>(projection: Projection<Doc>, query: Query): Promise<Doc[]>;
  /** A page, as `Views.scan` reads it. Callers' lists go through `Lists` instead. */
  scan<Doc>(projection: Projection<Doc>, scan: Scan, signal?: AbortSignal): Promise<Page<Doc>>;
  /** The number of documents along an index. Throws Unserved unless that alone can tell. */
  count<Doc>(projection: Projection<Doc>, query: Pick<Query, 'where' | 'order'>): Promise<number>;
  /**
   * Resolves once all projections show everything up to `position`, or will not soon: it does not wait for
   * one that is halted, or whose older version serves. Throws NotReached after the timeout; the caller may
   * still read older documents.
   */
  reached(projections: readonly Named[], position: Position, timeoutMs?: number): Promise<Shown>;
  /**
   * The buckets of which the serving collections have this program's version and show everything up to
   * `position`. Stricter than `reached`: for decisions that old documents would make wrong.
   */
  shows(projections: readonly Named[], position: Position): Promise<ReadonlySet<number>>;
}

/** The progress of an engine in this process. */
interface LocalProgress {
  /** False while another process runs the projections. */
  running(): boolean;
  serving(projection: string): string | undefined;
  reached(projections: readonly string[], position: Position, timeoutMs: number): Promise<Shown>;
}

interface ReaderOptions {
  views: ViewsReader;
  /** The log, where several processes share the partitions; else its head tells enough. */
  store?: Pick<EventReader, 'bucketEnds'>;
  clock: Clock;
  local?: LocalProgress;
  /** For tests: a clock that never goes back, in milliseconds. */
  monotonicMs?: () => number;
}

/** Age of the halts at most that a look takes into account. */
const HALTS_KEPT_MS = 1_000;
/** Timeout of `reached` when its caller gives none. */
const WAIT_TIMEOUT_MS = 5_000;
/** Age of the serving collections' names at most; an obsolete collection is kept longer. */
const LIVE_KEPT_MS = 1_000;
const POLL_MS_MIN = 5;
const POLL_MS_MAX = 50;
const POLL_GROWTH = 1.5;

const namesOf = (projections: readonly Named[]) => projections.map(({ name }) => name);

const documentsOf = <Doc>(kept: readonly Kept<Doc>[]): Doc[] =>
  kept.map(({ document }) => document);

const createLive = ({ views, clock }: Pick<ReaderOptions, 'views' | 'clock'>) => {
  let known: { live: Readonly<Record<string, string>>; at: number } | undefined;
  let reading: Promise<Readonly<Record<string, string>>> | undefined;

  const read = async () => {
    const at = clock.now();
    const live = await views.live();
    known = { live, at };
    return live;
  };

  return async (projection: string): Promise<string | undefined> => {
    const age = known ? clock.now() - known.at : Number.POSITIVE_INFINITY;
    if (known && age >= 0 && age < LIVE_KEPT_MS && known.live[projection]) {
      return known.live[projection];
    }
    reading ??= read().finally(() => {
      reading = undefined;
    });
    return (await reading)[projection];
  };
};

/**
 * Whether partitions have seen everything up to a position. One that has seen the last event of its
 * buckets has, wherever the log ends.
 */
const seenBy = (
  checkpoints: Checkpoints,
  position: Position,
  ends: readonly Position[] = [],
): boolean[] => {
  const last = endsOf(checkpoints.length, ends);
  return checkpoints.map(
    (one, partition) => one >= position || one >= (last[partition] ?? position),
  );
};

/** `reached` for a process without an engine: compares the checkpoints until the timeout. */
const createPoll = (
  { views, store, monotonicMs = () => performance.now() }: ReaderOptions,
  live: ReturnType<typeof createLive>,
) => {
  let halts: Readonly<Record<string, Halts>> = {};
  let haltsAtMs = Number.NEGATIVE_INFINITY;
  const lookForHalts = async () => {
    if (monotonicMs() - haltsAtMs < HALTS_KEPT_MS) return;
    halts = await views.halts();
    haltsAtMs = monotonicMs();
  };

  return async (
    projections: readonly Named[],
    position: Position,
    timeoutMs: number,
  ): Promise<Shown> => {
    const begunMs = monotonicMs();
    let ends: readonly Position[] | undefined;
    let pausedMs = 0;
    for (let stepMs = POLL_MS_MIN; ; stepMs = Math.min(stepMs * POLL_GROWTH, POLL_MS_MAX)) {
      const names = await Promise.all(projections.map(({ name }) => live(name)));
      const checkpoints = await views.checkpoints();
      const isRecent = monotonicMs() - haltsAtMs < HALTS_KEPT_MS;
      const each = projections.map(({ version }, index): Shown | 'behind' => {
        const collection = names[index];
        if (collection === undefined) return 'behind';
        const seen = seenBy(checkpoints[collection] ?? [START], position, ends);
        if (seen.every(Boolean)) return 'all';
        if (store && !ends) return 'behind';
        if ((parseCollection(collection)?.version ?? version) < version) return 'older';
        const halted = isRecent ? halts[collection] : undefined;
        return seen.every((one, partition) => one || halted?.has(partition)) ? 'halted' : 'behind';
      });
      if (!each.includes('behind')) return shownOf(each);
      if (store && !ends) {
        ends = await store.bucketEnds();
        continue;
      }
      // Beside the pauses, the looks take time: seconds each while the server is slow.
      const waitedMs = Math.max(pausedMs, monotonicMs() - begunMs);
      if (waitedMs >= timeoutMs) {
        const behind = projections.filter((_, index) => each[index] === 'behind');
        throw new NotReached(namesOf(behind), position);
      }
      // Most come within moments.
      if (stepMs === POLL_MS_MAX) await lookForHalts();
      await pause(stepMs);
      pausedMs += stepMs;
    }
  };
};

/**
 * Reads for a process with or without an engine. Without one, it reads the names of the serving
 * collections again every second, and `reached` polls the checkpoints.
 */
export const createReader = (options: ReaderOptions): Reader => {
  const { views, store, local } = options;
  const live = createLive(options);
  const poll = createPoll(options, live);

  const servingOf = async (projection: string): Promise<string> => {
    const collection = local?.running() ? local.serving(projection) : await live(projection);
    if (collection === undefined) {
      throw new ViewsUnavailable(`nothing serves the projection ${projection} yet`);
    }
    return collection;
  };

  return {
    async get<Doc>(projection: Projection<Doc>, id: string) {
      return (await views.get<Doc>(await servingOf(projection.name), id))?.document;
    },
    async getMany<Doc>(projection: Projection<Doc>, ids: readonly string[]) {
      return documentsOf(await views.getMany<Doc>(await servingOf(projection.name), ids));
    },
    async find<Doc>(projection: Projection<Doc>, query: Query) {
      return documentsOf(await views.find<Doc>(await servingOf(projection.name), query));
    },
    async scan<Doc>(projection: Projection<Doc>, scan: Scan, signal?: AbortSignal) {
      const collection = await servingOf(projection.name);
      const { rows, next } = await views.scan<Doc>(collection, scan, signal);
      return { rows: documentsOf(rows), next };
    },
    async count(projection, query) {
      return views.count(await servingOf(projection.name), query);
    },
    async reached(projections, position, timeoutMs = WAIT_TIMEOUT_MS) {
      if (position === START) return 'all';
      const begunMs = performance.now();
      if (local?.running()) {
        const shown = await local.reached(namesOf(projections), position, timeoutMs);
        // What another process has taken over meanwhile is not known here.
        if (local.running()) return shown;
      }
      return poll(projections, position, timeoutMs - (performance.now() - begunMs));
    },
    async shows(projections, position) {
      const checkpoints = await views.checkpoints();
      const places: Checkpoints[] = [];
      for (const { name, version } of projections) {
        const collection = await servingOf(name);
        if (parseCollection(collection)?.version !== version) return new Set();
        places.push(checkpoints[collection] ?? [START]);
      }
      const seenUpTo = (ends?: readonly Position[]) =>
        places.map((one) => seenBy(one, position, ends));
      const areWhole = () => seen.every((each) => !each.includes(false));
      let seen = seenUpTo();
      // The ends cost a read of the log, which tells nothing more of partitions that are there already.
      if (store && !areWhole()) seen = seenUpTo(await store.bucketEnds());
      if (areWhole()) return new Set(ALL_BUCKETS);
      const isShown = (bucket: number) =>
        seen.every((each) => each[each.length === 1 ? 0 : bucket]);
      return new Set(ALL_BUCKETS.filter(isShown));
    },
  };
};
