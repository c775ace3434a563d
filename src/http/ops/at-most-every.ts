/**
 * Calls `make` at most once per `intervalMs`. Calls in between share the last or the pending result;
 * a failure is not kept.
 */
export const atMostEvery = <T>(
  intervalMs: number,
  make: () => Promise<T>,
  monotonicMs: () => number = () => performance.now(),
): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  let isMaking = false;
  let madeAt = 0;
  return () => {
    if (made && (isMaking || monotonicMs() - madeAt < intervalMs)) return made;
    isMaking = true;
    madeAt = monotonicMs();
    const making = make();
    made = making;
    making
      .catch(() => {
        made = undefined;
      })
      .finally(() => {
        isMaking = false;
      });
    return making;
  };
};
