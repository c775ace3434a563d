import type { EventOf } from '../events/index.ts';
import type { WebhookSource } from '../events/webhook.ts';
import { defineProjection } from './define.ts';

/** The delivery of one event to one endpoint. It names the event, and holds nothing of its content. */
export interface WebhookDeliveryDocument extends WebhookSource {
  id: string;
  endpointId: string;
  accountId: string;
  number: number;
  state: 'waiting' | 'delivered' | 'failed';
  /** Whether it waits because there was no room: later ones of its endpoint wait behind it. */
  noRoom: boolean;
  attempts: number;
  /** Revision of its last call in the endpoint's stream, which alone has what was answered. */
  lastCall: number | null;
  statusCode: number | null;
  latencyMs: number | null;
  error: string | null;
  lastAttemptAt: string | null;
  nextAttemptAt: string | null;
  /** Its place among those that wait: when, then its number. Null once it is settled. */
  due: string | null;
  createdAt: string;
  /** The number, as a text that sorts. */
  order: string;
}

/** The last settled deliveries of an endpoint, which are kept. Those that wait are all kept. */
const DELIVERIES_KEPT = 1000;

const ORDER_DIGITS = 12;
export const deliveryOrder = (number: number): string => String(number).padStart(ORDER_DIGITS, '0');

/** The place of a delivery among those that wait. Later numbers of one moment come later. */
export const dueAt = (at: string, number: number): string => `${at} ${deliveryOrder(number)}`;

const waitingId = (endpointId: string, number: number): string => `${endpointId}.w${number}`;

/** The settled ones take turns in so many places, so that a new one replaces the oldest. */
const settledId = (endpointId: string, settled: number): string =>
  `${endpointId}.s${settled % DELIVERIES_KEPT}`;

type Delivery = EventOf<'WebhookDeferred' | 'WebhookAttempted'>['data'];

const headOf = (data: Delivery) => ({
  endpointId: data.endpointId,
  accountId: data.accountId,
  number: data.number,
  eventId: data.eventId,
  topic: data.topic,
  stream: data.stream,
  revision: data.revision,
  ...(data.asOf !== undefined && { asOf: data.asOf }),
  orderKey: data.orderKey,
  ...(data.asked && { asked: data.asked }),
  createdAt: data.begunAt,
  order: deliveryOrder(data.number),
});

const attempted = (
  id: string,
  { data, revision }: EventOf<'WebhookAttempted'>,
): WebhookDeliveryDocument => ({
  id,
  ...headOf(data),
  state: data.outcome === 'retry' ? 'waiting' : data.outcome,
  noRoom: false,
  attempts: data.attempt,
  lastCall: revision,
  statusCode: data.statusCode,
  latencyMs: data.latencyMs,
  error: data.error,
  lastAttemptAt: data.at,
  nextAttemptAt: data.nextAt,
  due: data.nextAt && dueAt(data.nextAt, data.number),
});

/** What waits to be delivered, and the last that was. */
export const webhookdeliveries = defineProjection<WebhookDeliveryDocument>({
  name: 'webhookdeliveries',
  version: 3,
  indexes: [
    ['endpointId', '-order'],
    ['endpointId', 'due?'],
    ['endpointId', 'state', '-order'],
  ],
  filters: ['createdAt'],
  words: ['state'],
  on: {
    WebhookDeferred: {
      key: ({ data }) => waitingId(data.endpointId, data.number),
      fold: (_, { data }, id) => ({
        id,
        ...headOf(data),
        state: 'waiting',
        noRoom: data.cause === 'no_room',
        attempts: 0,
        lastCall: null,
        statusCode: null,
        latencyMs: null,
        error: null,
        lastAttemptAt: null,
        nextAttemptAt: data.begunAt,
        due: dueAt(data.begunAt, data.number),
      }),
    },
    WebhookAttempted: {
      key: ({ data: { endpointId, number, settled } }) => {
        const waiting = waitingId(endpointId, number);
        return settled === null ? waiting : [waiting, settledId(endpointId, settled)];
      },
      fold: (_, event, id) => {
        const { endpointId, number, settled } = event.data;
        const isWaiting = id === waitingId(endpointId, number);
        return isWaiting && settled !== null ? null : attempted(id, event);
      },
    },
    WebhookDeliveriesDropped: {
      key: ({ data }) => data.numbers.map((number) => waitingId(data.endpointId, number)),
      fold: () => null,
    },
    WebhookDeleted: {
      key: ({ data: { endpointId, settled } }) =>
        Array.from({ length: Math.min(settled, DELIVERIES_KEPT) }, (_, place) =>
          settledId(endpointId, place),
        ),
      fold: () => null,
    },
  },
});
