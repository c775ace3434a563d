import { untilWoken } from '../shared/timing.ts';
import { type Interest, isOfInterest } from './store.ts';

/** After so many events, and so long, every waiting follower hears how far the log is. */
const PASSED_MAX = 256;
const PASSED_MS = 1_000;

/** What one follower waits for. */
export interface Wish {
  /** Absent: any change. */
  interest?: Interest | undefined;
  /** Absent: it waits without an end. */
  quietMs?: number;
}

/**
 * The followers of a live log that wait. An event wakes only those that want it: most followers want
 * few events, and waking all of them at each commit costs a send more than its own work.
 */
export const createWaitingFollowers = () => {
  const waiting = new Map<() => void, Interest | undefined>();
  /** Events since all were woken. */
  let passed = 0;
  /** Set while events have passed of which not all have heard. */
  let timer: NodeJS.Timeout | undefined;

  const wakeAll = (): void => {
    clearTimeout(timer);
    timer = undefined;
    passed = 0;
    for (const settle of [...waiting.keys()]) settle();
  };

  return {
    wakeAll,
    /** Wakes those that want any change, and those that want one of `wanted`, of so many new events. */
    wake(wanted: readonly { type: string; revision: number }[], added: number): void {
      passed += added;
      if (passed >= PASSED_MAX) {
        wakeAll();
        return;
      }
      if (passed > 0) timer ??= setTimeout(wakeAll, PASSED_MS).unref();
      for (const [settle, interest] of [...waiting]) {
        const isFor = (event: { type: string; revision: number }) => isOfInterest(interest, event);
        if (!interest || wanted.some(isFor)) settle();
      }
    },
    /** Resolves as woken also at the signal; as quiet after `quietMs`. */
    changed: (signal: AbortSignal, { interest, quietMs }: Wish) =>
      untilWoken(
        signal,
        (wake) => {
          waiting.set(wake, interest);
          return () => void waiting.delete(wake);
        },
        quietMs,
      ),
  };
};
