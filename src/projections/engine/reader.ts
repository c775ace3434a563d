import { setTimeout as pause } from 'node:timers/promises';
import { type Position, START } from '../../events/store.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ExpectedError } from '../../shared/errors.ts';
import type { Projection } from '../define.ts';
import {
  type Query,
  type Scan,
  type Scanned,
  type ViewsReader,
  ViewsUnavailable,
} from '../views.ts';
import { parseCollection } from './collections.ts';

/** The projections have not been read that far in time; what they show is older. */
export class NotReached extends Error implements ExpectedError {
  readonly isExpected = true;
  readonly projections: readonly string[];
  readonly position: Position;
  constructor(projections: readonly string[], position: Position) {
    super(`${projections.join(', ')} did not reach the asked position in time`);
    this.name = 'NotReached';
    this.projections = projections;
    this.position = position;
  }
}

type Named = Pick<Projection, 'name' | 'version'>;

export interface Page<Doc> {
  rows: Doc[];
  next: Scanned['next'];
}

/** Questions to projections, answered from whichever collection serves each of them. */
export interface Reader {
  get<Doc>(projection: Projection<Doc>, id: string): Promise<Doc | undefined>;
  /** Those that exist, in no order. */
  getMany<Doc>(projection: Projection<Doc>, ids: readonly string[]): Promise<Doc[]>;
  find<Doc>(projection: Projection<Doc>, query: Query): Promise<Doc[]>;
  /** A page, as `Views.scan` reads it. For lists that callers see, ask `Lists`. */
  scan<Doc>(projection: Projection<Doc>, scan: Scan, signal?: AbortSignal): Promise<Page<Doc>>;
  /**
   * Resolves once all of them show everything up to `position`. Throws NotReached when that takes
   * too long; the caller may still read, and sees older documents.
   *
   * A projection that is halted, or whose older version serves while the new one is filled, is not
   * waited for: it will not get there soon, and old documents are better than none. (That it is
   * halted is known to the process that runs the engine only; others wait their time.)
   */
  reached(projections: readonly Named[], position: Position, timeoutMs?: number): Promise<void>;
  /**
   * Whether what serves is of today's version and has seen everything up to `position`. Stricter
   * than `reached`: for decisions that old documents would make wrong.
   */
  shows(projections: readonly Named[], position: Position): Promise<boolean>;
  /**
   * The collections that serve these projections, where it is known without asking that all of them
   * show everything up to `position`; undefined otherwise.
   */
  showing(projections: readonly Named[], position: Position): string | undefined;
}

/** What an engine in this process knows better than the views. */
export interface LocalProgress {
  /** False while another process runs the projections. */
  running(): boolean;
  serving(projection: string): string | undefined;
  reached(projections: readonly string[], position: Position, timeoutMs: number): Promise<void>;
  /** As far as one of them is known to have been filled, and which collection that is. */
  seen(projection: string): { collection: string; checkpoint: Position } | undefined;
}

export interface ReaderOptions {
  views: ViewsReader;
  clock: Clock;
  /** How long `reached` waits where its caller does not say. */
  waitTimeoutMs?: number;
  local?: LocalProgress;
}

const WAIT_TIMEOUT_MS = 5_000;
/** A promoted collection is noticed this late at most; the one before it is kept longer. */
const LIVE_KEPT_MS = 1_000;
const POLL_MS_MIN = 5;
const POLL_MS_MAX = 50;
const POLL_GROWTH = 1.5;

const namesOf = (projections: readonly Named[]) => projections.map(({ name }) => name);

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
 * Reads for a process whether or not it runs an engine: without one, which collection serves is
 * read again every second, and `reached` looks at the checkpoints until they are there.
 */
export const createReader = (options: ReaderOptions): Reader => {
  const { views, local, waitTimeoutMs = WAIT_TIMEOUT_MS } = options;
  const live = createLive(options);

  const servingOf = async (projection: string): Promise<string> => {
    const collection = local?.running() ? local.serving(projection) : await live(projection);
    if (collection === undefined) {
      throw new ViewsUnavailable(`nothing serves the projection ${projection} yet`);
    }
    return collection;
  };

  const isBehind = async ({ name, version }: Named, position: Position): Promise<boolean> => {
    const collection = await live(name);
    if (collection === undefined) return true;
    if ((parseCollection(collection)?.version ?? version) < version) return false;
    return (await views.checkpoint(collection)) < position;
  };

  const poll = async (
    projections: readonly Named[],
    position: Position,
    timeoutMs: number,
  ): Promise<void> => {
    let behind = projections;
    let waitedMs = 0;
    for (let stepMs = POLL_MS_MIN; ; stepMs = Math.min(stepMs * POLL_GROWTH, POLL_MS_MAX)) {
      const answers = await Promise.all(behind.map((one) => isBehind(one, position)));
      behind = behind.filter((_, index) => answers[index]);
      if (behind.length === 0) return;
      if (waitedMs >= timeoutMs) throw new NotReached(namesOf(behind), position);
      await pause(stepMs);
      waitedMs += stepMs;
    }
  };

  return {
    async get<Doc>(projection: Projection<Doc>, id: string) {
      return (await views.get<Doc>(await servingOf(projection.name), id))?.document;
    },
    async getMany<Doc>(projection: Projection<Doc>, ids: readonly string[]) {
      const kept = await views.getMany<Doc>(await servingOf(projection.name), ids);
      return kept.map(({ document }) => document);
    },
    async find<Doc>(projection: Projection<Doc>, query: Query) {
      const kept = await views.find<Doc>(await servingOf(projection.name), query);
      return kept.map(({ document }) => document);
    },
    async scan<Doc>(projection: Projection<Doc>, scan: Scan, signal?: AbortSignal) {
      const collection = await servingOf(projection.name);
      const { rows, next } = await views.scan<Doc>(collection, scan, signal);
      return { rows: rows.map(({ document }) => document), next };
    },
    async reached(projections, position, timeoutMs = waitTimeoutMs) {
      if (position === START) return;
      if (local?.running()) await local.reached(namesOf(projections), position, timeoutMs);
      else await poll(projections, position, timeoutMs);
    },
    async shows(projections, position) {
      for (const { name, version } of projections) {
        const collection = await servingOf(name);
        if (parseCollection(collection)?.version !== version) return false;
        if ((await views.checkpoint(collection)) < position) return false;
      }
      return true;
    },
    showing(projections, position) {
      if (!local?.running()) return undefined;
      let collections = '';
      for (const { name } of projections) {
        const seen = local.seen(name);
        if (!seen || seen.checkpoint < position) return undefined;
        collections += `${seen.collection} `;
      }
      return collections;
    },
  };
};
