import { z } from 'zod';
import { WEBHOOKS_LISTED_MAX, type Webhooks } from '../../commands/webhooks/webhooks.ts';
import { WebhookTopic } from '../../events/webhook.ts';
import { type WebhookDocument, webhooks } from '../../projections/webhooks.ts';
import { AppError } from '../../shared/errors.ts';
import { actingFor } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { iso, success } from './schemas.ts';

/** Webhooks of an account, as its owner and administrators see them. */
export const Webhook = z
  .object({
    id: z.string().describe('Id of the webhook.'),
    url: z.string().describe('Where the events are posted to.'),
    events: z.array(WebhookTopic).describe('The events that it receives.'),
    format: z
      .enum(['standard', 'graph'])
      .describe('`standard`: after Standard Webhooks. `graph`: as the provider posts to webhooks.'),
    description: z.string().nullable().describe('Free text.'),
    state: z.enum(['active', 'disabled']).describe('A disabled one receives nothing.'),
    disabledReason: z
      .enum(['owner', 'gone', 'failing'])
      .nullable()
      .describe(
        '`owner`: by `PATCH`. `gone`: it answered 410. `failing`: no call succeeded for five days. Null while it is active.',
      ),
    previousSecretUntil: iso
      .nullable()
      .describe('Until then deliveries also have a signature of the secret before the rotation.'),
    replay: z
      .object({
        id: z.string().describe('Id of the replay.'),
        since: iso.describe('Events since then are delivered once more, ISO 8601.'),
        startedAt: iso.describe('Time of the request, ISO 8601.'),
      })
      .nullable()
      .describe('The replay that is running; null without one.'),
    createdAt: iso.describe('Time of creation, ISO 8601.'),
    updatedAt: iso.describe('Time of the last change, ISO 8601.'),
  })
  .meta({ id: 'Webhook' });

export const presentWebhook = ({ topics, disabledReason, ...row }: WebhookDocument) =>
  pick(Webhook, {
    ...row,
    events: topics,
    state: disabledReason === null ? 'active' : 'disabled',
    disabledReason,
  });

const URL_LENGTH_MAX = 2048;

export const secret = z
  .string()
  .describe('Verifies the signatures of the deliveries. Shown this once: store it.');
const Created = Webhook.extend({ secret }).meta({ id: 'CreatedWebhook' });

const isNew = (one: string, index: number, all: readonly string[]) => all.indexOf(one) === index;

const fields = {
  url: z
    .string()
    .min(1)
    .max(URL_LENGTH_MAX)
    .describe(
      'An https URL, port 443 or 8443. It must not name or resolve to a private, loopback, link-local or metadata address.',
    ),
  events: z
    .array(WebhookTopic)
    .min(1, 'must list at least one event, such as message.delivered')
    .transform((events) => events.filter(isNew))
    .describe('The events that it receives, one or more.'),
  description: z.string().max(500).nullable().describe('Free text.'),
  verifyToken: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'Of the format `graph`: what the URL is asked for in the handshake, a GET with `hub.mode`, `hub.verify_token` and `hub.challenge`, when it is made and when URL or token change.',
    ),
};

/** The account's webhook; that of another account counts as unknown. */
export const readWebhook = async (
  models: ReadModels,
  accountId: string,
  id: string,
): Promise<WebhookDocument> => {
  const found = await models.get(webhooks, id);
  if (found?.accountId !== accountId) {
    throw models.notFound(new AppError('resource.unknown', 'Webhook not found'));
  }
  return found;
};

/** All webhooks of an account, newest first. */
export const listWebhooks = (models: ReadModels, accountId: string) =>
  models.all(accountId, webhooks, {
    where: { accountId },
    order: { field: 'order', direction: 'descending' },
    limit: WEBHOOKS_LISTED_MAX,
  });

