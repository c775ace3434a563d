import { z } from 'zod';
import { WebhookTopic } from '../../events/webhook.ts';
import type { WebhookDocument } from '../../projections/webhooks.ts';
import { pick } from '../route/pick.ts';
import { iso } from './schemas.ts';

/** Webhooks of an account, as its owner and administrators see them. */
export const Webhook = z
  .object({
    id: z.string().describe('Id of the webhook.'),
    url: z.string().describe('Where the events are posted to.'),
    events: z.array(WebhookTopic).describe('The events that it receives.'),
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
