import type { EventStore } from '../../events/store.ts';

/** The stream of the snapshot whose state is the number of the reactors' partitions. */
const COUNT_STREAM = 'reactor-partitions';
/** How late a process follows a change of the number, which another one made at its start. */
const COUNT_LOOK_MS = 2_000;

/**
 * The number of partitions of all reactors. The last process that started decides it; the others
 * follow. Checkpoints survive a change.
 */
export const createReactorCount = (
  store: Pick<EventStore, 'loadSnapshot' | 'saveSnapshot'>,
  { configured, isAlone }: { configured: number; isAlone: boolean },
): (() => Promise<number>) => {
  let known: number | undefined;
  let lookedAtMs = 0;

  const read = async (): Promise<number> => {
    const state = (await store.loadSnapshot(COUNT_STREAM))?.state;
    return typeof state === 'number' && state >= 1 ? state : 1;
  };

  const lookAgain = async (): Promise<void> => {
    lookedAtMs = performance.now();
    // Until the log answers again, the number is as it was.
    known = await read().catch(() => known);
  };

  return async () => {
    if (known === undefined) {
      if ((await read()) !== configured) {
        const snapshot = { revision: 0, version: 1, state: configured };
        await store.saveSnapshot(COUNT_STREAM, snapshot);
      }
      known = configured;
      lookedAtMs = performance.now();
    }
    if (!isAlone && performance.now() - lookedAtMs > COUNT_LOOK_MS) void lookAgain();
    return known;
  };
};
