import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import { webhookdeliveries } from '../../projections/webhook-deliveries.ts';
import { type WebhookDocument, webhooks } from '../../projections/webhooks.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute } from '../route/route.ts';
import { listWebhooks, presentWebhook, Webhook } from '../v1/webhooks.ts';
import { mustGet } from './documents.ts';

/** Newest deliveries that say how an endpoint does. */
const NEWEST = 20;

const AccountWebhook = Webhook.extend({
  failing: z
    .int()
    .describe('Of its newest 20 deliveries, those that failed, or wait after a call that failed.'),
}).meta({ id: 'AccountWebhook' });

const withHealth = async (models: ReadModels, webhook: WebhookDocument) => {
  const newest = await models.find(webhookdeliveries, {
    where: { endpointId: webhook.id },
    order: { field: 'order', direction: 'descending' },
    limit: NEWEST,
  });
  const failing = newest.filter(
    ({ state, attempts }) => state === 'failed' || (state === 'waiting' && attempts > 0),
  );
  return { ...presentWebhook(webhook), failing: failing.length };
};

export const accountWebhooksRoute = defineRoute({
  access: 'administrator',
  tags: ['Accounts'],
  reads: [accounts, webhooks, webhookdeliveries],
  method: 'GET',
  path: '/admin/v1/accounts/:id/webhooks',
  summary: 'List the webhooks of an account, newest first',
  description: 'Without their secrets.',
  responses: {
    200: z.object({ webhooks: z.array(AccountWebhook).describe('The webhooks of the account.') }),
  },
  errors: ['resource.unknown'],
  async handle({ params }, { models }) {
    const { id } = await mustGet(models, accounts, params.id, 'Account');
    const own = await listWebhooks(models, id);
    return { webhooks: await Promise.all(own.map((one) => withHealth(models, one))) };
  },
});
