/**
 * Position of the log's newest event, in memory that the threads of this process share. Reading
 * threads notice new events without a message for each commit.
 */
export type SharedHead = BigInt64Array<SharedArrayBuffer>;

export const createSharedHead = (): SharedHead => new BigInt64Array(new SharedArrayBuffer(8));

export const publishHead = (head: SharedHead, position: number): void => {
  Atomics.store(head, 0, BigInt(position));
  Atomics.notify(head, 0);
};

export const readHead = (head: SharedHead): number => Number(Atomics.load(head, 0));

/**
 * Resolves when the head is past `position`, after the signal, and sometimes without a reason. A
 * commit costs nothing more while no thread waits.
 */
export const headMoved = async (
  head: SharedHead,
  position: number,
  signal: AbortSignal,
): Promise<void> => {
  const seen = Atomics.load(head, 0);
  if (signal.aborted || Number(seen) > position) return;
  const { async: waits, value } = Atomics.waitAsync(head, 0, seen);
  if (!waits) return;
  const wake = () => void wakeAll(head);
  signal.addEventListener('abort', wake);
  await value;
  signal.removeEventListener('abort', wake);
};

export const wakeAll = (head: SharedHead): number => Atomics.notify(head, 0);
