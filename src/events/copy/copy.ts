import { isDeepStrictEqual } from 'node:util';
import { eachLimit } from '../../shared/concurrency.ts';
import { retry } from '../../shared/retry.ts';
import {
  AppendTooLarge,
  type EventStore,
  LOG_FORMAT,
  NO_STREAM,
  type Position,
  START,
  StoreUnavailable,
  WrongRevision,
} from '../store.ts';
import {
  type CopySource,
  type CopyTarget,
  type SourceEvent,
  type SourceSnapshot,
  type TargetEvent,
  toNewEvent,
} from './ports.ts';

/** A reactor's checkpoint, as a position of the destination. */
export interface Mark {
  stream: string;
  position: Position;
}

/** Compares the destination with the source, in constant memory. */
export interface Comparison {
  /** Takes the next event of the destination. Throws unless it is the source's next event. */
  take(event: TargetEvent): void;
  /** Events taken, which is also the position in the source of the newest of them. */
  count(): number;
  /** Valid after the last event of the destination. */
  marks(): readonly Mark[];
}

const refusal = ({ stream, revision, type }: TargetEvent, what: string): Error =>
  new Error(`the destination holds ${type} at revision ${revision} of ${stream}, ${what}`);

/** The first part that differs. */
const differenceOf = (event: SourceEvent, found: TargetEvent): string | undefined => {
  const { id, type, version } = event;
  if (found.id !== id) return 'id';
  if (found.type !== type) return 'type';
  if (found.version !== version) return 'version';
  if (!isDeepStrictEqual(found.link, event.link)) return 'link';
  const isSame =
    JSON.stringify(found.data) === event.data && JSON.stringify(found.meta) === event.meta;
  if (isSame) return undefined;
  const { data, meta } = toNewEvent(event);
  if (!isDeepStrictEqual(found.data, data)) return 'data';
  return isDeepStrictEqual(found.meta, meta) ? undefined : 'metadata';
};

export const createComparison = (
  source: CopySource,
  /** The reactors' checkpoints in the source. */
  reactors: readonly { stream: string; position: number }[],
): Comparison => {
  let count = 0;
  const marks = reactors.map((reactor) => ({ ...reactor, at: START }));
  return {
    take(found) {
      const event = source.at(found.stream, found.revision);
      if (!event) throw refusal(found, 'which the source does not');
      const difference = differenceOf(event, found);
      if (difference) throw refusal(found, `whose ${difference} is not that of the source`);
      if (event.position !== count + 1) {
        throw refusal(found, 'which does not stand in the order of the source');
      }
      count += 1;
      for (const mark of marks) {
        if (event.position <= mark.position) mark.at = found.position;
      }
    },
    count: () => count,
    marks: () => marks.map(({ stream, at }) => ({ stream, position: at })),
  };
};

/** Characters have at most 3 bytes, so an append stays below 1 MiB. A larger event has its own append. */
const APPEND_CHARACTERS_MAX = 256 * 1024;
const APPEND_EVENTS_MAX = 500;
/** EventStoreDB's overhead per event: id, type and lengths. */
const FRAME_CHARACTERS = 300;

const sizeOf = ({ data, meta }: SourceEvent): number =>
  data.length + meta.length + FRAME_CHARACTERS;

/**
 * Splits events in log order into appends: each holds neighbours of one stream, and fits into one
 * write. Appending the runs one after the other keeps the order of the log.
 */
export function* runsOf(events: Iterable<SourceEvent>): Generator<readonly SourceEvent[]> {
  let run: SourceEvent[] = [];
  let size = 0;
  for (const event of events) {
    const isNext =
      event.stream === run[0]?.stream &&
      run.length < APPEND_EVENTS_MAX &&
      size + sizeOf(event) <= APPEND_CHARACTERS_MAX;
    if (!isNext && run.length > 0) {
      yield run;
      run = [];
      size = 0;
    }
    run.push(event);
    size += sizeOf(event);
  }
  if (run.length > 0) yield run;
}

interface CopyOptions {
  /** Snapshots under this prefix are checkpoints of reactors: their state is a position. */
  reactorPrefix: string;
  onProgress: (stage: 'look' | 'copy' | 'compare', events: number) => void;
  /** Outage of the destination after which the copy fails. */
  patienceMs?: number;
}

interface CopiedEvents {
  /** Appended now. */
  copied: number;
  /** Present before, from an interrupted copy. */
  present: number;
  /** Copies the reactors' checkpoints and the snapshots. */
  carryOn(): Promise<{ reactors: number; snapshots: number }>;
}

