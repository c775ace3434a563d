import { firstPast } from '../../shared/first-past.ts';
import { type Interest, isOfInterest, type Position, type Recorded, storedType } from '../store.ts';
import { createWaitingFollowers, type Wish } from '../waiting-followers.ts';
import { BATCH_MAX, type Batch } from './subscription.ts';

/** Newest events that stay in memory, for followers that come late or are slow. */
const KEPT_MAX = 1_024;
/** Events by which the leader may be behind before the reading waits for it. */
const AHEAD_MAX = 512;
const stored = (event: Recorded) => ({ type: storedType(event), revision: event.revision });

/** The newest events that one subscription has brought, for several followers. */
export interface Reading {
  push(batch: Batch): void;
  /** Ends it, with what ended the subscription. */
  over(error?: unknown): void;
  /** Notes how far the leader has come. */
  lead(to: Position): void;
  /** Whether the leader is so far behind that the reading must wait for it. */
  isAhead(): boolean;
  isConfirmed(): boolean;
  isOver(): boolean;
  /** Whether it is further than a position. */
  hasPassed(at: Position): boolean;
  /** Whether what comes after a position is here, or comes here without waiting for the leader. */
  covers(at: Position): boolean;
  /** The events of interest after a position; undefined when the reading has not passed it. */
  after(at: Position, interest?: Interest): Batch | undefined;
  /**
   * Resolves as woken at the signal and at the next change; with an interest at the next event of it,
   * or when many others have come. As quiet after a time.
   */
  changed(signal: AbortSignal, wish?: Wish): Promise<'woken' | 'quiet'>;
  demandNoFailure(): void;
}

export const createReading = (from: Position): Reading => {
  const waiting = createWaitingFollowers();
  let events: Recorded[] = [];
  /** All events after `base`, up to `end`, are in memory. */
  let base = from;
  let end = from;
  let ledTo = from;
  let isConfirmed = false;
  let isOver = false;
  let failure: unknown;

  const indexAfter = (at: Position): number => firstPast(events, ({ position }) => position > at);
  const isAhead = (): boolean => events.length - indexAfter(ledTo) >= AHEAD_MAX;

  return {
    push(batch) {
      isConfirmed = true;
      events.push(...batch.events);
      end = batch.to;
      // The leader is behind by fewer events than are kept.
      if (events.length > KEPT_MAX + AHEAD_MAX) {
        base = events.at(-KEPT_MAX - 1)!.position;
        events = events.slice(-KEPT_MAX);
      }
      waiting.wake(batch.events.map(stored), batch.events.length);
    },
    over(error) {
      isOver = true;
      failure ??= error;
      waiting.wakeAll();
    },
    lead(to) {
      ledTo = to;
      waiting.wake([], 0);
    },
    isAhead,
    isConfirmed: () => isConfirmed,
    isOver: () => isOver,
    hasPassed: (at) => end > at,
    covers: (at) => isConfirmed && !isOver && base <= at && (at <= end || !isAhead()),
    after(at, interest) {
      if (end <= at) return undefined;
      const first = indexAfter(at);
      const here = events.slice(first, first + BATCH_MAX);
      const isAll = first + here.length === events.length;
      return {
        events: interest ? here.filter((event) => isOfInterest(interest, stored(event))) : here,
        to: isAll ? end : here.at(-1)!.position,
      };
    },
    changed: (signal, wish = {}) => waiting.changed(signal, wish),
    demandNoFailure() {
      if (failure !== undefined) throw failure;
    },
  };
};
