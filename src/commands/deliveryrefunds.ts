import type { MessageFact } from '../events/message.ts';
import type { EventStore } from '../events/store.ts';
import { type MessageState, messageDecider } from './message.ts';
import type { Reactor } from './reactor.ts';
import type { Refunds } from './refunds.ts';

/** Events that one message's stream can hold: its record and one for each word of delivery. */
const MESSAGE_EVENTS_MAX = 100;

/**
 * Refunds messages that the provider took and then reported as failed, where the plan they were
 * sent under says so. What was delivered or read before stays charged, and what comes after the
 * failure does not take the refund back.
 */
export const createDeliveryRefunds = (deps: { store: EventStore; refunds: Refunds }): Reactor => ({
  name: 'delivery-refunds',
  // A record that comes first is followed by any failure; only a late one has to be looked at.
  interest: new Map([
    ['MessageSent', 1],
    ['StatusUpdated', 0],
  ]),
  async handle(event): Promise<undefined> {
    const late = event.type === 'MessageSent' && event.revision > 0;
    const failure = event.type === 'StatusUpdated' && event.data.status === 'failed';
    if (!late && !failure) return;
    const state = await stateAt(deps.store, event.stream, event.revision);
    if (!state.sent || !state.failed || !state.sent.price.refundOnFailure) return;
    const { accountId, chargeId, chargeAmount, chargeRevision, price, intent, reservedAt } =
      state.sent;
    const charged = await deps.refunds.find(chargeId);
    const reservation = {
      chargeId,
      amount: chargeAmount,
      reason: charged?.data.reason ?? intent.event ?? '',
      price,
      reservedAt,
      unrefundedAt: chargeRevision,
    };
    await deps.refunds.refund(accountId, reservation, 'delivery_failed', {
      requestId: event.meta.requestId,
      accountId,
      cause: event.id,
    });
  },
});

const stateAt = async (store: EventStore, stream: string, revision: number) => {
  const events = await store.read(stream, { limit: MESSAGE_EVENTS_MAX });
  let state: MessageState = messageDecider.initial;
  for (const event of events) {
    if (event.revision > revision) break;
    state = messageDecider.evolve(state, event as unknown as MessageFact);
  }
  return state;
};
