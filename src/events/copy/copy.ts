import { retry } from '../../shared/retry.ts';
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
import {
  type CopySource,
  type CopyTarget,
  type SourceEvent,
  type SourceSnapshot,
  toNewEvent,
} from './ports.ts';
import { runsOf } from './runs.ts';

export interface CopyOptions {
  /** Snapshots under this prefix are checkpoints of reactors: their state is a position. */
  reactorPrefix: string;
  onProgress: (stage: 'look' | 'copy' | 'compare', events: number) => void;
  /** Outage of the destination after which the copy fails. */
  patienceMs?: number;
}

export interface CopiedEvents {
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
