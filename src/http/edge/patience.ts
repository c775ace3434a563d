/** How long the service still waits for a caller. */
export interface Patience {
  /** Begins a wait. */
  start(): void;
  /** Ends the wait; a wait that has not begun is none. */
  stop(): void;
  /** The caller sent bytes, which earn further time. */
  earn(bytes: number): void;
}

/** A caller who sends no faster than this runs out of time. */
const BYTES_PER_MS_MIN = 16;

/**
 * Bounds the silence of a caller and its average speed: the service waits `graceMs` in all, plus
 * 1 s for each 16 kB that arrived, and never more than `graceMs` at once. Time in which the service
 * does not want to read is not counted.
 */
export const createPatience = (
  graceMs: number,
  onOut: () => void,
  monotonicMs: () => number = () => performance.now(),
): Patience => {
  let leftMs = graceMs;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const spend = (): void => {
    if (since === undefined) return;
    const now = monotonicMs();
    leftMs -= now - since;
    since = now;
  };
  const set = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onOut, Math.max(0, leftMs));
  };
  return {
    start() {
      if (since !== undefined) return;
      since = monotonicMs();
      set();
    },
    stop() {
      spend();
      since = undefined;
      clearTimeout(timer);
    },
    earn(bytes) {
      spend();
      leftMs = Math.min(graceMs, leftMs + bytes / BYTES_PER_MS_MIN);
      if (since !== undefined) set();
    },
  };
};
