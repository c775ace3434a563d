import type { Position } from '../../events/store.ts';

/** Work that continues after its call. */
export interface Unsettled<T = unknown> {
  /** Stays open when a stop interrupts the work. */
  settled: Promise<T>;
  /** The position that the work has reached; until it is defined, that before the event. */
  standsAt?(): Position | undefined;
}
