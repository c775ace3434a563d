/**
 * The result of the work, or what `late` makes of it (or throws) when the time is up. The work
 * itself goes on; nobody waits for it.
 */
export const within = async <T>(timeoutMs: number, work: Promise<T>, late: () => T): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  try {
    return await Promise.race([work, expiry.then(late)]);
  } finally {
    clearTimeout(timer);
  }
};
