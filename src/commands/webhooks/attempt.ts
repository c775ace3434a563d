import { Webhook } from 'standardwebhooks';
import { StoreUnavailable } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import { type WebhookAnswer, WebhookAttempted } from '../../events/webhook.ts';
import { signatureOf } from '../../provider/webhook/webhook.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { Interrupted } from '../../shared/retry.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { pause } from '../../shared/timing.ts';
import { inTrace } from '../../shared/trace-context.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { Writer } from '../core/execute.ts';
import type { Outbound, OutboundOutcome } from '../core/outbound.ts';
import { retryWhileUnavailable } from '../core/retry-while-unavailable.ts';
import {
  type Begun,
  type CallResult,
  type EndpointCommand,
  type EndpointState,
  endpointDecider,
  isNowhere,
} from './endpoint.ts';
import { type BodyOf, contextOf, type Delivery } from './ports.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses before the second and each further call of a delivery. */
const RETRY_STEPS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
];
/** A pause takes up to this share longer, so that endpoints are not called in step. */
const JITTER = 0.1;
const RETRY_AFTER_MS_MAX = 24 * HOUR;

/** How long an answer asks to wait, in ms: seconds, or a date. Undefined where it is neither. */
const readRetryAfter = (text: string | undefined, now: number): number | undefined => {
  if (text === undefined) return undefined;
  const ms = /^\d+$/.test(text.trim()) ? Number(text) * SECOND : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(ms, RETRY_AFTER_MS_MAX);
};

/**
 * When a delivery is called again after `attempts` calls, in ms since 1970; null where no call is left.
 * A longer wait that the answer asks for is kept to, up to 24 h; a shorter one is not.
 */
export const retryTime = (
  attempts: number,
  { now, random, retryAfter }: { now: number; random: number; retryAfter?: string | undefined },
): number | null => {
  const step = RETRY_STEPS_MS[attempts - 1];
  if (step === undefined) return null;
  const jittered = Math.round(step * (1 + random * JITTER));
  return now + Math.max(jittered, readRetryAfter(retryAfter, now) ?? 0);
};

/** Time limit of one call. */
const CALL_TIMEOUT_MS = 10_000;
/** At a stop, calls may take so long to end; others are made again after the next start. */
const LAST_CALLS_MS = 1000;

/** What of an answer is kept: so much of its body, and of its head. */
const ANSWER_BYTES_MAX = 2048;
/** For how long a body is read once its head is there: a later one says nothing. */
const ANSWER_BODY_MS = 1000;

/** The context under which the secret of an endpoint is sealed. */
export const secretContext = (endpointId: string): string => `webhook ${endpointId}`;

export interface AttemptDeps {
  writer: Pick<Writer, 'load' | 'execute'>;
  bodyOf: BodyOf;
  secrets: Pick<Secrets, 'open'>;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  outbound: Pick<Outbound, 'request'>;
  clock: Clock;
  /** From 0 to below 1. */
  random: () => number;
  /** False while another process may deliver the same: nothing is called meanwhile. */
  isCurrent?: () => boolean;
  timeoutMs?: number | undefined;
}

/** What an attempt came to: when the next call is due, else nothing more to do. */
export interface Attempted {
  begun: Begun;
  /** In ms since 1970; null once the delivery is settled. */
  nextAt: number | null;
}

/** One signature for each secret that is valid now. */
const signaturesOf = (
  { secrets }: Pick<AttemptDeps, 'secrets'>,
  endpointId: string,
  state: EndpointState,
  signed: { id: string; now: number; body: string },
): string => {
  const valid = state.secrets.filter(
    ({ until }) => until === null || Date.parse(until) > signed.now,
  );
  return valid
    .map(({ sealed }) =>
      new Webhook(secrets.open(sealed, secretContext(endpointId))).sign(
        signed.id,
        new Date(signed.now),
        signed.body,
      ),
    )
    .join(' ');
};

/** The provider's signature knows one secret: the newest, as it was shown. */
const graphSignatureOf = (
  { secrets }: Pick<AttemptDeps, 'secrets'>,
  endpointId: string,
  state: EndpointState,
  body: string,
): string =>
  signatureOf(Buffer.from(body), secrets.open(state.secrets[0]!.sealed, secretContext(endpointId)));

const resultOf = (outcome: OutboundOutcome): CallResult =>
  outcome.kind === 'answered'
    ? { statusCode: outcome.status, latencyMs: outcome.latencyMs, error: null }
    : { statusCode: null, latencyMs: outcome.latencyMs, error: outcome.reason };

/** Rejects with Interrupted a while after the stop, unless the call is over by then. */
const interruptedBy = (stop: AbortSignal, over: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const interrupt = () => void pause(LAST_CALLS_MS, over).then(() => reject(new Interrupted()));
    if (stop.aborted) interrupt();
    else stop.addEventListener('abort', interrupt, { once: true, signal: over });
  });

