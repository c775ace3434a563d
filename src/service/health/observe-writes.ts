import { refundWordOf } from '../../events/account.ts';
import type { EventStore, NewEvent } from '../../events/store.ts';
import type { Metrics } from '../../http/ops/metrics.ts';
import type { SendOutcome } from '../../provider/provider.ts';

// The metrics of what this process writes and sends.

type Seconds = (seconds: number) => void;

const outcomes = (...all: string[]) => all.map((outcome) => ({ outcome }));

/** Counts what this process appends to the log. */
export const observeAppends = (metrics: Metrics) => {
  const charges = metrics.counter('waybill_charges_total', 'Charges that were reserved', []);
  const refunds = metrics.counter(
    'waybill_refunds_total',
    'Charges that were given back, by cause',
    ['cause'],
  );
  const received = metrics.counter(
    'waybill_messages_received_total',
    'Messages of customers that were taken in',
    [],
  );
  const forwards = metrics.counter(
    'waybill_forwards_total',
    'Messages of customers that were forwarded: `answered`, `failed`, `left_out` or `unknown`',
    ['outcome'],
    outcomes('answered', 'failed', 'left_out', 'unknown'),
  );
  const webhooks = metrics.counter(
    'waybill_webhook_attempts_total',
    'Calls of webhooks: `delivered`, `retry` or `failed` (no call is left)',
    ['outcome'],
    outcomes('delivered', 'retry', 'failed'),
  );
  const started = metrics.counter('waybill_bot_runs_started_total', 'Runs of bots that began', []);
  const ended = metrics.counter(
    'waybill_bot_runs_ended_total',
    'Runs of bots that ended, by reason',
    ['reason'],
  );
  const failures = metrics.counter(
    'waybill_log_append_failures_total',
    'Appends that failed: `conflict` (another process was first, and the command is decided again) or `failed` (the log refused)',
    ['reason'],
    [{ reason: 'conflict' }, { reason: 'failed' }],
  );
  // biome-ignore lint/suspicious/noExplicitAny: each entry knows the data of its event
  const counts: Record<string, (data: any) => void> = {
    ChargeReserved: () => charges(),
    ChargeRefunded: ({ cause }) => refunds({ cause: refundWordOf(cause) }),
    MessageReceived: () => received(),
    MessageForwarded: ({ outcome }) => forwards({ outcome }),
    WebhookAttempted: ({ outcome }) => webhooks({ outcome }),
    BotRunStarted: () => started(),
    BotRunEnded: ({ reason }) => ended({ reason }),
  };
  return {
    count: ({ type, data }: NewEvent): void => counts[type]?.(data),
    onTime: metrics.histogram(
      'waybill_log_append_seconds',
      'Time of an append to the log',
    ) as Seconds,
    onFailure: (reason: string): void => failures({ reason }),
  };
};

/** Shows the time of reads of one stream. */
export const observeReads = (log: EventStore, metrics: Metrics): EventStore => {
  const onTime = metrics.histogram(
    'waybill_log_read_seconds',
    'Time of a read of one stream of the log',
  );
  return {
    ...log,
    async read(stream, options) {
      const startedAt = performance.now();
      const events = await log.read(stream, options);
      onTime((performance.now() - startedAt) / 1000);
      return events;
    },
  };
};

/** Codes of the provider that the counter names; further ones count as `other`. */
const CODES_MAX = 100;

/** Counts the provider's answers to sends. */
export const observeSends = (metrics: Metrics) => {
  const sends = metrics.counter(
    'waybill_sends_total',
    'Messages given to the provider: `accepted`, `refused` with its code, `unreachable` or `unknown` (no answer in time)',
    ['outcome', 'code'],
    outcomes('accepted', 'refused', 'unreachable', 'unknown').map((one) => ({ ...one, code: '' })),
  );
  const took = metrics.histogram(
    'waybill_provider_send_seconds',
    "Time of a send at the provider, with the wait for the number's rate and retries",
  );
  const codes = new Set<number>();
  const codeOf = (outcome: SendOutcome): string => {
    if (outcome.kind !== 'refused' || outcome.refusal.code === null) return '';
    const { code } = outcome.refusal;
    if (codes.size < CODES_MAX) codes.add(code);
    return codes.has(code) ? String(code) : 'other';
  };
  return (outcome: SendOutcome, seconds: number): void => {
    sends({ outcome: outcome.kind, code: codeOf(outcome) });
    took(seconds);
  };
};
