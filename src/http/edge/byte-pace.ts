/** Bounds the bytes per second of all its callers: returns the pause after these bytes, in ms. */
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
