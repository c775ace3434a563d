import type * as Driver from 'mongodb';
import { ViewsUnavailable } from '../views.ts';

/** An election takes about ten seconds, and most outages of a network less. */
const RETRY_AFTER_SECONDS = 5;

export const DUPLICATE_KEY = 11_000;

/** What MongoDB says of a document that it can never keep: itself, or a key of it, is too large. */
export const TOO_LARGE: readonly number[] = [10_334, 17_280, 17_419, 17_420];

export const unavailable = (reason: string): ViewsUnavailable =>
  new ViewsUnavailable(`the views cannot be reached: ${reason}`, {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });

/** Where the text is MongoDB's it may quote documents, so the code stands for it. */
const serverReason = ({ code, codeName }: Driver.MongoServerError): string =>
  typeof codeName === 'string' ? `${codeName} (${code})` : `code ${code}`;

export const reasonOf = (error: Driver.MongoError): string => {
  const { code } = error;
  if (typeof code === 'number') return serverReason(error as Driver.MongoServerError);
  // The driver's own words name addresses, times and states.
  return error.message;
};

export const isDuplicate = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === DUPLICATE_KEY;
