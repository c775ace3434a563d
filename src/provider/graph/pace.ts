/**
 * A token bucket as two numbers: when the next token is due if none were saved up, and how far
 * ahead of that saved tokens let a caller go.
 */
export interface Bucket {
  dueAt: number;
  savedMs: number;
}

export const newBucket = (): Bucket => ({ dueAt: 0, savedMs: 0 });

/**
 * Takes a token from a bucket that holds and refills `perSecond`, and says from when on it may be
 * used. Takes none and answers null when that would be later than `latestAt`.
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

/** Puts a token back that was taken and not used. */
export const giveBackToken = (bucket: Bucket, perSecond: number): void => {
  bucket.dueAt -= 1000 / perSecond;
};

/** Empties the bucket: nobody who takes a token from now on may use it before `until`. */
export const holdBack = (bucket: Bucket, until: number): void => {
  bucket.dueAt = Math.max(bucket.dueAt, until + bucket.savedMs);
};
