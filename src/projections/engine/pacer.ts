/**
 * Keeps batches apart, so that a busy log is folded in few large ones; whoever waits for a batch
 * calls it off.
 */
export const createPacer = (paceMs: number) => {
  let end: (() => void) | undefined;
  return {
    /** Resolves after the pace, or when it is called off. */
    begin: (): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, paceMs);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    callOff: (): void => end?.(),
  };
};
