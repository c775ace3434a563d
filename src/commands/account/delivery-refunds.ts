import type { KnownEvent } from '../../events/index.ts';
import type { MessageFact } from '../../events/message.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import { retry } from '../../shared/retry.ts';
import { createBacklog } from '../core/backlog.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';
import { type Reactor, toEach } from '../core/reactor.ts';
import { type MessageState, messageDecider } from '../sending/message.ts';
import { type Refunds, reservationOf } from './refunds.ts';
import type { StuckRefunds } from './stuck-refunds.ts';

/** Events that the stream of one message can hold: its record and its statuses. */
const MESSAGE_EVENTS_MAX = 100;
/** The groups are accounts, the keys messages. */
const LIMITS = { runningPerGroup: 8, jobsPerGroup: 1000, jobs: 20_000 };
const RETRY_DELAYS = { minMs: 100, maxMs: 30_000 };

/** An event after which a refund may be due. */
type Failing = Extract<KnownEvent, { type: 'MessageSent' | 'StatusUpdated' }>;

const isFailing = (event: KnownEvent): event is Failing =>
  (event.type === 'MessageSent' && event.revision > 0) ||
  (event.type === 'StatusUpdated' && event.data.status === 'failed');

/** Reports refunds that fail, each until it ends. */
const createFailures = (stuck: StuckRefunds, onFailure: (error: unknown) => void) => {
  /** Why the log does not take a refund, by the event that asks for it. */
  const unavailable = new Map<string, string>();
  return {
    failed({ id, data: { accountId } }: Failing, chargeId: string, error: unknown): void {
      if (error instanceof StoreUnavailable) {
        if (!unavailable.has(id)) onFailure(error);
        unavailable.set(id, error.message);
      } else {
        unavailable.delete(id);
        stuck.failed(accountId, chargeId, error);
      }
    },
    ended({ id }: Failing, chargeId: string): void {
      unavailable.delete(id);
      stuck.settled(id);
      stuck.settled(chargeId);
    },
    first: () => unavailable.values().next().value ?? null,
  };
};

interface DeliveryRefundDeps {
  store: Pick<EventReader, 'read' | 'readAll'>;
  refunds: Pick<Refunds, 'refund' | 'find'>;
  /** Refunds that fail for a reason of their account's own. */
  stuck: StuckRefunds;
  /** The log could not be read or written; the work is tried again. */
  onFailure: (error: unknown) => void;
}

/** Refunds the message of the event, if its delivery failed and its plan says so. */
const refundFailed = async (
  { store, refunds }: DeliveryRefundDeps,
  event: Failing,
  onCharge: (chargeId: string) => void,
): Promise<void> => {
  const { sent, failed } = await stateAt(store, event.stream, event.revision);
  if (!sent || !failed) return;
  const { accountId, chargeId } = sent;
  onCharge(chargeId);
  const charge = await refunds.find(chargeId);
  if (!charge) throw new Error(`${chargeId}, which paid for ${sent.messageRef}, is not in the log`);
  if (!charge.data.price.refundOnFailure) return;
  const context = { requestId: event.meta.requestId, accountId, cause: event.id };
  await refunds.refund(accountId, reservationOf(charge), 'delivery_failed', context);
};

/**
 * Refunds messages that the provider accepted and later reported as failed, where the plan they were
 * sent under says so. A message that was delivered or read before stays charged; a delivery after the
 * failure does not take the refund back. A refund that fails is retried without end, in sight, while
 * other accounts and the readiness of the service are unaffected.
 */
export const createDeliveryRefunds = (deps: DeliveryRefundDeps): Reactor => {
  const { store, stuck, onFailure } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queue = createKeyedQueue({ ...LIMITS, onFault: onFailure });
  const failures = createFailures(stuck, onFailure);

  const refundInTheEnd = (event: Failing): Promise<void> => {
    // The status of a recorded message does not name its charge: the record does.
    let chargeId = event.id;
    const onCharge = (found: string) => {
      chargeId = found;
    };
    return retry(() => refundFailed(deps, event, onCharge), {
      delays: RETRY_DELAYS,
      signal,
      onFailure: (error) => failures.failed(event, chargeId, error),
    }).finally(() => failures.ended(event, chargeId));
  };

  const offer = (event: Failing) =>
    queue.offer({
      group: event.data.accountId,
      key: event.stream,
      work: () => refundInTheEnd(event),
    });

  const backlog = createBacklog({
    store,
    groupOf: (event) => (isFailing(event) ? event.data.accountId : undefined),
    offer: (event) => offer(event as Failing),
    onChange: () => undefined,
    onFault: onFailure,
    signal,
  });

  return {
    name: 'delivery-refunds',
    on: toEach(['MessageSent', 'StatusUpdated'], backlog.takeInTurn),
    // A failure can only precede a record that is not the first event of its stream.
    from: { MessageSent: 1 },
    failing: failures.first,
    async drain() {
      stopping.abort();
      await Promise.all([queue.drain(), backlog.drain()]);
    },
  };
};

const stateAt = async (store: Pick<EventReader, 'read'>, stream: string, revision: number) => {
  const events = await store.read(stream, { limit: MESSAGE_EVENTS_MAX });
  let state: MessageState = messageDecider.initial;
  for (const event of events) {
    if (event.revision > revision) break;
    state = messageDecider.evolve(state, event as unknown as MessageFact);
  }
  return state;
};
