import { z } from 'zod';
import type { Notifications } from '../../commands/sending/notification.ts';
import { Variables } from '../../commands/sending/variables.ts';
import { reply } from '../route/response.ts';
import { defineRoute } from '../route/route.ts';
import { billingHeadersOf } from './present.ts';
import {
  billingHeaders,
  CapReached,
  clientReference,
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
    description:
      'Picks the approved template of the event, fills its placeholders from the named variables and sends it. ' +
      'The price is that of the category under which the provider holds that template. ' +
      'The charge is reserved first and given back when anything fails.',
    tags: ['Notifications'],
    request: {
      body: z.object({
        to: recipient,
        event: z.string().describe('A key of the catalog.'),
        variables: Variables.default({}).describe(
          'Values by name. A blank one is replaced by `-` and named in `missingVariables`.',
        ),
        phoneNumberId: phoneNumberId
          .optional()
          .describe("Which number sends; the account's oldest configured one when absent."),
        languageCode: z
          .string()
          .min(1)
          .max(20)
          .optional()
          .describe("The template's own language when absent. `en_US` also takes `en`."),
        allowTextFallback: z
          .boolean()
          .default(false)
          .describe(
            'Without an approved template, send the text itself; only inside the 24-hour window.',
          ),
        clientReference,
      }),
    },
    responses: {
      200: z.object({
        success: z.literal(true),
        messageId: z.string().describe("The provider's id: ask for its status with it."),
        channel: z.enum(['template', 'text']),
        event: z.string(),
        template: z.string().nullable().describe('Null when the text itself was sent.'),
        missingVariables: z
          .array(z.string())
          .min(1)
          .optional()
          .describe('Variables that came blank: the message went out with gaps, and was charged.'),
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
      'account.free_writes',
      'number.none',
      'template.not_approved',
      'provider.refused',
      'provider.unknown_outcome',
    ],
    idempotent: { reversible: true },
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
