/** The time, injected so that tests can fix it. */
export interface Clock {
  /** Wall clock in milliseconds since 1970. */
  now(): number;
}

/** Fresh ids, injected so that tests can fix them. */
export interface Ids {
  /** A UUID that sorts by its time of creation. */
  uuid(): string;
  /** `length` random characters of [0-9A-Za-z] from a secure source. */
  secret(length: number): string;
}

let lastTime = Number.NaN;
let lastText = '';

/** ISO 8601 in UTC. Keeps the last text: a send asks several times in one millisecond. */
export const isoTime = (milliseconds: number): string => {
  if (milliseconds !== lastTime) {
    lastText = new Date(milliseconds).toISOString();
    lastTime = milliseconds;
  }
  return lastText;
};
