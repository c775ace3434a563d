/** Delays the next batch, so that a busy log is folded in few large batches. */
export const createBatchDelay = (batchDelayMs: number) => {
  let end: (() => void) | undefined;
  return {
    /** Resolves after the delay, or when `callOff` ends it. */
    begin: (): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, batchDelayMs);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    callOff: (): void => end?.(),
  };
};
