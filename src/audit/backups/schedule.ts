// What the command and the service have in common.

/** Backups that are kept: a week of them, one each 6 hours. */
export const KEEP = 30;
export const EVERY_MIN_MS = 60_000;

const RETRY_MS = 5 * 60_000;

/** After a failure the next attempt follows soon. */
export const retryMs = (everyMs: number): number => Math.min(RETRY_MS, everyMs);
