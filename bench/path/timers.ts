import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';

// Holds back what the idle service does by itself, so that the calls of one piece of work are its own:
// meanwhile only short timers fire, which work may wait for.

type Timer = NodeJS.Timeout | undefined;

/** Timers of idle loops are longer. */
const SHORT_MS = 20;

/** By timer, what it would have called, in the order of the calls. */
let held: Map<Timer | object, () => void> | undefined;

const { setTimeout: later, setInterval: again, clearTimeout: clear } = globalThis;
const holding =
  (real: typeof setTimeout | typeof setInterval) =>
  (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Timer => {
    const timer: Timer = real(() => {
      if (!held || ms <= SHORT_MS) callback(...args);
      else held.set(timer, () => callback(...args));
    }, ms);
    return timer;
  };
const cleared = (timer?: NodeJS.Timeout) => {
  held?.delete(timer);
  clear(timer);
};
Object.assign(globalThis, {
  setTimeout: holding(later),
  setInterval: holding(again),
  clearTimeout: cleared,
  clearInterval: cleared,
});

/** Waits, whether timers are held or not. */
export const pause = promises.setTimeout;
promises.setTimeout = (async (ms = 0, ...given: [undefined?, { signal?: AbortSignal }?]) => {
  const value = await pause(ms, ...given);
  if (!held || ms <= SHORT_MS) return value;
  const { promise, resolve } = Promise.withResolvers<void>();
  held.set({}, resolve);
  await promise;
  return value;
}) as typeof promises.setTimeout;
syncBuiltinESMExports();

/** Holds timers from now on. Returns what lets all go on. */
export const holdTimers = (): (() => void) => {
  held = new Map();
  return () => {
    const waiting = held ?? new Map();
    held = undefined;
    for (const fire of waiting.values()) fire();
  };
};
