import type { KnownEvent } from '../../events/index.ts';
import type { MessageFact } from '../../events/message.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import { retry } from '../../shared/retry.ts';
import { createBacklog } from '../core/backlog.ts';
import { createKeyedQueue } from '../core/keyed-queue.ts';

import type { Reactor } from '../core/reactor.ts';
import { type MessageState, messageDecider } from '../sending/message.ts';
import type { Refunds } from './refunds.ts';
import type { StuckRefunds } from './stuck-refunds.ts';

/** Events that one message's stream can hold: its record and one for each word of delivery. */
const MESSAGE_EVENTS_MAX = 100;
const MESSAGES_PER_ACCOUNT = 8;
const WAITING_PER_ACCOUNT = 1000;
const WAITING_MAX = 20_000;
const RETRY_DELAYS = { minMs: 100, maxMs: 30_000 };

/** An event after which a refund may be due. */
type Failing = Extract<KnownEvent, { type: 'MessageSent' | 'StatusUpdated' }>;

const isFailing = (event: KnownEvent): event is Failing =>
  (event.type === 'MessageSent' && event.revision > 0) ||
  (event.type === 'StatusUpdated' && event.data.status === 'failed');

/**
 * Refunds messages that the provider took and then reported as failed, where the plan they were
 * sent under says so. What was delivered or read before stays charged, and what comes after the
 * failure does not take the refund back. A refund that cannot be given is tried for as long as it
 * takes, in sight; no other account waits for it, and none is told that the service is unwell.
 */
export const createDeliveryRefunds = (deps: {
  store: Pick<EventReader, 'read' | 'readAll'>;
  refunds: Pick<Refunds, 'refund' | 'find'>;
  /** Refunds that fail for a reason of their account's own. */
  stuck: StuckRefunds;
  /** The log could not be read or written; it is tried again. */
  onFailure: (error: unknown) => void;
}): Reactor => {
  const { store, refunds, stuck, onFailure } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const queue = createKeyedQueue({
    runningPerGroup: MESSAGES_PER_ACCOUNT,
    jobsPerGroup: WAITING_PER_ACCOUNT,
    jobs: WAITING_MAX,
    onFault: onFailure,
  });
  /** Why the log does not take a refund, by the event that asks for it. */
  const failures = new Map<string, string>();

  const noteFailure = ({ id, data: { accountId, chargeId } }: Failing, error: unknown) => {
    if (!(error instanceof StoreUnavailable)) {
      failures.delete(id);
      stuck.failed(accountId, chargeId ?? id, error);
      return;
    }
    if (!failures.has(id)) onFailure(error);
    failures.set(id, error.message);
  };

  const noteEnd = ({ id, data: { chargeId } }: Failing) => {
    failures.delete(id);
    stuck.settled(chargeId ?? id);
  };

  const refund = async (event: Failing): Promise<void> => {
    const state = await stateAt(store, event.stream, event.revision);
    if (!state.sent || !state.failed || !state.sent.price.refundOnFailure) return;
    const { accountId, chargeId, chargeAmount, chargeRevision, price, intent, reservedAt } =
      state.sent;
    const charged = await refunds.find(chargeId);
    const reservation = {
      chargeId,
      amount: chargeAmount,
      reason: charged?.data.reason ?? intent.event ?? '',
      price,
      reservedAt,
      unrefundedAt: chargeRevision,
    };
    await refunds.refund(accountId, reservation, 'delivery_failed', {
      requestId: event.meta.requestId,
      accountId,
      cause: event.id,
    });
  };

  const refundInTheEnd = (event: Failing): Promise<void> => {
    const onFailure = (error: unknown) => noteFailure(event, error);
    const refunding = retry(() => refund(event), { delays: RETRY_DELAYS, signal, onFailure });
    return refunding.finally(() => noteEnd(event));
  };

  const backlog = createBacklog({
    store,
    groupOf: (event) => (isFailing(event) ? event.data.accountId : undefined),
    offer(event) {
      const failing = event as Failing;
      const group = failing.data.accountId;
      return queue.offer({ group, key: event.stream, work: () => refundInTheEnd(failing) });
    },
    onChange: () => undefined,
    onFault: onFailure,
    signal,
  });

  return {
    name: 'delivery-refunds',
    // A record that comes first is followed by any failure; only a late one has to be looked at.
    interest: new Map([
      ['MessageSent', 1],
      ['StatusUpdated', 0],
    ]),
    handle: backlog.takeInTurn,
    failing: () => failures.values().next().value ?? null,
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
