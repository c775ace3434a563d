import { StoreUnavailable } from '../store.ts';

/**
 * The meaning of a failed call. After `unknown` the server may or may not have done the work; the
 * others are answers of the server.
 */
export type Failure = 'wrong-revision' | 'deleted' | 'too-large' | 'denied' | 'unknown';

/** By the `type` of the client's errors. */
const byType: Readonly<Record<string, Failure>> = {
  'wrong-expected-version': 'wrong-revision',
  'stream-deleted': 'deleted',
  'maximum-append-size-exceeded': 'too-large',
  'access-denied': 'denied',
};

/** By the type of the details of a refused append. */
const byDetails: Readonly<Record<string, Failure>> = {
  'event_store.client.WrongExpectedVersion': 'wrong-revision',
  'event_store.client.StreamDeleted': 'deleted',
  'event_store.client.MaximumAppendSizeExceeded': 'too-large',
  'event_store.client.AccessDenied': 'denied',
};

/** The server refused an append, or could not say whether it stored it. */
export class Refused extends Error {
  readonly failure: Failure;
  constructor(details = 'no details', message = '') {
    super(message || `the server answered ${details}`);
    this.name = 'Refused';
    this.failure = byDetails[details] ?? 'unknown';
  }
}

/** A status code of gRPC. */
const PERMISSION_DENIED = 7;

/** A call exceeded its time limit. */
export class TimedOut extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.name = 'TimedOut';
  }
}

const fieldOf = (error: unknown, name: string): unknown =>
  error instanceof Error ? (error as unknown as Record<string, unknown>)[name] : undefined;

export const classify = (error: unknown): Failure => {
  if (error instanceof Refused) return error.failure;
  const known = byType[String(fieldOf(error, 'type'))];
  if (known) return known;
  return fieldOf(error, 'code') === PERMISSION_DENIED ? 'denied' : 'unknown';
};

export const isLate = (error: unknown): boolean =>
  error instanceof TimedOut || fieldOf(error, 'type') === 'deadline-exceeded';

/** Whether the connection was lost: the next call uses another one. */
export const isLost = (error: unknown): boolean =>
  ['unavailable', 'cancelled', 'not-leader'].includes(String(fieldOf(error, 'type')));

const REFUSED_RETRY_SECONDS = 10;

/** The failure as an error of the port. */
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
