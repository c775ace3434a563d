import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookCall = components['schemas']['WebhookDeliveryWithBody']['calls'][number];
export type DeliveryState = WebhookDelivery['state'];

export const LIST_KEY = ['webhooks'];
export const webhookKey = (id: string) => ['webhooks', 'one', id];

/** Why the service, or the owner, disabled a webhook. */
export const reasons = {
  owner: 'It was disabled by its owner.',
  gone: 'Its URL answered 410: it is gone.',
  failing: 'No call to it succeeded for five days.',
} as const;

export const readWebhooks = async (_cursor: string | undefined, signal: AbortSignal) => {
  const { webhooks } = await bodyOf(api.GET('/v1/webhooks', { signal }));
  return { rows: webhooks, nextCursor: null };
};

export const readWebhook = (webhookId: string, signal: AbortSignal) =>
  bodyOf(api.GET('/v1/webhooks/{webhookId}', { params: { path: { webhookId } }, signal }));

export const readDeliveries = async (
  webhookId: string,
  state: DeliveryState | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
) => {
  const query = { limit: 100, ...(state && { state }), ...(cursor !== undefined && { cursor }) };
  const params = { path: { webhookId }, query };
  const { deliveries, nextCursor } = await bodyOf(
    api.GET('/v1/webhooks/{webhookId}/deliveries', { params, signal }),
  );
  return { rows: deliveries, nextCursor };
};

/** Newest deliveries that say how a webhook does. */
const NEWEST = 20;

/** How a webhook does: of its newest deliveries, those that failed, and that wait after a failure. */
export interface Health {
  count: number;
  failing: number;
  /** What the newest failing one was answered. */
  answer: string | null;
}

export const readHealth = async (webhookId: string, signal: AbortSignal): Promise<Health> => {
  const params = { path: { webhookId }, query: { limit: NEWEST } };
  const { deliveries } = await bodyOf(
    api.GET('/v1/webhooks/{webhookId}/deliveries', { params, signal }),
  );
  const failing = deliveries.filter(
    ({ state, attempts }) => state === 'failed' || (state === 'waiting' && attempts > 0),
  );
  const [newest] = failing;
  return {
    count: deliveries.length,
    failing: failing.length,
    answer: newest ? answerOf(newest) : null,
  };
};

/** Deliveries that are sent again by one press. */
const RECOVERED_MAX = 500;
const AT_A_TIME = 4;

/** Delivers once more what has failed since a time, and is not tried again by itself; resolves to how many. */
export const recoverFailed = async (webhookId: string, since: string): Promise<number> => {
  const { signal } = new AbortController();
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await readDeliveries(webhookId, 'failed', cursor, signal);
    const own = page.rows.filter(({ createdAt }) => createdAt >= since);
    found.push(...own.map(({ id }) => id));
    cursor = own.length < page.rows.length ? undefined : (page.nextCursor ?? undefined);
  } while (cursor !== undefined && found.length < RECOVERED_MAX);
  const left = found.slice(0, RECOVERED_MAX);
  const count = left.length;
  const next = async () => {
    for (let deliveryId = left.pop(); deliveryId !== undefined; deliveryId = left.pop()) {
      const params = { path: { webhookId, deliveryId } };
      await api.POST('/v1/webhooks/{webhookId}/deliveries/{deliveryId}/resend', { params });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, next));
  return count;
};

/** What the last call was answered, in short. */
export const answerOf = ({ statusCode, error, attempts }: WebhookDelivery): string =>
  statusCode !== null ? String(statusCode) : (error ?? (attempts === 0 ? 'not called yet' : '–'));
