/** Far longer than anything takes: how long a test waits, while the machine has time for it. */
export const PATIENCE_MS = 60_000;
const STEP_MS = 3;

/**
 * Waits until something holds, looking often; fails with its name when it takes too long. What the
 * event loop lags behind, as on a busy machine, does not count.
 */
export const untilTrue = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  let latestAt = performance.now() + PATIENCE_MS;
  while (!(await holds())) {
    const at = performance.now();
    if (at > latestAt) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    latestAt += performance.now() - at - STEP_MS;
  }
};

/** The same for what needs no asking. */
export const until = (what: string, holds: () => boolean): Promise<void> =>
  untilTrue(what, async () => holds());
