import { idsOf } from '../../events/contact.ts';
import { conversationIdIn, shownMessage } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { pauseOrStop } from '../../shared/retry.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { Writer } from '../core/execute.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import type { Outbound } from '../core/outbound.ts';
import type { Reactor } from '../core/reactor.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import { phoneDecider } from '../numbers/phone.ts';
import {
  type ConversationCommand,
  conversationDecider,
  type ForwardOutcome,
  openForward,
  type ReceivedMessage,
} from './conversation.ts';

/** Time limit of the one attempt (contract 8, row 9). */
const TIMEOUT_MS = 5000;
/** No older message is forwarded, for example after an outage. */
const AGE_MS_MAX = 24 * 60 * 60_000;
/** A call that began so long ago is over, or its process has died. */
const ABANDONED_MS = 2 * TIMEOUT_MS;
/** Pause before the next check whether the call of another process has an outcome. */
const LOOK_AGAIN_MS = 250;

export type Received = Extract<KnownEvent, { type: 'MessageReceived' }>;

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

const contactOf = ({ contact, waId, userId }: ReceivedMessage) => {
  if (contact === null) return {};
  const profile = (contact.profile ?? {}) as { name?: unknown };
  const shown = {
    wa_id: asText(contact.wa_id) || idsOf(waId, userId).waId,
    ...(userId !== null && { user_id: userId }),
    profile: { name: asText(profile.name) },
  };
  return { contact: shown };
};

/** The body of the call, as contract 6 has it, and the user id beside the number. */
export const forwardPayload = (message: ReceivedMessage, now: number) => ({
  phoneNumberId: message.phoneNumberId,
  from: idsOf(message.waId, message.userId).waId,
  ...(message.userId !== null && { contactUserId: message.userId }),
  type: message.messageType,
  message: shownMessage(message.message),
  ...contactOf(message),
  timestamp: isoTime(now),
});

const threadOf = ({ phoneNumberId, contactRef, accountId, messageRef }: ReceivedMessage) => ({
  phoneNumberId,
  contactRef,
  accountId,
  messageRef,
});

type Outcome = Pick<ForwardOutcome, 'outcome' | 'statusCode' | 'latencyMs' | 'error'>;

const noAnswer = (outcome: 'left_out' | 'unknown', error: string): Outcome => {
  return { outcome, statusCode: null, latencyMs: 0, error };
};
const OVERFLOW = noAnswer('left_out', 'not forwarded: too many messages wait for this URL');
const TOO_OLD = noAnswer('left_out', 'not forwarded: the message is older than a day');
const ERASED = noAnswer('left_out', "not forwarded: the customer's data was erased");
const INTERRUPTED = noAnswer(
  'unknown',
  'the service stopped during the call: nobody knows whether it arrived',
);

interface ForwardingDeps {
  writer: Writer;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  outbound: Pick<Outbound, 'request'>;
  clock: Clock;
}

const callUrl = async (
  { outbound, clock }: ForwardingDeps,
  url: string,
  message: ReceivedMessage,
): Promise<Outcome> => {
  const result = await outbound.request({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(forwardPayload(message, clock.now())),
    timeoutMs: TIMEOUT_MS,
    bytesMax: 0,
  });
  const { latencyMs } = result;
  return result.kind === 'answered'
    ? { outcome: 'answered', statusCode: result.status, latencyMs, error: null }
    : { outcome: 'failed', statusCode: null, latencyMs, error: result.reason };
};

/** Why the message is not to be forwarded; null where it is. */
const obstacleOf = async (
  { clock, subjects }: ForwardingDeps,
  { data, meta }: Received,
): Promise<Outcome | null> => {
  if (clock.now() - Date.parse(meta.at) >= AGE_MS_MAX) return TOO_OLD;
  if (data.message === null) return ERASED;
  return (await subjectOf(subjects, data.accountId, data.contactRef)) ? null : ERASED;
};

/**
 * Forwards a message once: the claim is in the log before the call, so neither a crash nor another
 * instance makes a second call. The outcome is recorded; there is no second attempt. Each step
 * retries while the log is unavailable, and throws Interrupted when the signal fires.
 */
