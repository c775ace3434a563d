import type { KnownEvent } from '../../events/index.ts';
import { interestIn } from '../../events/store.ts';
import { pauseOrStop } from '../../shared/retry.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Reactor } from '../core/reactor-following.ts';
import { createForwarding, type ForwardingDeps, type Received } from './forwarding.ts';

/** Types of messages that are forwarded (contract 6). Notices of the provider are not. */
export const forwardedTypes = [
  'text',
  'interactive',
  'button',
  'image',
  'video',
  'audio',
  'document',
  'location',
  'contacts',
  'sticker',
  'reaction',
  'order',
] as const;
const FORWARDED: ReadonlySet<string> = new Set(forwardedTypes);

/**
 * Calls at a time to the URL that an account set for a number. A slow URL delays its own messages
 * only, and none of the next account that holds the number.
 */
const CALLS_PER_NUMBER = 16;
const WAITING_PER_NUMBER = 500;
const WAITING_MAX = 10_000;
/** Pause before another attempt to queue a message for which there was no room at all. */
const FULL_PAUSE_MS = 50;

const hasInterest = (event: KnownEvent): event is Received =>
  event.type === 'MessageReceived' && FORWARDED.has(event.data.messageType);

/** Forwards each inbound message to its account's URL, once. */
export const createForwarder = (
  deps: ForwardingDeps & { onFault: (error: unknown) => void },
): Reactor => {
  const stopping = new AbortController();
  const { take, leaveOut, begin } = createForwarding(deps, stopping.signal);
  const limits = {
    runningPerGroup: CALLS_PER_NUMBER,
    jobsPerGroup: WAITING_PER_NUMBER,
    jobs: WAITING_MAX,
    onFault: deps.onFault,
  };
  const calls = createKeyedQueue(limits);
  /** Records which messages had no room in `calls`. */
  const overflow = createKeyedQueue(limits);

  return {
    name: 'forwards',
    interest: interestIn(['MessageReceived']),
    async prepare() {
      begin();
    },
    async handle(event, stopped) {
      if (!hasInterest(event)) return undefined;
      const { accountId, phoneNumberId, messageRef: key } = event.data;
      const group = `${accountId}.${phoneNumberId}`;
      for (;;) {
        const queued =
          calls.offer({ group, key, work: () => take(event) }) ??
          overflow.offer({ group, key, work: () => leaveOut(event) });
        if (queued) return queued;
        await pauseOrStop(FULL_PAUSE_MS, stopped);
      }
    },
    async drain() {
      stopping.abort();
      await Promise.all([calls.drain(), overflow.drain()]);
    },
  };
};
