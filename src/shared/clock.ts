/** Time, as the program is given it, so that tests can hold it still. */
export interface Clock {
  /** Wall clock in milliseconds since 1970. */
  now(): number;
}

/** Fresh ids, as the program is given them, so that tests can count them. */
export interface Ids {
  /** A UUID that sorts by the time it was made. */
  uuid(): string;
  /** `length` characters of [0-9A-Za-z] that nobody can guess. */
  secret(length: number): string;
}

export const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();
