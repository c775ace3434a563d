import { z } from 'zod';
import type { BodyOf } from '../../commands/webhooks/ports.ts';
import type { Webhooks } from '../../commands/webhooks/webhooks.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { webhookStream } from '../../events/streams.ts';
import { TEST_TOPIC, WebhookSource, WebhookTopic } from '../../events/webhook.ts';
import {
  deliveryOrder,
  type WebhookDeliveryDocument,
  webhookdeliveries,
} from '../../projections/webhook-deliveries.ts';
import { webhooks } from '../../projections/webhooks.ts';
import { AppError } from '../../shared/errors.ts';
import { actingFor } from '../edge/context.ts';
import { given, moment, pageOf, pageQuery, readPage, timeRange } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { iso, success } from './schemas.ts';
import { readWebhook, secret, webhookEndpointRoutes } from './webhooks.ts';

const NewSecret = z
  .object({ secret, previousUntil: iso.describe('Until then the old secret signs too.') })
  .meta({ id: 'WebhookSecret' });

const ofActions = { access: 'key', tags: ['Webhooks'], reads: [webhooks] } as const;

const rotateRoute = (commands: Webhooks) =>
  defineRoute({
    ...ofActions,
    path: '/v1/webhooks/:webhookId/rotate',
    method: 'POST',
    scope: 'webhooks:write',
    summary: 'Replace the secret of a webhook',
    description:
      'For 24 hours deliveries have two signatures: of the new secret and of the one before. A second rotation within that time ends the oldest secret.',
    responses: { 200: NewSecret },
    free: true,
    errors: ['resource.unknown'],
    handle: ({ params }, { key, requestId }) =>
      commands.rotate(params.webhookId, actingFor({ key, requestId })),
  });

const accepted = { 202: z.object({ success }) };

const testRoute = (commands: Webhooks) =>
  defineRoute({
    ...ofActions,
    path: '/v1/webhooks/:webhookId/test',
    method: 'POST',
    scope: 'webhooks:write',
    summary: 'Deliver an event `webhook.test` to a webhook',
    responses: accepted,
    free: true,
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ params }, { key, requestId }) {
      await commands.test(params.webhookId, actingFor({ key, requestId }));
      return { success: true as const };
    },
  });

const replayRoute = (commands: Webhooks) =>
  defineRoute({
    ...ofActions,
    path: '/v1/webhooks/:webhookId/replay',
    method: 'POST',
    scope: 'webhooks:write',
    summary: 'Deliver all events since a time once more',
    description:
      'Out of the log itself, as far back as it goes, with the same `webhook-id` as before, and beside the new events. One replay of a webhook runs at a time, and none of a disabled one.',
    request: {
      body: z.object({ since: moment.describe('Events from this time on, ISO 8601.') }),
    },
    responses: {
      202: z.object({ success, replayId: z.string().describe('Id of the replay.') }),
    },
    free: true,
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ params, body }, { key, requestId }) {
      const context = actingFor({ key, requestId });
      const replayId = await commands.replay(params.webhookId, body.since, context);
      return { success: true as const, replayId };
    },
  });

/** Replaces secrets, and asks for deliveries. */
const webhookActionRoutes = (commands: Webhooks): readonly JsonRoute[] => [
  rotateRoute(commands),
  testRoute(commands),
  replayRoute(commands),
];

const state = z
  .enum(['waiting', 'delivered', 'failed'])
  .describe('`waiting` for its first or next call; `failed` once no call is left.');

const Delivery = z
  .object({
    id: z.string().describe('Id of the delivery, of this webhook.'),
    eventId: z.string().describe('The header `webhook-id`: the same each time it is delivered.'),
    event: z
      .union([WebhookTopic, z.literal(TEST_TOPIC)])
      .describe('What happened; `type` of the body.'),
    state,
    attempts: z.int().describe('Calls so far.'),
    statusCode: z.int().nullable().describe('Status of the last answer; null without one.'),
    latencyMs: z.int().nullable().describe('Duration of the last call.'),
    error: z.string().nullable().describe('Why the last call had no answer.'),
    lastAttemptAt: iso.nullable().describe('Time of the last call, ISO 8601.'),
    nextAttemptAt: iso.nullable().describe('Time of the next call; null once it is settled.'),
    createdAt: iso.describe('When the delivery began, ISO 8601.'),
  })
  .meta({ id: 'WebhookDelivery' });

const Call = z.object({
  attempt: z.int().describe('Counts the calls of the delivery from 1.'),
  at: iso.describe('Time of the call, ISO 8601.'),
  statusCode: z.int().nullable().describe('Status of the answer; null without one.'),
  latencyMs: z.int().describe('How long it took until the head of the answer.'),
  error: z.string().nullable().describe('Why there was no answer.'),
  answer: z
    .object({
      head: z.string().describe('The first 2 KB of the headers, one a line.'),
      body: z.string().nullable().describe('The first 2 KB of the body.'),
    })
    .nullable()
    .describe(
      'What was answered; null without an answer, once the contact is erased, and of calls by older versions.',
    ),
});

