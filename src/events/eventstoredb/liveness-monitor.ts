import { StoreUnavailable } from '../store.ts';
import type { Connection } from './connection.ts';
import { probe } from './read.ts';

/** The event log sent nothing for as long as a caller waits. */
export class Silence extends StoreUnavailable {}

/**
 * Distinguishes a slow log from an unreachable one: a call waits as long as the connection receives
 * anything, and fails soon after it receives nothing.
 */
export interface LivenessMonitor {
  /**
   * Does the work, or throws Silence after `silenceMs` without any data from the server. The signal
   * fires then: requests already sent may still arrive, and the work must send no more.
   */
  whileHeard<T>(work: (given: AbortSignal) => Promise<T>): Promise<T>;
}

interface Waiting {
  giveUp: (silence: Silence) => void;
}

export const createLivenessMonitor = (
  connection: Connection,
  silenceMs: number,
): LivenessMonitor => {
  const waiting = new Set<Waiting>();
  const tickMs = silenceMs / 25;
  const askAfterMs = silenceMs / 6;
  // A probe that takes longer makes a new connection: two probes fit before the silence.
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
    // A blocked process received nothing meanwhile, so a long tick counts as two.
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