/** Makes the call. Throws Interrupted where it takes longer than a stop. */
const call = async (
  deps: AttemptDeps,
  { endpointId, source }: Delivery,
  state: EndpointState,
  made: { body: string; signal: AbortSignal },
): Promise<OutboundOutcome> => {
  const { outbound, clock, timeoutMs = CALL_TIMEOUT_MS } = deps;
  const { body, signal } = made;
  const now = clock.now();
  const calling = outbound.request({
    url: state.url,
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(state.graph
        ? { 'x-hub-signature-256': graphSignatureOf(deps, endpointId, state, body) }
        : {
            'webhook-id': source.eventId,
            'webhook-timestamp': String(Math.floor(now / 1000)),
            'webhook-signature': signaturesOf(deps, endpointId, state, {
              id: source.eventId,
              now,
              body,
            }),
          }),
    },
    body,
    timeoutMs,
    bytesMax: ANSWER_BYTES_MAX,
    bodyMs: ANSWER_BODY_MS,
  });
  const over = new AbortController();
  try {
    return await Promise.race([calling, interruptedBy(signal, over.signal)]);
  } finally {
    over.abort();
  }
};

/** What the log records of an attempt. */
const recordOf = (
  { clock, random }: AttemptDeps,
  { endpointId, accountId, source, begun }: Delivery,
  outcome: OutboundOutcome,
  url: string,
) => {
  const now = clock.now();
  const retryAfter = outcome.kind === 'answered' ? outcome.retryAfter : undefined;
  const attempts = (begun?.attempts ?? 0) + 1;
  const nextAt = isNowhere(url) ? null : retryTime(attempts, { now, random: random(), retryAfter });
  return {
    type: 'Record' as const,
    endpointId,
    accountId,
    source,
    begun,
    result: resultOf(outcome),
    at: isoTime(now),
    retryAt: nextAt === null ? null : isoTime(nextAt),
  };
};

/** Undefined where nothing was answered but a status. */
const answerIn = (outcome: OutboundOutcome): WebhookAnswer | undefined => {
  if (outcome.kind !== 'answered') return undefined;
  const { head = '', body } = outcome;
  return head === '' && body === '' ? undefined : { head, body };
};

/**
 * Whose key seals an answer, which may repeat the request: the contact of the message, else a subject
 * of the endpoint, whose months go with those of the account. Undefined for an erased contact, and for a
 * scheduled send, whose contact is not at hand here.
 */
const subjectOfAnswer = (
  { subjects }: Pick<AttemptDeps, 'subjects'>,
  { endpointId, accountId, source: { topic, orderKey } }: Delivery,
) => {
  if (topic === 'scheduled.refused') return undefined;
  if (topic.startsWith('message.')) return subjectOf(subjects, accountId, orderKey);
  return subjects.of(accountId, endpointId);
};

/** The delivery could not be made for a reason of the service's own; a later attempt may do. */
const ownFault = (): OutboundOutcome => ({
  kind: 'failed' as const,
  latencyMs: 0,
  reason: 'the service could not make the call',
});

/**
 * Calls an endpoint once and records what came of it. The body is built out of the log each time, so no
 * queue holds anything personal. A crash between call and record leads to another call with the same
 * `webhook-id`. Undefined where nothing was called: the endpoint is gone or disabled, or there is
 * nothing to tell.
 */
export const createAttempt = (
  deps: AttemptDeps & { onFault: (error: unknown) => void },
  signal: AbortSignal,
) => {
  const { writer, bodyOf, onFault, isCurrent = () => true } = deps;
  const available = <T>(work: () => Promise<T>) => retryWhileUnavailable(work, signal);

  /** Null where there is nothing to tell. */
  const deliver = async (delivery: Delivery, state: EndpointState) => {
    try {
      const made = await available(async () => {
        if (!isCurrent()) throw new StoreUnavailable('the leases are not renewed');
        return bodyOf(delivery.accountId, delivery.source, state.graph ? 'graph' : 'standard');
      });
      if (!made) return null;
      const sent = { body: JSON.stringify(made.body), signal };
      return await inTrace(made.traceparent, () => call(deps, delivery, state, sent));
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      onFault(error);
      return ownFault();
    }
  };

  return async (delivery: Delivery): Promise<Attempted | undefined> => {
    const { endpointId, accountId, begun } = delivery;
    const { state } = await available(() =>
      writer.load(endpointDecider, inAccount(accountId, endpointId)),
    );
    if (state.accountId !== accountId || state.disabledReason !== null) return undefined;
    const outcome = await deliver(delivery, state);
    if (outcome === null && !begun) return undefined;
    const answer = outcome && answerIn(outcome);
    const subject = answer && (await available(async () => subjectOfAnswer(deps, delivery)));
    const command: EndpointCommand = outcome
      ? {
          ...recordOf(deps, delivery, outcome, state.url),
          ...(subject && { answer, contactRef: subject.ref }),
        }
      : { type: 'Drop', endpointId, accountId, numbers: [begun!.number] };
    const context = { ...contextOf(delivery), subjects: subject ? [subject] : [] };
    const { facts, revision } = await available(() =>
      writer.execute(endpointDecider, inAccount(accountId, endpointId), command, context),
    );
    const fact = facts.find(({ type }) => type === WebhookAttempted.type);
    if (fact?.type !== 'WebhookAttempted') return undefined;
    const { number, begunAt, attempt, nextAt } = fact.data;
    const next = nextAt === null ? null : Date.parse(nextAt);
    const lastCall = revision - (facts.length - 1);
    return { begun: { number, begunAt, attempts: attempt, lastCall }, nextAt: next };
  };
};
