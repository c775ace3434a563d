import { z } from 'zod';
import { accounts } from '../../projections/accounts.ts';
import { webhooks } from '../../projections/webhooks.ts';
import { defineRoute } from '../route/route.ts';
import { listWebhooks, presentWebhook, Webhook } from '../v1/webhooks.ts';
import { mustGet } from './documents.ts';

export const accountWebhooksRoute = defineRoute({
  access: 'administrator',
  tags: ['Accounts'],
  reads: [accounts, webhooks],
  method: 'GET',
  path: '/admin/v1/accounts/:id/webhooks',
  summary: 'List the webhooks of an account, newest first',
  description: 'Without their secrets.',
  responses: {
    200: z.object({ webhooks: z.array(Webhook).describe('The webhooks of the account.') }),
  },
  errors: ['resource.unknown'],
  async handle({ params }, { models }) {
    const { id } = await mustGet(models, accounts, params.id, 'Account');
    return { webhooks: (await listWebhooks(models, id)).map(presentWebhook) };
  },
});
