import { z } from 'zod';
import type { Webhooks } from '../../commands/webhooks/webhooks.ts';
import { webhooks } from '../../projections/webhooks.ts';
import { moment } from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { iso, success } from './schemas.ts';
import { secret } from './webhooks.ts';

const NewSecret = z
  .object({ secret, previousUntil: iso.describe('Until then the old secret signs too.') })
  .meta({ id: 'WebhookSecret' });

const common = { access: 'key', tags: ['Webhooks'], reads: [webhooks] } as const;

const rotateRoute = (commands: Webhooks) =>
  defineRoute({
    ...common,
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
      commands.rotate(params.webhookId, { requestId, accountId: key.accountId }),
  });

const accepted = { 202: z.object({ success }) };

const testRoute = (commands: Webhooks) =>
  defineRoute({
    ...common,
    path: '/v1/webhooks/:webhookId/test',
    method: 'POST',
    scope: 'webhooks:write',
    summary: 'Deliver an event `webhook.test` to a webhook',
    responses: accepted,
    free: true,
    errors: ['resource.unknown'],
    async handle({ params }, { key, requestId }) {
      await commands.test(params.webhookId, { requestId, accountId: key.accountId });
      return { success: true as const };
    },
  });

const replayRoute = (commands: Webhooks) =>
  defineRoute({
    ...common,
    path: '/v1/webhooks/:webhookId/replay',
    method: 'POST',
    scope: 'webhooks:write',
    summary: 'Deliver all events since a time once more',
    description:
      'Out of the log itself, as far back as it goes, with the same `webhook-id` as before, and beside the new events. One replay of a webhook runs at a time.',
    request: {
      body: z.object({ since: moment.describe('Events from this time on, ISO 8601.') }),
    },
    responses: {
      202: z.object({ success, replayId: z.string().describe('Id of the replay.') }),
    },
    free: true,
    errors: ['resource.unknown', 'resource.conflict'],
    async handle({ params, body }, { key, requestId }) {
      const context = { requestId, accountId: key.accountId };
      const replayId = await commands.replay(params.webhookId, body.since, context);
      return { success: true as const, replayId };
    },
  });

/** Replaces secrets, and asks for deliveries. */
export const webhookActionRoutes = (commands: Webhooks): readonly JsonRoute[] => [
  rotateRoute(commands),
  testRoute(commands),
  replayRoute(commands),
];
