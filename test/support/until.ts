/** Far longer than anything takes on a busy machine, and less than a test has. */
const PATIENCE_MS = 60_000;

/** Waits until something holds, looking often; fails with its name when it takes too long. */
export const until = async (
  what: string,
  holds: () => boolean,
  timeoutMs = PATIENCE_MS,
): Promise<void> => {
  const latestAt = performance.now() + timeoutMs;
  while (!holds()) {
    if (performance.now() > latestAt) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

/** The same for what must be asked for. */
export const untilTrue = async (
  what: string,
  holds: () => Promise<boolean>,
  timeoutMs = PATIENCE_MS,
): Promise<void> => {
  const latestAt = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > latestAt) throw new Error(`in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
