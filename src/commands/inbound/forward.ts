import { conversationIdIn } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import { interestIn } from '../../events/store.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { Interrupted } from '../../shared/retry.ts';
import { pause } from '../../shared/timing.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue, type KeyedQueue, offerUntilSettled } from '../core/keyed-queue.ts';
import type { Outbound } from '../core/outbound.ts';
import type { Reactor } from '../core/reactor.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import { phoneDecider } from '../numbers/phone.ts';
import {
  conversationDecider,
  type ForwardOutcome,
  openClaim,
  type ReceivedMessage,
} from './conversation.ts';

/** What is forwarded (contract 6). Notices of the provider are no message of a customer's. */
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

/** For the whole attempt, of which there is one (contract 8, row 9). */
const TIMEOUT_MS = 5000;
/**
 * Calls to the URL that an account set for a number, at a time; a slow one holds up its own messages
 * only, and none of the account that has the number next.
 */
const CALLS_PER_NUMBER = 16;
const WAITING_PER_NUMBER = 500;
const WAITING_MAX = 10_000;
/** After an outage: what is older was of interest when it came. */
const AGE_MS_MAX = 24 * 60 * 60_000;
/** A call that was begun so long ago is over, or whoever made it is gone. */
const ABANDONED_MS = 2 * TIMEOUT_MS;
/** Until then whoever makes it may yet say what came of it. */
const LOOK_AGAIN_MS = 250;

type Received = Extract<KnownEvent, { type: 'MessageReceived' }>;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const contactOf = ({ contact, waId }: ReceivedMessage) => {
  if (contact === null) return {};
  const profile = (contact.profile ?? {}) as { name?: unknown };
  const shown = { wa_id: asText(contact.wa_id) || waId, profile: { name: asText(profile.name) } };
  return { contact: shown };
};

/** The body of the call, as contract 6 has it. */
export const forwardPayload = (message: ReceivedMessage, now: number) => ({
  phoneNumberId: message.phoneNumberId,
  from: message.waId,
  type: message.messageType,
  message: message.message,
  ...contactOf(message),
  timestamp: isoTime(now),
});

const threadOf = ({ phoneNumberId, waId, accountId, messageId }: ReceivedMessage) => ({
  phoneNumberId,
  waId,
  accountId,
  messageId,
});

const noAnswer = (outcome: 'left_out' | 'unknown', error: string) => ({
  ...{ outcome, statusCode: null, latencyMs: 0 },
  error,
});
const OVERFLOW = noAnswer('left_out', 'not forwarded: too many messages wait for this URL');
const TOO_OLD = noAnswer('left_out', 'not forwarded: the message is older than a day');
const INTERRUPTED = noAnswer(
  'unknown',
  'the service stopped during the call: nobody knows whether it arrived',
);

/**
 * Forwards each inbound message once: it is claimed in the log before the call is made, so neither
 * a crash nor another instance makes a second one. What comes of it is recorded, and that is all:
 * there is no second attempt. A claim that a dead process left behind is closed as unknown.
 */
