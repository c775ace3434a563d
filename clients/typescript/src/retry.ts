// When a refused or unanswered call is made again (the retry table of the service's docs/api.md).

/** What a call was answered; undefined where no answer came. */
export interface Outcome {
  status: number;
  /** `Retry-After`; undefined without it. */
  retryAfterSeconds: number | undefined;
  /** `RateLimit-Reset`, which every answer has; undefined without it. */
  resetSeconds: number | undefined;
  body: unknown;
}

export interface Retried {
  /** Reading, or under an `Idempotency-Key`: to repeat the call does nothing twice. */
  isRepeatable: boolean;
  /** A POST that sends. A refusal of it by the provider is kept under its `Idempotency-Key`. */
  isSend: boolean;
}

export type Verdict =
  | { again: false }
  /** `afterMs` undefined: after the next delay. `freshKey`: the old key would bring the old answer. */
  | { again: true; afterMs?: number; freshKey?: boolean };

const NO: Verdict = { again: false };

/** Longest wait that an answer can ask for; a longer one is an error for the caller to see. */
const WAIT_SECONDS_MAX = 120;

/** The code of a refusal; undefined where the service gives none. */
export const codeIn = (body: unknown): string | undefined => {
  const { code } = (body ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
};

/** Whether a 429 is that of a sending cap. */
export const isCap = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'limit' in body;

const after = (seconds: number | undefined): Verdict => {
  if (seconds === undefined) return { again: true };
  return seconds > WAIT_SECONDS_MAX ? NO : { again: true, afterMs: seconds * 1_000 };
};

const afterServerError = (outcome: Outcome, { isRepeatable, isSend }: Retried): Verdict => {
  if (!isRepeatable) return NO;
  // It may have gone out: another key could send it twice, and this one brings the same answer.
  if (isSend && codeIn(outcome.body) === 'OUTCOME_UNKNOWN') return NO;
  if (isSend && codeIn(outcome.body) === 'SEND_FAILED') return { again: true, freshKey: true };
  return after(outcome.retryAfterSeconds);
};

export const verdictOn = (outcome: Outcome | undefined, how: Retried): Verdict => {
  if (!outcome) return how.isRepeatable ? { again: true } : NO;
  const { status, body, retryAfterSeconds, resetSeconds } = outcome;
  if (status === 429) return isCap(body) ? NO : after(retryAfterSeconds ?? resetSeconds);
  if (status === 409 && codeIn(body) === 'IDEMPOTENCY_IN_PROGRESS') return after(retryAfterSeconds);
  return status >= 500 ? afterServerError(outcome, how) : NO;
};

const FIRST_DELAY_MS = 1_000;
const LAST_DELAY_MS = 16_000;

/** 1, 2, 4, 8, 16 s, each taken between its half and itself, so that many callers spread. */
export const delayMs = (attempt: number, random: () => number): number =>
  Math.min(FIRST_DELAY_MS * 2 ** attempt, LAST_DELAY_MS) * (0.5 + random() / 2);

/** Resolves after a time; rejects with the signal's reason as soon as it is aborted. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
