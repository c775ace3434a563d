import { z } from 'zod';
import type { Notifications } from '../../commands/notification.ts';
import { Variables } from '../../commands/variables.ts';
import { defineRoute, reply } from '../route.ts';
import { billingHeadersOf } from './present.ts';
import {
  billingHeaders,
  CapReached,
  ErrorBody,
  Insufficient,
  phoneNumberId,
  recipient,
} from './schemas.ts';

/** Contract 4.7. */
export const sendRoute = (deps: { notifications: Notifications }) =>
  defineRoute({
    method: 'POST',
    path: '/v1/notifications/send',
    access: 'key',
    scope: 'notifications:send',
    summary: 'Send one notification by event key',
    tags: ['Notifications'],
    request: {
      body: z.object({
        to: recipient,
        event: z.string(),
        variables: Variables.default({}),
        phoneNumberId: phoneNumberId.optional(),
        languageCode: z.string().min(1).max(20).optional(),
        allowTextFallback: z.boolean().default(false),
      }),
    },
    responses: {
      200: z.object({
        success: z.literal(true),
        messageId: z.string(),
        channel: z.enum(['template', 'text']),
        event: z.string(),
        template: z.string().nullable(),
        missingVariables: z.array(z.string()).min(1).optional(),
      }),
      402: Insufficient,
      429: CapReached,
      502: ErrorBody.extend({
        details: z.object({
          event: z.string(),
          template: z.string().nullable(),
          providerCode: z.int().nullable(),
          providerMessage: z.string(),
        }),
      }),
    },
    errors: [
      'event.unknown',
      'account.insufficient',
      'account.cap_reached',
      'number.none',
      'template.not_approved',
      'provider.refused',
      'provider.unknown_outcome',
    ],
    // A charge that was reversed because the caller had gone must not be shown as taken.
    idempotent: { stands: (_answer, _input, { signal }) => !signal.aborted },
    responseHeaders: billingHeaders,
    async handle({ body }, { key, requestId, signal, claim }) {
      const { accountId } = key;
      const sent = await deps.notifications.send(body, { requestId, accountId, signal, claim });
      const { messageId, channel, event, template, missingVariables, charge } = sent;
      const answer = {
        success: true as const,
        messageId,
        channel,
        event,
        template,
        ...(missingVariables.length > 0 && { missingVariables: [...missingVariables] }),
      };
      return reply(200, answer, billingHeadersOf(charge));
    },
  });