const common = { access: 'key', tags: ['Webhooks'], reads: [webhooks] } as const;
const one = { ...common, path: '/v1/webhooks/:webhookId' } as const;

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/v1/webhooks',
  scope: 'webhooks:read',
  summary: 'List the webhooks of the account, newest first',
  responses: {
    200: z.object({ webhooks: z.array(Webhook).describe('The webhooks of the account.') }),
  },
  errors: [],
  handle: async (_, { key, models }) => ({
    webhooks: (await listWebhooks(models, key.accountId)).map(presentWebhook),
  }),
});

const readRoute = defineRoute({
  ...one,
  method: 'GET',
  scope: 'webhooks:read',
  summary: 'Read one webhook',
  responses: { 200: Webhook },
  errors: ['resource.unknown'],
  handle: async ({ params }, { key, models }) =>
    presentWebhook(await readWebhook(models, key.accountId, params.webhookId)),
});

const createRoute = (commands: Webhooks) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/webhooks',
    scope: 'webhooks:write',
    summary: 'Create a webhook',
    description:
      'Events are posted to it as JSON, signed after Standard Webhooks with the secret of this answer. An account has 20 webhooks at most.',
    request: {
      body: z
        .object({
          ...fields,
          description: fields.description.default(null),
          format: z
            .enum(['standard', 'graph'])
            .default('standard')
            .describe(
              '`graph`: the envelope and the signature of the provider, for programs of its API; only for `message.*`, `template.status` and `number.quality`.',
            ),
        })
        .refine(({ format, verifyToken }) => (format === 'graph') === (verifyToken !== undefined), {
          path: ['verifyToken'],
          message: 'is required with `format: "graph"`, and only then',
        }),
    },
    responses: { 201: Created },
    free: true,
    errors: ['request.invalid', 'service.unavailable'],
    async handle({ body: { url, events, description, verifyToken } }, context) {
      const { key, requestId, upToDate } = context;
      const { accountId } = key;
      const settings = { url, topics: events, description, verifyToken };
      const made = await commands.create(settings, actingFor({ key, requestId }));
      const shown = await readWebhook(await upToDate(), accountId, made.endpointId);
      return reply(201, { ...presentWebhook(shown), secret: made.secret });
    },
  });

const changeRoute = (commands: Webhooks) =>
  defineRoute({
    ...one,
    method: 'PATCH',
    scope: 'webhooks:write',
    summary: 'Change a webhook: only the fields that are sent',
    description:
      '`state: "active"` enables it again: it then receives new events, and those that waited for it. For the events between use `POST …/replay`.',
    request: {
      body: z
        .object({
          ...fields,
          state: z.enum(['active', 'disabled']).describe('A disabled one receives nothing.'),
        })
        .partial(),
    },
    responses: { 200: Webhook },
    free: true,
    errors: ['resource.unknown', 'request.invalid'],
    async handle({ params: { webhookId }, body }, { key, requestId, upToDate }) {
      const { accountId } = key;
      const { url, events, description, verifyToken, state } = body;
      const change = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { topics: events }),
        ...(description !== undefined && { description }),
        verifyToken,
      };
      const active = state && state === 'active';
      await commands.change(webhookId, change, active, actingFor({ key, requestId }));
      return presentWebhook(await readWebhook(await upToDate(), accountId, webhookId));
    },
  });

const deleteRoute = (commands: Webhooks) =>
  defineRoute({
    ...one,
    method: 'DELETE',
    scope: 'webhooks:write',
    summary: 'Delete a webhook and what is known of its deliveries, for good',
    responses: { 200: z.object({ success }) },
    free: true,
    errors: ['resource.unknown'],
    async handle({ params }, { key, requestId }) {
      await commands.remove(params.webhookId, actingFor({ key, requestId }));
      return { success: true as const };
    },
  });

/** Reads and changes webhooks. */
export const webhookEndpointRoutes = (commands: Webhooks): readonly JsonRoute[] => [
  listRoute,
  createRoute(commands),
  readRoute,
  changeRoute(commands),
  deleteRoute(commands),
];