const createForwarding = (deps: ForwardingDeps, signal: AbortSignal) => {
  const { writer, clock } = deps;
  let begunAt = clock.now();
  const available = <T>(work: () => Promise<T>) => retryWhileUnavailable(work, signal);

  /** Read from the number's own stream, so that a replaced URL gets no further call. */
  const urlOf = async ({ phoneNumberId, accountId }: ReceivedMessage) => {
    const { state } = await available(() => writer.load(phoneDecider, phoneNumberId));
    return state.accountId === accountId ? state.webhookUrl : null;
  };

  const execute = ({ data, meta, id, stream }: Received, command: ConversationCommand) => {
    const context = { requestId: meta.requestId, accountId: data.accountId, cause: id };
    const conversationId = conversationIdIn(stream);
    return available(() => writer.execute(conversationDecider, conversationId, command, context));
  };

  const record = (event: Received, type: 'NoteForward' | 'LeaveForward', outcome: Outcome) =>
    execute(event, { type, outcome: { ...threadOf(event.data), ...outcome } });

  /** Makes the call, unless another process has made it or is about to: then the result is false. */
  const forward = async (event: Received, url: string): Promise<boolean> => {
    const { host } = new URL(url);
    const forward = { ...threadOf(event.data), host, claimedAt: isoTime(clock.now()) };
    const claimed = await execute(event, { type: 'ClaimForward', forward });
    if (claimed.facts.length === 0) return false;
    await record(event, 'NoteForward', await callUrl(deps, url, event.data));
    return true;
  };

  /** Records an unknown outcome for a claim without one, once its process must have died. */
  const closeAbandoned = async (event: Received): Promise<void> => {
    for (let waitedMs = 0; waitedMs < ABANDONED_MS; waitedMs += LOOK_AGAIN_MS) {
      const id = conversationIdIn(event.stream);
      const { state } = await available(() => writer.load(conversationDecider, id));
      const forward = openForward(state, event.data.messageRef);
      if (!forward) return;
      const { claimedAt } = forward;
      if (claimedAt === null || clock.now() - Date.parse(claimedAt) >= ABANDONED_MS) break;
      await pauseOrStop(LOOK_AGAIN_MS, signal);
    }
    await record(event, 'NoteForward', INTERRUPTED);
  };

  const leave = async (event: Received, why: Outcome): Promise<void> => {
    if ((await urlOf(event.data)) !== null) await record(event, 'LeaveForward', why);
  };

  return {
    /** This process forwards for further accounts from now on. */
    begin(): void {
      begunAt = clock.now();
    },
    /** Forwards the message, or records why not. */
    async take(event: Received): Promise<void> {
      const writtenAt = Date.parse(event.meta.at);
      const why = await available(() => obstacleOf(deps, event));
      if (why) await leave(event, why);
      else {
        const url = await urlOf(event.data);
        if (url !== null && (await forward(event, url))) return;
        // Without a URL only a process before this one can have claimed it.
        if (url === null && writtenAt > begunAt) return;
      }
      await closeAbandoned(event);
    },
    /** Records that the message is not forwarded because too many wait. */
    leaveOut: (event: Received): Promise<void> => leave(event, OVERFLOW),
  };
};

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
    async prepare() {
      begin();
    },
    on: {
      async MessageReceived(event, { signal }) {
        const { accountId, phoneNumberId, messageRef: key, messageType } = event.data;
        if (!FORWARDED.has(messageType)) return undefined;
        const group = `${accountId}.${phoneNumberId}`;
        for (;;) {
          const queued =
            calls.offer({ group, key, work: () => take(event) }) ??
            overflow.offer({ group, key, work: () => leaveOut(event) });
          if (queued) return queued;
          await pauseOrStop(FULL_PAUSE_MS, signal);
        }
      },
    },
    async drain() {
      stopping.abort();
      await Promise.all([calls.drain(), overflow.drain()]);
    },
  };
};
