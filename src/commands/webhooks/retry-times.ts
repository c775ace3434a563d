const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses before the second and each further call of a delivery. */
export const RETRY_STEPS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
];
/** A pause takes up to this share longer, so that endpoints are not called in step. */
const JITTER = 0.1;
const RETRY_AFTER_MS_MAX = 24 * HOUR;

/** How long an answer asks to wait, in ms: seconds, or a date. Undefined where it is neither. */
const readRetryAfter = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(ms, RETRY_AFTER_MS_MAX);
};

/**
 * When a delivery is called again after `attempts` calls, in ms since 1970; null where no call is left.
 * A longer wait that the answer asks for is kept to, up to 24 h; a shorter one is not.
 */
export const retryTime = (
  attempts: number,
  { now, random, retryAfter }: { now: number; random: number; retryAfter?: string | undefined },
): number | null => {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const jittered = Math.round(step * (1 + random * JITTER));
  return now + Math.max(jittered, readRetryAfter(retryAfter, now) ?? 0);
};
