import type { RunningReactor } from '../../commands/core/reactor.ts';
import type { Background } from './background.ts';

/** Reactors, and what goes with them. */
export interface Started {
  reactors: readonly RunningReactor[];
  timers: readonly Background[];
}

/** The reactors of some partitions. */
export interface SharedReactors extends Started {
  add(partitions: readonly number[]): void;
}

/** Work in the background that begins and ends again. Both tell whether that changed something. */
export const createWork = <Some extends Started>(start: () => Some) => {
  let running: Some | undefined;
  /** Also of an earlier end: when a part of the work fails to end, the others take their time. */
  let ending: Promise<unknown> = Promise.resolve();
  return {
    /** Undefined as soon as it begins to end. */
    running: (): Some | undefined => running,
    /** Call it only when `end`, if it was called, has resolved. */
    begin(): boolean {
      if (running) return false;
      running = start();
      return true;
    },
    /** Resolves for all callers when nothing runs any more. */
    async end(): Promise<boolean> {
      const before = running;
      running = undefined;
      const all = before ? [...before.timers, ...before.reactors] : [];
      const stopped = all.map((one) => one.stop());
      ending = Promise.allSettled([ending, ...stopped]).then(() => undefined);
      await ending;
      await Promise.all(stopped);
      return before !== undefined;
    },
  };
};