export const createForwarder = (deps: {
  writer: Writer;
  outbound: Pick<Outbound, 'request'>;
  clock: Clock;
  onFault: (error: unknown) => void;
}): Reactor => {
  const { writer, outbound, clock, onFault } = deps;
  const stopping = new AbortController();
  const begunAt = clock.now();
  const bounds = {
    runningPerGroup: CALLS_PER_NUMBER,
    jobsPerGroup: WAITING_PER_NUMBER,
    jobs: WAITING_MAX,
  };
  const calls = createKeyedQueue(bounds);
  /** What found no place there: to say so in the log is work too, for which nobody else waits. */
  const left = createKeyedQueue(bounds);

  /** Read from the number's own stream: the URL that was replaced last stops being called at once. */
  const urlOf = async ({ phoneNumberId, accountId }: ReceivedMessage) => {
    const { state } = await writer.load(phoneDecider, phoneNumberId);
    return state.accountId === accountId ? state.webhookUrl : null;
  };

  const execute = (event: Received, command: Parameters<typeof conversationDecider.decide>[0]) => {
    const { accountId } = event.data;
    const id = conversationIdIn(event.stream);
    const context = { requestId: event.meta.requestId, accountId, cause: event.id };
    return retryWhileUnavailable(
      () => writer.execute(conversationDecider, id, command, context),
      stopping.signal,
    );
  };

  /** Makes the call, unless somebody did or is about to. False when this is not the one to call. */
  const forward = async (event: Received, url: string): Promise<boolean> => {
    const message = event.data;
    const thread = threadOf(message);
    const claim = { ...thread, host: new URL(url).host, claimedAt: isoTime(clock.now()) };
    const claimed = await execute(event, { type: 'ClaimForward', claim });
    if (claimed.facts.length === 0) return false;
    const result = await outbound.request({
      url,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(forwardPayload(message, clock.now())),
      timeoutMs: TIMEOUT_MS,
      bytesMax: 0,
    });
    const answered = result.kind === 'answered';
    const outcome: ForwardOutcome = {
      ...thread,
      outcome: answered ? 'answered' : 'failed',
      statusCode: answered ? result.status : null,
      latencyMs: result.latencyMs,
      error: answered ? null : result.reason,
    };
    await execute(event, { type: 'NoteForward', outcome });
    return true;
  };

  /** Closes what was claimed and never brought to an end, once nobody can be at it any more. */
  const closeAbandoned = async (event: Received): Promise<void> => {
    const { messageId } = event.data;
    const id = conversationIdIn(event.stream);
    const { signal } = stopping;
    const looks = Math.ceil(ABANDONED_MS / LOOK_AGAIN_MS);
    for (let look = 0; look < looks; look += 1) {
      const { state } = await retryWhileUnavailable(
        () => writer.load(conversationDecider, id),
        signal,
      );
      const claim = openClaim(state, messageId);
      if (!claim) return;
      const { claimedAt } = claim;
      if (claimedAt === null || clock.now() - Date.parse(claimedAt) >= ABANDONED_MS) break;
      await pause(LOOK_AGAIN_MS, signal);
      if (signal.aborted) throw new Interrupted();
    }
    const outcome = { ...threadOf(event.data), ...INTERRUPTED };
    await execute(event, { type: 'NoteForward', outcome });
  };

  const leave = async (event: Received, why: typeof OVERFLOW): Promise<void> => {
    if ((await urlOf(event.data)) === null) return;
    const outcome = { ...threadOf(event.data), ...why };
    await execute(event, { type: 'LeaveForward', outcome });
  };

  const take = async (event: Received): Promise<void> => {
    const { data, meta } = event;
    if (clock.now() - Date.parse(meta.at) >= AGE_MS_MAX) {
      await retryWhileUnavailable(() => leave(event, TOO_OLD), stopping.signal);
    } else {
      const url = await retryWhileUnavailable(() => urlOf(data), stopping.signal);
      if (url !== null && (await forward(event, url))) return;
      // Without a URL only a process before this one can have claimed it.
      if (url === null && Date.parse(meta.at) > begunAt) return;
    }
    await closeAbandoned(event);
  };

  const hasInterest = (event: KnownEvent): event is Received =>
    event.type === 'MessageReceived' && FORWARDED.has(event.data.messageType);

  const enqueue = (queue: KeyedQueue, { data }: Received, work: () => Promise<void>) => {
    const group = `${data.accountId}.${data.phoneNumberId}`;
    return offerUntilSettled(queue, { group, key: data.messageId, work, onFault });
  };

  return {
    name: 'forwards',
    interest: interestIn(['MessageReceived']),
    async handle(event) {
      if (!hasInterest(event)) return undefined;
      const leaveOut = () => leave(event, OVERFLOW);
      const later =
        enqueue(calls, event, () => take(event)) ??
        enqueue(left, event, () => retryWhileUnavailable(leaveOut, stopping.signal));
      if (!later) await leaveOut();
      return later;
    },
    async drain() {
      stopping.abort();
      await Promise.all([calls.drain(), left.drain()]);
    },
  };
};
