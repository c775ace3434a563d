import type { KnownEvent } from '../events/index.ts';
import type { EventReader, Interest } from '../events/store.ts';
import { pause } from '../shared/timing.ts';

/** Work that goes on beside the requests until it is stopped. */
export interface Background {
  stop(): Promise<void>;
}

/**
 * Runs now and again `milliseconds` after each run has ended. The work reports its own failures;
 * one that escapes it is told to `onFailure` and the next run comes all the same.
 */
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

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 2_000;

/** Hands on each event that is written from now on, for as long as the log can be followed. */
export const followLog = (
  store: EventReader,
  listener: {
    /** True once events come, false when they no longer do: some may then have been missed. */
    onFollowing: (now: boolean) => void;
    /** What it is called for; other events may come too. */
    interest: Interest;
    onEvent: (event: KnownEvent) => void;
    onFailure: (error: unknown) => void;
  },
): Background & { started: Promise<void> } => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const begun = Promise.withResolvers<void>();

  const followOnce = async (onFollowing: () => void) => {
    const head = await store.head();
    const batches = store.follow(head, signal, listener.interest);
    listener.onFollowing(true);
    begun.resolve();
    onFollowing();
    for await (const { events } of batches) {
      for (const event of events as KnownEvent[]) listener.onEvent(event);
    }
  };

  const run = async () => {
    let delayMs = RETRY_MS_MIN;
    while (!signal.aborted) {
      await followOnce(() => {
        delayMs = RETRY_MS_MIN;
      }).catch(listener.onFailure);
      listener.onFollowing(false);
      // A log that is down at the start is no reason not to start: reads go on.
      begun.resolve();
      await pause(delayMs, signal);
      delayMs = Math.min(delayMs * 2, RETRY_MS_MAX);
    }
  };

  const running = run();
  return {
    started: begun.promise,
    async stop() {
      stopping.abort();
      await running;
    },
  };
};
