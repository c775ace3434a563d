import { createMemoryRateLimiter, type RateLimiter } from '../http/edge/limits.ts';
import { createSharedRateLimiter } from '../http/edge/rate-limit-shared.ts';
import type { SharedWindows } from '../projections/coordination.ts';
import type { Logger } from '../shared/logger.ts';

/** The limits of keys and addresses: counted in memory, or over all instances where windows are shared. */
export const openLimits = (
  windows: SharedWindows | undefined,
  logger: Logger,
  opened: (close: () => Promise<void>) => void,
): { keyLimits: RateLimiter; addressLimits: RateLimiter } => {
  if (!windows) {
    return { keyLimits: createMemoryRateLimiter(), addressLimits: createMemoryRateLimiter() };
  }
  const onAlone = (error: unknown) => {
    const reason = (error as Error).message;
    logger.warn({ reason }, 'This instance counts rate limits alone until the views answer');
  };
  const shared = createSharedRateLimiter({ windows, onAlone });
  opened(() => shared.stop());
  return { keyLimits: shared, addressLimits: shared };
};
