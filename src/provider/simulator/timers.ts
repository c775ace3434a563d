export interface Timers {
  after(milliseconds: number, task: () => void): void;
  /** The number of tasks that have not run yet. */
  size(): number;
  /** Cancels all tasks and refuses new ones. */
  stop(): void;
}

/** Timers that can all be stopped together. */
export const createTimers = (): Timers => {
  const open = new Set<NodeJS.Timeout>();
  let stopped = false;
  return {
    after(milliseconds, task) {
      if (stopped) return;
      const timer = setTimeout(() => {
        open.delete(timer);
        task();
      }, milliseconds);
      open.add(timer);
    },
    size: () => open.size,
    stop() {
      stopped = true;
      for (const timer of open) clearTimeout(timer);
      open.clear();
    },
  };
};
