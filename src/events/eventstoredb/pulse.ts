import { StoreUnavailable } from '../store.ts';
import type { Connection } from './connection.ts';
import { probe } from './read.ts';

/** Nothing was heard of the log for as long as it is waited for. */
export class Silence extends StoreUnavailable {}

/**
 * Tells a log that is slow from one that is gone. Whoever waits for it goes on waiting for as long
 * as anything at all is heard of it, and is told soon when it is not.
 */
export interface Pulse {
  /**
   * Does the work, or throws Silence when nothing was heard for so long while it was waited for.
   * The signal fires then: what the work has sent may still arrive, and it must send no more.
   */
  whileHeard<T>(work: (given: AbortSignal) => Promise<T>): Promise<T>;
}

interface Waiting {
  giveUp: (silence: Silence) => void;
}

export const createPulse = (connection: Connection, silenceMs: number): Pulse => {
  const waiting = new Set<Waiting>();
  const tickMs = silenceMs / 25;
  const askAfterMs = silenceMs / 6;
  // A sign that is later than this makes a new connection: two are tried before it is silence.
  const signMs = silenceMs * 0.4;
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;
  let silentMs = 0;
  let tickedAt = 0;

  const ask = async () => {
    isProbing = true;
    await probe(connection, signMs).catch(() => undefined);
    isProbing = false;
  };

  const tick = () => {
    const now = performance.now();
    // A process that was held up has not listened meanwhile.
    silentMs += Math.min(now - tickedAt, 2 * tickMs);
    if (connection.heardAt() >= tickedAt) silentMs = 0;
    tickedAt = now;
    if (silentMs >= askAfterMs && !isProbing) void ask();
    if (silentMs < silenceMs) return;
    silentMs = 0;
    for (const { giveUp } of waiting) {
      giveUp(new Silence(`nothing was heard of the event log for ${silenceMs} ms`));
    }
  };

  const enter = (one: Waiting) => {
    waiting.add(one);
    if (timer) return;
    silentMs = 0;
    tickedAt = performance.now();
    timer = setInterval(tick, tickMs);
    timer.unref();
  };

  const leave = (one: Waiting) => {
    waiting.delete(one);
    if (waiting.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    async whileHeard(work) {
      const { promise: silence, reject } = Promise.withResolvers<never>();
      const given = new AbortController();
      const one: Waiting = {
        giveUp(error) {
          given.abort(error);
          reject(error);
        },
      };
      enter(one);
      try {
        return await Promise.race([work(given.signal), silence]);
      } finally {
        leave(one);
      }
    },
  };
};
