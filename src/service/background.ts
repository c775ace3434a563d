import { pause } from '../shared/timing.ts';

/** Work beside the requests, until it is stopped. */
export interface Background {
  stop(): Promise<void>;
}

/** Runs the work at once, and again `milliseconds` after each run has ended or failed. */
export const every = (
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void = () => undefined,
): Background => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      await work(signal).catch(onFailure);
      await pause(milliseconds, signal);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
};
