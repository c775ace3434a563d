import { Interrupted, retry } from '../../shared/retry.ts';

export interface Retrying {
  signal: AbortSignal;
  /** Spreads the attempts of several processes; 0 to below 1. */
  random: () => number;
  onFailure: (error: unknown) => void;
  /** Called on progress and on success: the earlier failure is over. */
  onProgress: () => void;
}

const DELAYS = { minMs: 50, maxMs: 5_000 };

/** Retries the work until it succeeds or the signal fires. The work reports its progress. */
export const retrying = async (
  { signal, random, onFailure, onProgress }: Retrying,
  work: (progressed: () => void) => Promise<void>,
): Promise<void> => {
  if (signal.aborted) return;
  const attempt = (progressed: () => void) =>
    work(() => {
      progressed();
      onProgress();
    });
  try {
    await retry(attempt, { delays: { ...DELAYS, random }, signal, onFailure });
    onProgress();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
  }
};