const DeliveryWithBody = Delivery.extend({
  body: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The body as it would be sent now; what was erased is null in it.'),
  calls: z.array(Call).describe('Its calls, the last one first.'),
}).meta({ id: 'WebhookDeliveryWithBody' });

const present = ({ number, topic, ...row }: WebhookDeliveryDocument) =>
  pick(Delivery, { ...row, id: String(number), event: topic });

const common = { access: 'key', tags: ['Webhooks'], reads: [webhooks, webhookdeliveries] } as const;

const readDelivery = async (
  models: ReadModels,
  accountId: string,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
): Promise<WebhookDeliveryDocument> => {
  await readWebhook(models, accountId, webhookId);
  const number = /^\d{1,12}$/.test(deliveryId) ? Number(deliveryId) : -1;
  const [found] = await models.find(webhookdeliveries, {
    where: {
      endpointId: webhookId,
      order: { gte: deliveryOrder(number), lte: deliveryOrder(number) },
    },
    order: { field: 'order', direction: 'descending' },
    limit: 1,
  });
  if (!found) throw models.notFound(new AppError('resource.unknown', 'Delivery not found'));
  return found;
};

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/v1/webhooks/:webhookId/deliveries',
  scope: 'webhooks:read',
  summary: 'List the deliveries of a webhook, newest first',
  description:
    'All that wait, and the last 1,000 that are settled. With `since`, follow `nextCursor` until it is null.',
  request: {
    query: z.object({
      ...pageQuery,
      since: moment.optional().describe('Deliveries that began from this time on, ISO 8601.'),
      state: state.optional(),
    }),
  },
  responses: { 200: pageOf('deliveries', Delivery) },
  errors: ['resource.unknown'],
  async handle({ params: { webhookId: endpointId }, query }, { key, models }) {
    await readWebhook(models, key.accountId, endpointId);
    const { since, state: wanted } = query;
    const createdAt = timeRange(since, undefined);
    const where = given({ endpointId, state: wanted, createdAt });
    const page = await readPage(models, key.accountId, webhookdeliveries, query, where);
    return { deliveries: page.rows.map(present), nextCursor: page.nextCursor };
  },
});

/** More than a delivery has. */
const CALLS_MAX = 20;

/** The calls of a delivery, out of the endpoint's own stream: nothing else has what was answered. */
const callsOf = async (
  store: Pick<EventReader, 'read'>,
  { accountId, endpointId, lastCall }: WebhookDeliveryDocument,
) => {
  const stream = webhookStream(accountId, endpointId);
  const calls: z.input<typeof Call>[] = [];
  for (let at = lastCall; at !== null && calls.length < CALLS_MAX; ) {
    const [event] = (await store.read(stream, { from: at, limit: 1 })) as KnownEvent[];
    if (event?.type !== 'WebhookAttempted' || event.revision !== at) break;
    const { answer = null, previous = null, ...call } = event.data;
    calls.push(pick(Call, { ...call, answer }));
    at = previous;
  }
  return calls;
};

const readRoute = (bodyOf: BodyOf, store: Pick<EventReader, 'read'>) =>
  defineRoute({
    ...common,
    method: 'GET',
    path: '/v1/webhooks/:webhookId/deliveries/:deliveryId',
    scope: 'webhooks:read',
    summary: 'Read one delivery with its body and its calls',
    responses: { 200: DeliveryWithBody },
    errors: ['resource.unknown'],
    async handle({ params }, { key, models }) {
      const found = await readDelivery(models, key.accountId, params);
      const { format } = await readWebhook(models, key.accountId, params.webhookId);
      const made = await bodyOf(key.accountId, pick(WebhookSource, found), format);
      const calls = await callsOf(store, found);
      const body = (made?.body ?? null) as Record<string, unknown> | null;
      return { ...present(found), body, calls };
    },
  });

const resendRoute = (commands: Webhooks) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/resend',
    scope: 'webhooks:write',
    summary: 'Deliver the event of a delivery once more',
    description:
      'As a new delivery with the same `webhook-id`, at once. A disabled webhook receives it when it is enabled.',
    responses: { 202: z.object({ success }) },
    free: true,
    errors: ['resource.unknown'],
    async handle({ params }, { key, requestId, upToDate }) {
      const { accountId } = key;
      const found = await readDelivery(await upToDate(), accountId, params);
      const context = actingFor({ key, requestId });
      await commands.resend(params.webhookId, pick(WebhookSource, found), context);
      return { success: true as const };
    },
  });

/** Webhooks and their deliveries. */
export const webhookRoutes = (deps: {
  webhooks: Webhooks;
  bodyOf: BodyOf;
  store: Pick<EventReader, 'read'>;
}): readonly JsonRoute[] => [
  ...webhookEndpointRoutes(deps.webhooks),
  ...webhookActionRoutes(deps.webhooks),
  listRoute,
  readRoute(deps.bodyOf, deps.store),
  resendRoute(deps.webhooks),
];
