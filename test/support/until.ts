/** Far longer than anything takes: how long a test waits, while the machine has time for it. */
export const PATIENCE_MS = 120_000;
/** A look costs something: the pauses grow with the time that has passed, and with what a look takes. */
const pauseAfter = (waitedMs: number, lookedMs: number): number =>
  Math.max(Math.min(2 + waitedMs / 20, 25), Math.min(lookedMs, 250));

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
  let lookAt = beganAt;
  while (!(await holds())) {
    const at = performance.now();
    if (at > latestAt) throw new Error(`in vain: ${typeof what === 'string' ? what : what()}`);
    const pauseMs = pauseAfter(at - beganAt, at - lookAt);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    lookAt = performance.now();
    latestAt += lookAt - at - pauseMs;
  }
};

/** The same for what needs no asking. */
export const until = (
  what: string,
  holds: () => boolean,
  patienceMs = PATIENCE_MS,
): Promise<void> => untilTrue(what, async () => holds(), patienceMs);
