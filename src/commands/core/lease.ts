import type { Clock } from '../../shared/clock.ts';

/** A process that does not renew its lease is known to have ended after this time. */
export const LEASE_MS = 4_000;
/**
 * How long after the end of its lease a process may record a message that the provider accepted
 * before: the store of leases may be away while the log is there.
 */
const RECORDS_WITHIN_MS = 10_000;
/**
 * So long after the end of a lease its process writes nothing more. The 30 s above the time for
 * records cover a process that was frozen between its look at the clock and its append.
 */
export const SILENT_AFTER_MS = RECORDS_WITHIN_MS + 30_000;

/** The lease of a process. Others may continue the requests that name it after its end. */
export interface Lease {
  id: string;
  /** Whether it has certainly not ended. */
  isHeld(): boolean;
  /** Whether a message may be recorded that the provider accepted while the lease was held. */
  mayRecord(): boolean;
}

/** The time of a run of a request: another process may have gone on with the request after it. */
export interface Term {
  mayBegin(): boolean;
  /** Whether a message may be recorded that the provider accepted. */
  mayRecord(): boolean;
}

/** The leases of the processes that write to one log. */
export interface Leases {
  /** That of this process; undefined while it holds none. */
  current(): Lease | undefined;
  /** For how many milliseconds a lease is known to have ended; undefined where it may be held. */
  endedForMs(id: string): number | undefined;
}

/** The time of a process. */
export interface Clocks {
  clock: Clock;
  /** A clock that never goes back, in milliseconds. */
  monotonicMs: () => number;
}

/**
 * Measures the milliseconds since this call. A machine that sleeps may stop one of the
 * clocks: the longer time counts.
 */
export const elapsedFromNow = ({ clock, monotonicMs }: Clocks): (() => number) => {
  const [beganMs, beganAt] = [monotonicMs(), clock.now()];
  return () => Math.max(monotonicMs() - beganMs, clock.now() - beganAt);
};

/** A lease for which `elapsedMs` have passed since its renewal. */
export const leaseOf = (id: string, elapsedMs: () => number): Lease => ({
  id,
  isHeld: () => elapsedMs() < LEASE_MS,
  mayRecord: () => elapsedMs() < LEASE_MS + RECORDS_WITHIN_MS,
});

/** Of a process that alone writes the log: every earlier one has ended. */
export const noLeases: Leases = { current: () => undefined, endedForMs: () => undefined };
