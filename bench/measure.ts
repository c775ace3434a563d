import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** What a candidate has used so far. */
export interface Measure {
  /** CPU time in microseconds: of all its threads, and of the one that answers requests. */
  processMicros: number;
  mainMicros: number;
  rssBytes: number;
}

const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;

const measure = (): Measure => ({
  processMicros: sum(process.cpuUsage()),
  mainMicros: sum(process.threadCpuUsage()),
  rssBytes: process.memoryUsage.rss(),
});

/** In the candidate: answers whenever the bench asks. */
export const answerMeasure = (): void => {
  process.on('message', (message) => {
    if (message === 'measure') process.send?.(measure());
  });
};

/** In the bench: what the candidate has used up to now. */
export const measureOf = async ({ child }: { child: ChildProcess }): Promise<Measure> => {
  child.send('measure');
  const [answer] = (await once(child, 'message')) as [Measure];
  return answer;
};
