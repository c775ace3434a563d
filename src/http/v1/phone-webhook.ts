import { z } from 'zod';
import type { ForwardUrls } from '../../commands/inbound/forward-url.ts';
import { defineRoute } from '../route/route.ts';
import { success } from './schemas.ts';

const URL_LENGTH_MAX = 2048;

/** Contract 4.14. */
export const phoneWebhookRoute = (deps: { forwardUrls: ForwardUrls }) =>
  defineRoute({
    method: 'PATCH',
    path: '/v1/phones/:phoneNumberId/webhook',
    access: 'key',
    scope: 'phones:write',
    summary: 'Set or clear the URL to which inbound messages of a number are forwarded',
    description:
      'One https URL for each number. It must not name or resolve to a private, loopback, ' +
      'link-local or metadata address. Ports 443 and 8443; a host without a dot is refused. ' +
      'Null or an absent `webhookUrl` ends the forwarding.',
    answer: 'The URL is saved. The previous URL receives nothing more.',
    tags: ['Numbers'],
    request: {
      body: z.object({
        webhookUrl: z
          .string()
          .max(URL_LENGTH_MAX)
          .nullable()
          .default(null)
          .describe('URL for inbound messages; null for none.'),
      }),
    },
    responses: { 200: z.object({ success }) },
    free: true,
    errors: ['number.unknown', 'request.invalid'],
    async handle({ params, body }, { key, requestId }) {
      const context = { requestId, accountId: key.accountId };
      await deps.forwardUrls.set(params.phoneNumberId, body.webhookUrl, context);
      return { success: true as const };
    },
  });
