/** Bounds how many bytes a second are taken in by all who share it: says how long to wait after so many. */
export type BytePace = (bytes: number) => number;

export const createBytePace = (
  bytesPerSecond: number,
  monotonicMs: () => number = () => performance.now(),
): BytePace => {
  let freeAt = 0;
  return (bytes) => {
    const now = monotonicMs();
    freeAt = Math.max(freeAt, now) + (bytes / bytesPerSecond) * 1000;
    return freeAt - now;
  };
};
