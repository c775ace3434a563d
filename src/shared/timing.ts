import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The result of `work`, or of `late` when `timeoutMs` pass first; `late` may throw. The work itself
 * goes on, and its later result is ignored.
 */
export const withTimeout = async <T>(
  timeoutMs: number,
  work: Promise<T>,
  late: () => T,
): Promise<T> => {
  const { promise: expired, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    return await Promise.race([work, expired.then(late)]);
  } finally {
    clearTimeout(timer);
  }
};

/** Waits for `delayMs`, or until the signal fires; does not throw. */
export const pause = async (delayMs: number, signal?: AbortSignal): Promise<void> => {
  await sleep(delayMs, undefined, { signal }).catch(() => undefined);
};
