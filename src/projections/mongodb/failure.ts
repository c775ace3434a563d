import type * as Driver from 'mongodb';
import { ViewsUnavailable } from '../views.ts';

/** An election takes about ten seconds, and most outages of a network less. */
const RETRY_AFTER_SECONDS = 5;

export const DUPLICATE_KEY = 11_000;

/** MongoDB's codes for a document that it can never store: the document or a key is too large. */
export const TOO_LARGE: readonly number[] = [10_334, 17_280, 17_419, 17_420];

export const unavailable = (reason: string): ViewsUnavailable =>
  new ViewsUnavailable(`the views cannot be reached: ${reason}`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Only the code, because texts of the server may quote documents. */
const serverReason = ({ code, codeName }: Driver.MongoServerError): string =>
  typeof codeName === 'string' ? `${codeName} (${code})` : `code ${code}`;

export const reasonOf = (error: Driver.MongoError): string => {
  const { code } = error;
  if (typeof code === 'number') return serverReason(error as Driver.MongoServerError);
  // Texts of the driver name only addresses, times and states.
  return error.message;
};

export const isDuplicate = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
