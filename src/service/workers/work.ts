import type { Background } from './background.ts';

/** Work in the background that begins and ends again. Both tell whether that changed something. */
export const createWork = (start: () => readonly Background[]) => {
  let running: readonly Background[] | undefined;
  /** Also of an earlier end: when a part of the work fails to end, the others take their time. */
  let ending: Promise<unknown> = Promise.resolve();
  return {
    /** Call it only when `end`, if it was called, has resolved. */
    begin(): boolean {
      if (running) return false;
      running = start();
      return true;
    },
    /** Resolves when nothing runs any more, whoever called it first. */
    async end(): Promise<boolean> {
      const before = running;
      running = undefined;
      const stopped = (before ?? []).map((one) => one.stop());
      ending = Promise.allSettled([ending, ...stopped]).then(() => undefined);
      await ending;
      await Promise.all(stopped);
      return before !== undefined;
    },
  };
};
