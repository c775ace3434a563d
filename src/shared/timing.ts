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

/**
 * Waits until it is woken. `listen` takes what wakes it and returns what ends the listening. Resolves as
 * woken also at the signal; as quiet after `quietMs`, without which it waits on.
 */
export const untilWoken = (
  signal: AbortSignal,
  listen: (wake: () => void) => () => void,
  quietMs?: number,
): Promise<'woken' | 'quiet'> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve('woken');
    const settle = (how: 'woken' | 'quiet'): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      unlisten();
      resolve(how);
    };
    const wake = (): void => settle('woken');
    const timer = quietMs === undefined ? undefined : setTimeout(settle, quietMs, 'quiet');
    signal.addEventListener('abort', wake);
    const unlisten = listen(wake);
  });
