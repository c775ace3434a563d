import { StoreUnavailable } from '../store.ts';

/**
 * What a failed call means. Of `unknown` nobody can tell whether the server did what it was asked;
 * all others were answered by it.
 */
export type Failure = 'wrong-revision' | 'missing' | 'deleted' | 'too-large' | 'denied' | 'unknown';

/** By the `type` that the client gives its errors. */
const byType: Readonly<Record<string, Failure>> = {
  'wrong-expected-version': 'wrong-revision',
  'stream-not-found': 'missing',
  'stream-deleted': 'deleted',
  'maximum-append-size-exceeded': 'too-large',
  'access-denied': 'denied',
};

/** Of gRPC. */
const PERMISSION_DENIED = 7;

/** A call that was given up because it took too long. */
export class TimedOut extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.name = 'TimedOut';
  }
}

const fieldOf = (error: unknown, name: string): unknown =>
  error instanceof Error ? (error as unknown as Record<string, unknown>)[name] : undefined;

export const classify = (error: unknown): Failure => {
  const known = byType[String(fieldOf(error, 'type'))];
  if (known) return known;
  return fieldOf(error, 'code') === PERMISSION_DENIED ? 'denied' : 'unknown';
};

export const isLate = (error: unknown): boolean =>
  error instanceof TimedOut || fieldOf(error, 'type') === 'deadline-exceeded';

/** Whether the connection was lost, so that the next try goes over another one. */
export const isLost = (error: unknown): boolean =>
  ['unavailable', 'cancelled', 'not-leader'].includes(String(fieldOf(error, 'type')));

const REFUSED_RETRY_SECONDS = 10;

/** The failure in the words of the port. */
export const unavailable = (what: string, error: unknown): StoreUnavailable => {
  if (error instanceof StoreUnavailable) return error;
  if (classify(error) === 'denied') {
    return new StoreUnavailable(`the event log ${what}: it refuses our credentials`, {
      retryAfterSeconds: REFUSED_RETRY_SECONDS,
      cause: error,
    });
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreUnavailable(`the event log ${what}: ${reason}`, { cause: error });
};
