import { setTimeout as pause } from 'node:timers/promises';
import {
  AppendTooLarge,
  type EventStore,
  NO_STREAM,
  type Position,
  START,
  StoreUnavailable,
  WrongRevision,
} from '../store.ts';
import { type Comparison, createComparison } from './comparison.ts';
import { createLanes } from './lanes.ts';
import {
  type CopySource,
  type CopyTarget,
  type SourceEvent,
  type SourceSnapshot,
  toNewEvent,
} from './ports.ts';

export interface CopyOptions {
  /** Snapshots under this prefix say how far a reactor has come: their state is a position. */
  reactorPrefix: string;
  onProgress: (stage: 'look' | 'copy' | 'compare', events: number) => void;
  /** How long the destination may be away before the copy is given up. */
  patienceMs?: number;
}

export interface CopiedEvents {
  /** Appended now. */
  copied: number;
  /** There before, from a copy that was broken off. */
  present: number;
  /** Brings over what spares work in the new place. */
  carryOn(): Promise<{ reactors: number; snapshots: number }>;
}

const RUNNING_MAX = 48;
/** Of positions of the source: the most that can be out of order in the destination. */
const SPAN_MAX = 4096;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 500;
const SNAPSHOTS_AT_A_TIME = 16;

/** Does it again while the destination is away, if it has been there before. */
const createPatience = (patienceMs: number) => {
  let wellAt: number | undefined;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        const result = await work();
        wellAt = performance.now();
        return result;
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || wellAt === undefined) throw error;
        if (performance.now() - wellAt > patienceMs) throw error;
        await pause(PAUSE_MS);
      }
    }
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

/** A snapshot that the new place cannot keep costs time there, and no truth. */
const saveAll = async (
  { saveSnapshot }: EventStore,
  snapshots: Iterable<SourceSnapshot>,
): Promise<number> => {
  let saved = 0;
  const save = async ({ stream, ...snapshot }: SourceSnapshot): Promise<void> => {
    try {
      await saveSnapshot(stream, snapshot);
      saved += 1;
    } catch (error) {
      if (!(error instanceof AppendTooLarge)) throw error;
    }
  };
  const waiting = snapshots[Symbol.iterator]();
  const workers = Array.from({ length: SNAPSHOTS_AT_A_TIME }, async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) await save(next.value);
  });
  await Promise.all(workers);
  return saved;
};

/**
 * Copies what is missing in the destination and compares all of it with the source, event by
 * event. What stands in the destination already says where to go on, so it may be broken off at
 * any moment and begun again. Nothing is written into a log that holds anything else.
 */
export const copyEvents = async (
  source: CopySource,
  target: CopyTarget,
  { reactorPrefix, onProgress, patienceMs = PATIENCE_MS }: CopyOptions,
): Promise<CopiedEvents> => {
  const patient = createPatience(patienceMs);
  const reactors = reactorsOf(source, reactorPrefix);
  const comparison: Comparison = createComparison(source, reactors, SPAN_MAX);
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
    const stops = new Set(reactors.map(({ position }) => position));
    let copied = 0;
    const append = appendTo(target.store, patient);
    const lanes = createLanes({
      runningMax: RUNNING_MAX,
      spanMax: SPAN_MAX,
      append: async (run) => {
        await append(run);
        copied += run.length;
        onProgress('copy', present + copied);
      },
    });
    const present = comparison.count();
    let at = comparison.frontier();
    for (let page = source.after(at); page.length > 0; page = source.after(at)) {
      for (const event of page) {
        // Nothing overtakes the event at which a reactor stands: it goes on from there.
        if (stops.has(at)) await lanes.idle();
        at = event.position;
        if (!comparison.has(at)) await lanes.put(event);
      }
    }
    await lanes.idle();
    return copied;
  };

  await walkOn('look');
  const present = comparison.count();
  const copied = await copyMissing();
  await walkOn('compare');
  if (comparison.count() !== source.events) {
    const missing = source.after(comparison.frontier())[0];
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
      const snapshots = await saveAll(
        target.store,
        all.filter((one) => !isCheckpoint(one)),
      );
      const placed = all.flatMap((one) => {
        const state = isCheckpoint(one) && held.get(one.stream);
        return state ? [{ ...one, state }] : [];
      });
      return { reactors: await saveAll(target.store, placed), snapshots };
    },
  };
};
