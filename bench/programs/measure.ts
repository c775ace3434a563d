import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** The resources that a program has used so far. */
export interface Measure {
  /** CPU time in microseconds: of all threads, and of the main thread. */
  processMicros: number;
  mainMicros: number;
  rssBytes: number;
  /** Since the last call: the delay of timers, and the share of time in which the loop was busy. */
  loopP99Ms: number;
  utilization: number;
}

/** Interval of the measurement of the event loop's delay. */
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

/** Runs in a program: answers the questions of the bench; `measure` and `stop` always. */
export const answerBench = (answers: Answers = {}): void => {
  const all: Answers = { measure: createMeasure(), stop: () => true, ...answers };
  process.on('message', async (name: string) => {
    const value = await all[name]?.();
    process.send?.({ value }, () => {
      if (name === 'stop') process.exit();
    });
  });
  // The bench has ended.
  process.on('disconnect', () => process.exit());
};

/** Runs in a program: reports that it is ready, with what the bench needs to use it. */
export const tellBench = (said: Record<string, number>): void => {
  process.send?.(said);
};

/** Runs in a program that serves: reports its address. */
export const tellPort = (address: unknown): void => {
  tellBench({ port: (address as { port: number }).port });
};
