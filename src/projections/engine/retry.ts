import { setTimeout as pause } from 'node:timers/promises';

export interface Retrying {
  signal: AbortSignal;
  /** Spreads the attempts of several processes; 0 to below 1. */
  random: () => number;
  onFailure: (error: unknown) => void;
  /** It got on, or is done: what failed before is over. */
  onProgress: () => void;
}

const DELAY_MS_MIN = 50;
const DELAY_MS_MAX = 5_000;

/**
 * Does the work until it is done or the signal ends it, with growing pauses after failures. The
 * work calls `progressed` when it gets on, and the next pause is a short one again.
 */
export const retrying = async (
  { signal, random, onFailure, onProgress }: Retrying,
  work: (progressed: () => void) => Promise<void>,
): Promise<void> => {
  let delayMs = DELAY_MS_MIN;
  const progressed = () => {
    delayMs = DELAY_MS_MIN;
    onProgress();
  };
  while (!signal.aborted) {
    try {
      await work(progressed);
      onProgress();
      return;
    } catch (error) {
      if (signal.aborted) return;
      onFailure(error);
    }
    const jitteredMs = delayMs * (0.5 + random() / 2);
    await pause(jitteredMs, undefined, { signal }).catch(() => undefined);
    delayMs = Math.min(delayMs * 2, DELAY_MS_MAX);
  }
};
