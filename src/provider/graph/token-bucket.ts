/**
 * A token bucket as two numbers: the time in ms at which the next token is due, and by how many ms
 * saved tokens let a caller start before that.
 */
export interface Bucket {
  dueAt: number;
  savedMs: number;
}

export const newBucket = (): Bucket => ({ dueAt: 0, savedMs: 0 });

/**
 * Takes a token from a bucket that holds and refills `perSecond` tokens. Returns the time from which
 * it may be used; takes none and returns null when that would be later than `latestAt`.
 */
export const takeToken = (
  bucket: Bucket,
  perSecond: number,
  now: number,
  latestAt: number,
): number | null => {
  const intervalMs = 1000 / perSecond;
  bucket.savedMs = 1000 - intervalMs;
  const dueAt = Math.max(bucket.dueAt, now);
  const startAt = Math.max(now, dueAt - bucket.savedMs);
  if (startAt > latestAt) return null;
  bucket.dueAt = dueAt + intervalMs;
  return startAt;
};

/** Returns an unused token to the bucket. */
export const giveBackToken = (bucket: Bucket, perSecond: number): void => {
  bucket.dueAt -= 1000 / perSecond;
};

/** Empties the bucket: tokens taken from now on are usable from `until` on. */
export const holdBack = (bucket: Bucket, until: number): void => {
  bucket.dueAt = Math.max(bucket.dueAt, until + bucket.savedMs);
};
