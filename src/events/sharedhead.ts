/**
 * Position of the log's newest event, in memory that the threads of this process share. A thread
 * that reads the file learns from it that there is more, without a message for each commit.
 */
export type SharedHead = BigInt64Array<SharedArrayBuffer>;

export const createSharedHead = (): SharedHead => new BigInt64Array(new SharedArrayBuffer(8));

export const publishHead = (head: SharedHead, position: number): void => {
  Atomics.store(head, 0, BigInt(position));
  Atomics.notify(head, 0);
};

export const readHead = (head: SharedHead): number => Number(Atomics.load(head, 0));

/** Calls back whenever the head has moved, until stopped. Several moves may come as one. */
export const watchHead = (head: SharedHead, onMoved: (position: number) => void): (() => void) => {
  let stopped = false;
  const watch = async () => {
    while (!stopped) {
      const seen = Atomics.load(head, 0);
      onMoved(Number(seen));
      const { async: waits, value } = Atomics.waitAsync(head, 0, seen);
      if (waits) await value;
    }
  };
  void watch();
  return () => {
    stopped = true;
    Atomics.notify(head, 0);
  };
};
