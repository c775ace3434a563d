import { StoreUnavailable } from '../../events/store.ts';
import { ProviderRefused, ProviderUnreachable } from '../../provider/provider.ts';
import { isRefusal } from '../../shared/errors.ts';

/** True when the provider cannot be read, or the log cannot be written. */
export const isOutOfReach = (error: unknown): boolean =>
  error instanceof ProviderUnreachable ||
  error instanceof ProviderRefused ||
  error instanceof StoreUnavailable ||
  isRefusal(error, 'provider.failed');
