import { pause } from './timing.ts';

/** The signal fired before the work succeeded. */
export class Interrupted extends Error {
  constructor(cause?: unknown) {
    super('interrupted before it succeeded', { cause });
    this.name = 'Interrupted';
  }
}

/** Waits for `delayMs`. Throws Interrupted when the signal fires meanwhile. */
export const pauseOrStop = async (
  delayMs: number,
  signal: AbortSignal | undefined,
  cause?: unknown,
): Promise<void> => {
  await pause(delayMs, signal);
  if (signal?.aborted) throw new Interrupted(cause);
};

/** The result of the work. Throws Interrupted when the signal fires first; the work itself goes on. */
export const orStop = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> => {
  const stopped = Promise.withResolvers<never>();
  const onAbort = () => stopped.reject(new Interrupted());
  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
};

/** Delays that double from `minMs` to `maxMs`, without end. */
export interface GrowingDelays {
  minMs: number;
  maxMs: number;
  /** Spreads attempts of several processes over half to all of a delay; 0 to below 1. */
  random?: () => number;
}

export interface RetryOptions {
  /** In milliseconds: a list for so many further attempts, or growing delays for ever. */
  delays: readonly number[] | GrowingDelays;
  /** Ends the waiting: `retry` then throws Interrupted. */
  signal?: AbortSignal | undefined;
  /** Whether another attempt can help; always when absent. None follows an Interrupted. */
  while?: (error: unknown) => boolean;
  /** Called for each failure after which another attempt follows, `delayMs` later. */
  onFailure?: (error: unknown, delayMs: number) => void;
}

/** One delay after the other. */
export const createDelays = (delays: RetryOptions['delays']) => {
  let attempt = 0;
  return {
    reset(): void {
      attempt = 0;
    },
    next(): number | undefined {
      attempt += 1;
      if (!('minMs' in delays)) return delays[attempt - 1];
      const { minMs, maxMs, random } = delays;
      const delayMs = Math.min(minMs * 2 ** Math.min(attempt - 1, 30), maxMs);
      return random ? delayMs * (0.5 + random() / 2) : delayMs;
    },
  };
};

/**
 * Does the work until it succeeds, with a pause before each further attempt. Throws the last error
 * when no attempt is left or none can help. The work calls `progressed` when it got further than
 * before; the delays then start again.
 */
export const retry = async <T>(
  work: (progressed: () => void) => Promise<T>,
  { delays, signal, while: mayHelp = () => true, onFailure }: RetryOptions,
): Promise<T> => {
  let waits: ReturnType<typeof createDelays> | undefined;
  const progressed = () => waits?.reset();
  for (;;) {
    try {
      return await work(progressed);
    } catch (error) {
      if (error instanceof Interrupted || !mayHelp(error)) throw error;
      if (signal?.aborted) throw new Interrupted(error);
      waits ??= createDelays(delays);
      const delayMs = waits.next();
      if (delayMs === undefined) throw error;
      onFailure?.(error, delayMs);
      await pauseOrStop(delayMs, signal, error);
    }
  }
};
