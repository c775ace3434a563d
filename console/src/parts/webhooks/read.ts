import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type Webhook = components['schemas']['Webhook'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
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

/** What the last call was answered, in short. */
export const answerOf = ({ statusCode, error, attempts }: WebhookDelivery): string =>
  statusCode !== null ? String(statusCode) : (error ?? (attempts === 0 ? 'not called yet' : '–'));
