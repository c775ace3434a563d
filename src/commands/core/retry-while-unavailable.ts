import { StoreUnavailable } from '../../events/store.ts';
import { retry } from '../../shared/retry.ts';

const DELAYS = { minMs: 50, maxMs: 10_000 };

/**
 * Retries the work for as long as the log is unavailable, until the signal fires. For work behind
 * requests: no caller waits for it. Throws Interrupted.
 */
export const retryWhileUnavailable = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  retry(work, { delays: DELAYS, signal, while: (error) => error instanceof StoreUnavailable });
