import { pause } from '../../shared/timing.ts';

/** Work beside the requests, until it is stopped. */
export interface Background {
  stop(): Promise<void>;
}

/** Runs the work after `firstMs`, and again `milliseconds` after each run has ended or failed. */
export const every = (
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<void>,
  onFailure: (error: unknown) => void = () => undefined,
  firstMs = 0,
): Background => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    if (firstMs > 0) await pause(firstMs, signal);
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