const PATIENCE_MS = 60_000;
const DELAYS = { minMs: 500, maxMs: 500 };
const SNAPSHOTS_AT_A_TIME = 16;

/** Repeats work during an outage of the destination, but not before its first answer. */
const createPatience = (patienceMs: number) => {
  let wellAt: number | undefined;
  const isOutage = (error: unknown): boolean =>
    error instanceof StoreUnavailable &&
    wellAt !== undefined &&
    performance.now() - wellAt <= patienceMs;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const result = await retry(work, { delays: DELAYS, while: isOutage });
    wellAt = performance.now();
    return result;
  };
};

type Patient = ReturnType<typeof createPatience>;

const appendTo =
  ({ append }: EventStore, patient: Patient) =>
  async (run: readonly SourceEvent[]): Promise<void> => {
    const [{ stream, revision }] = run as [SourceEvent];
    const events = run.map(toNewEvent);
    try {
      const before = revision === 0 ? NO_STREAM : revision - 1;
      await patient(() => append(stream, before, events));
    } catch (error) {
      if (!(error instanceof WrongRevision)) throw error;
      throw new Error(
        `the destination holds another event at revision ${revision} of ${stream}, or none before it`,
        { cause: error },
      );
    }
  };

const reactorsOf = (source: CopySource, prefix: string) =>
  [...source.snapshots()]
    .filter(({ stream }) => stream.startsWith(prefix))
    .map(({ stream, state }) => ({ stream, position: source.placeOf(state as Position) }));

/** Leaves out snapshots that the destination cannot keep: a lost snapshot only costs time. */
const saveAll = async (
  { saveSnapshot }: EventStore,
  snapshots: Iterable<SourceSnapshot>,
): Promise<number> => {
  let saved = 0;
  await eachLimit(snapshots, SNAPSHOTS_AT_A_TIME, async ({ stream, ...snapshot }) => {
    try {
      await saveSnapshot(stream, snapshot);
      saved += 1;
    } catch (error) {
      if (!(error instanceof AppendTooLarge)) throw error;
    }
  });
  return saved;
};

/**
 * Copies the missing events in the order of the source, one append after the other, then compares
 * every event of the destination with the source. Continues an interrupted copy after the last event
 * of the destination. Refuses a destination that holds anything else.
 */
export const copyEvents = async (
  source: CopySource,
  target: CopyTarget,
  { reactorPrefix, onProgress, patienceMs = PATIENCE_MS }: CopyOptions,
): Promise<CopiedEvents> => {
  const patient = createPatience(patienceMs);
  const reactors = reactorsOf(source, reactorPrefix);
  const comparison: Comparison = createComparison(source, reactors);
  let walked: Position = START;

  const walkOn = async (stage: 'look' | 'compare'): Promise<void> => {
    for (;;) {
      const { events, to, isEnd } = await patient(() => target.walk(walked));
      events.forEach(comparison.take);
      walked = to;
      onProgress(stage, comparison.count());
      if (isEnd) return;
    }
  };

  const copyMissing = async (): Promise<number> => {
    const append = appendTo(target.store, patient);
    let at = present;
    for (let page = source.after(at); page.length > 0; page = source.after(at)) {
      for (const run of runsOf(page)) {
        await append(run);
        at = run.at(-1)!.position;
        onProgress('copy', at);
      }
    }
    return at - present;
  };

  await walkOn('look');
  const present = comparison.count();
  const copied = await copyMissing();
  await walkOn('compare');
  if (comparison.count() !== source.events) {
    const missing = source.after(comparison.count())[0];
    throw new Error(
      `the destination lacks revision ${missing?.revision} of ${missing?.stream}, which it has taken`,
    );
  }

  return {
    copied,
    present,
    async carryOn() {
      const marks = comparison.marks().filter(({ position }) => position !== START);
      const held = new Map(marks.map(({ stream, position }) => [stream, position]));
      const isCheckpoint = ({ stream }: SourceSnapshot) => stream.startsWith(reactorPrefix);
      const all = [...source.snapshots()];
      // Those of an older format are of other names.
      const kept = source.format === LOG_FORMAT ? all.filter((one) => !isCheckpoint(one)) : [];
      const snapshots = await saveAll(target.store, kept);
      const placed = all.flatMap((one) => {
        const state = isCheckpoint(one) && held.get(one.stream);
        return state ? [{ ...one, state }] : [];
      });
      return { reactors: await saveAll(target.store, placed), snapshots };
    },
  };
};
