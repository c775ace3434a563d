import { grpc } from './wire.ts';

/** What an answer can be instead of the true one. `none`: the call stays open for ever. */
export type Refusal =
  | 'none'
  | 'unavailable'
  | 'timeout'
  | 'cancelled'
  | 'unknown'
  | 'denied'
  | 'unauthenticated'
  | 'too-large';

export interface AppendFault {
  /** Whether the events are kept all the same; true unless told. */
  keep?: boolean;
  /**
   * The true answer unless told. `no-position`: without where the events stand. `wrong`: as if the
   * stream ended elsewhere, whatever was kept.
   */
  answer?: Refusal | 'no-position' | 'wrong';
  delayMs?: number;
  /** Answered once this is over. */
  after?: Promise<void>;
}

export interface ReadFault {
  answer?: Refusal;
  /** Only so many events of a read of all come, and then nothing. */
  only?: number;
  delayMs?: number;
}

/** `silent`: confirmed, and then nothing. `unconfirmed`: not even that. */
export type SubscriptionFault = 'silent' | 'unconfirmed' | Refusal;

const { status } = grpc;

const codes: Readonly<Record<Exclude<Refusal, 'none'>, number>> = {
  unavailable: status.UNAVAILABLE,
  timeout: status.ABORTED,
  cancelled: status.CANCELLED,
  unknown: status.UNKNOWN,
  denied: status.PERMISSION_DENIED,
  unauthenticated: status.UNAUTHENTICATED,
  'too-large': status.INVALID_ARGUMENT,
};

const exceptions: Readonly<Partial<Record<Refusal, string>>> = {
  denied: 'access-denied',
  'too-large': 'maximum-append-size-exceeded',
};

/** The refusals that answer one append; the others end the stream of all. */
export const refusalDetails: Readonly<Partial<Record<Refusal, string>>> = {
  timeout: 'Timeout',
  unknown: 'Unknown',
  denied: 'AccessDenied',
  'too-large': 'MaximumAppendSizeExceeded',
};

export const refusalOf = (refusal: Exclude<Refusal, 'none'>) => {
  const metadata = new grpc.Metadata();
  const exception = exceptions[refusal];
  if (exception) metadata.set('exception', exception);
  if (refusal === 'too-large') metadata.set('maximum-append-size', '1048576');
  const details = `as scripted: ${refusal}`;
  return Object.assign(new Error(details), { code: codes[refusal], details, metadata });
};

export const notLeaderOf = (leaderPort: number) => {
  const metadata = new grpc.Metadata();
  metadata.set('exception', 'not-leader');
  metadata.set('leader-endpoint-host', '127.0.0.1');
  metadata.set('leader-endpoint-port', String(leaderPort));
  const details = 'Leader info available';
  return Object.assign(new Error(details), { code: status.NOT_FOUND, details, metadata });
};
