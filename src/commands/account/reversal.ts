import { setTimeout as pause } from 'node:timers/promises';
import type { RefundCause } from '../../events/account.ts';

/** How long a reversal waits for the provider's word; a slower one is taken for a yes. */
export const WORD_WITHIN_MS = 2_000;

export interface Reversal {
  /** The provider is asked from now on. */
  asked(): void;
  /** The provider has answered, or is known not to: whether it took the message. */
  heard(isTaken: boolean): void;
  /** Resolves when a reversal that has begun is over; at once when none has. */
  over(): Promise<void>;
}

/**
 * Gives the charge back when the caller goes away. Before the provider is asked that is a message
 * that was not sent. Afterwards the provider's word tells: what it took is reversed, which counts
 * against the account; what it did not take is given back by whoever heard so. The signal is
 * listened to for as long as the answer may still fail to be written.
 */
export const reverseOnHangUp = (
  signal: AbortSignal | undefined,
  giveBack: (cause: RefundCause) => Promise<void>,
  wordWithinMs: number,
): Reversal => {
  let isAsked = false;
  const word = Promise.withResolvers<boolean>();
  const reverse = async () => {
    if (!isAsked) return giveBack('not_sent');
    const late = pause(wordWithinMs, true, { ref: false });
    if (await Promise.race([word.promise, late])) await giveBack('disconnected');
  };
  let reversing = Promise.resolve();
  const begin = () => {
    reversing = reverse();
  };
  signal?.addEventListener('abort', begin, { once: true });
  return {
    asked() {
      isAsked = true;
    },
    heard: word.resolve,
    over: () => reversing,
  };
};
