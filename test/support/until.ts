/** Far longer than anything takes: how long a test waits, while the machine has time for it. */
export const PATIENCE_MS = 120_000;
/** A look costs something: the pauses between them grow with the time that has passed. */
const pauseAfter = (waitedMs: number): number => Math.min(2 + waitedMs / 20, 25);

/**
 * Waits until something holds, looking often; fails with its name when it takes too long. What the
 * event loop lags behind, as on a busy machine, does not count. More patience is for programs that run
 * for long, less is for nobody.
 */
export const untilTrue = async (
  what: string | (() => string),
  holds: () => Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> => {
  const beganAt = performance.now();
  let latestAt = beganAt + patienceMs;
  while (!(await holds())) {
    const at = performance.now();
    if (at > latestAt) throw new Error(`in vain: ${typeof what === 'string' ? what : what()}`);
    const pauseMs = pauseAfter(at - beganAt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    latestAt += performance.now() - at - pauseMs;
  }
};

/** The same for what needs no asking. */
export const until = (
  what: string,
  holds: () => boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> => untilTrue(what, async () => holds(), patienceMs);
