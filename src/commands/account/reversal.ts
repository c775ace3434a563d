import type { SendOutcome } from '../../provider/provider.ts';
import { withTimeout } from '../../shared/timing.ts';

/** How long a reversal waits for the provider's answer; a later one counts as an acceptance. */
const WORD_WITHIN_MS = 2_000;

/**
 * Reverses the charge of a message that the provider accepted, when its caller hangs up before the
 * answer is written. A message that the provider did not accept is given back by its send. Returns a
 * function that resolves when a reversal that has begun is over, or at once when none has.
 */
export const reverseOnHangUp = (
  signal: AbortSignal | undefined,
  outcome: Promise<SendOutcome>,
  reverse: () => Promise<void>,
  wordWithinMs = WORD_WITHIN_MS,
): (() => Promise<void>) => {
  let reversing: Promise<void> | undefined;
  const reverseAccepted = async () => {
    const isAccepted = outcome.then(
      ({ kind }) => kind === 'accepted',
      () => true,
    );
    if (await withTimeout(wordWithinMs, isAccepted, () => true)) await reverse();
  };
  const begin = () => {
    reversing = reverseAccepted();
  };
  signal?.addEventListener('abort', begin, { once: true });
  return async () => reversing;
};
