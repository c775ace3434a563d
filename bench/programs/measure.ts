import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** What a program has used so far. */
export interface Measure {
  /** CPU time in microseconds: of all its threads, and of the one that answers requests. */
  processMicros: number;
  mainMicros: number;
  rssBytes: number;
  /** Since the last time it was asked: how late timers were, and the share of time not idle. */
  loopP99Ms: number;
  utilization: number;
}

/** How often the delay of the event loop is looked at. */
const LOOK_MS = 5;

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;

const createMeasure = (): (() => Measure) => {
  const delay = monitorEventLoopDelay({ resolution: LOOK_MS });
  delay.enable();
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    const loopP99Ms = delay.count === 0 ? 0 : delay.percentile(99) / 1e6 - LOOK_MS;
    before = now;
    delay.reset();
    return {
      processMicros: sum(process.cpuUsage()),
      mainMicros: sum(process.threadCpuUsage()),
      rssBytes: process.memoryUsage.rss(),
      loopP99Ms: Math.max(0, loopP99Ms),
      utilization,
    };
  };
};

type Answers = Readonly<Record<string, () => unknown>>;

/** In a program: answers what the bench asks by name, `measure` and `stop` always. */
export const answerBench = (answers: Answers = {}): void => {
  const all: Answers = { measure: createMeasure(), stop: () => true, ...answers };
  process.on('message', async (name: string) => {
    const value = await all[name]?.();
    process.send?.({ value }, () => {
      if (name === 'stop') process.exit();
    });
  });
  // The bench is gone: nobody will ask any more.
  process.on('disconnect', () => process.exit());
};

/** In a program: says that it is ready, with what the bench must know to use it. */
export const tellBench = (said: Record<string, number>): void => {
  process.send?.(said);
};

/** In a program that serves: says on which port. */
export const tellPort = (address: unknown): void => {
  tellBench({ port: (address as { port: number }).port });
};
