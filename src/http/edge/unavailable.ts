import { StoreUnavailable } from '../../events/store.ts';
import { ListsBusy, ListTooSlow } from '../../projections/engine/lists.ts';
import { NotReached } from '../../projections/engine/reader.ts';
import { ViewsUnavailable } from '../../projections/views.ts';
import { AppError } from '../../shared/errors.ts';

const wordsOf = (error: StoreUnavailable): string => {
  if (error instanceof ListTooSlow) {
    return 'This list took too long to read: ask for fewer rows or a narrower filter';
  }
  if (error instanceof ListsBusy) return 'Too many lists are being read at once';
  if (error instanceof NotReached) return 'The service is catching up with its log';
  if (error instanceof ViewsUnavailable) return 'The read models cannot be read now';
  return 'The service cannot store this now';
};

/** The refusal for what cannot be known or stored now; undefined for any other error. */
export const unavailabilityOf = (error: unknown): AppError | undefined => {
  if (!(error instanceof StoreUnavailable)) return undefined;
  const { retryAfterSeconds } = error;
  return new AppError('service.unavailable', wordsOf(error), { retryAfterSeconds, cause: error });
};
