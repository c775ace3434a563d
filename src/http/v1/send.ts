import { z } from 'zod';
import type { Notifications } from '../../commands/sending/notification.ts';
import { notificationProblems } from '../../commands/sending/strict.ts';
import { heldOf } from '../../commands/sending/transmitted.ts';
import { Variables } from '../../commands/sending/variables.ts';
import { reply } from '../route/response.ts';
import { defineRoute } from '../route/route.ts';
import { billingHeaders, CapReached, Insufficient } from './billing-schemas.ts';
import { billingHeadersOf } from './present.ts';
import { recipientIn } from './recipients.ts';
import {
  clientReference,
  languageCode,
  providerStatus,
  recipient,
  sender,
  sendFailed,
  success,
} from './schemas.ts';
import { refuseProblems, type StrictDeps, strict } from './strict.ts';

const Body = z.object({
  to: recipient,
  event: z.string().describe('Event key of the catalog.'),
  variables: Variables.default({}).describe(
    'Values by name. A blank one is replaced by `-` and named in `missingVariables`.',
  ),
  phoneNumberId: sender,
  languageCode,
  allowTextFallback: z
    .boolean()
    .default(false)
    .describe('Without an approved template, sends plain text in an open 24-hour window.'),
  clientReference,
  strict,
});

const Sent = z.object({
  success,
  messageId: z.string().describe("The provider's message id, for the status."),
  channel: z.enum(['template', 'text']).describe('`text` after a fallback.'),
  event: z.string().describe('Event key of the catalog.'),
  template: z.string().nullable().describe('Null after a fallback to text.'),
  missingVariables: z
    .array(z.string())
    .min(1)
    .optional()
    .describe('Blank variables: the message was sent with gaps, and charged.'),
  providerStatus,
});

/** Contract 4.7. */
export const sendRoute = (deps: { notifications: Notifications } & StrictDeps) =>
  defineRoute({
    method: 'POST',
    path: '/v1/notifications/send',
    access: 'key',
    scope: 'notifications:send',
    summary: 'Send one notification by event key',
    description:
      'Picks the approved template of the event, fills its placeholders from the named variables and sends it. ' +
      "The provider's category of that template decides the price. " +
      'The charge is reserved first and refunded after a failure.',
    answer:
      'The provider accepted the message. `missingVariables` names the blank variables, sent as `-`.',
    tags: ['Notifications'],
    request: { body: Body },
    responses: { 200: Sent, 402: Insufficient, 429: CapReached, 502: sendFailed('event') },
    errors: [
      'event.unknown',
      'message.not_allowed',
      'account.insufficient',
      'account.cap_reached',
      'account.free_writes',
      'number.none',
      'template.not_approved',
      'provider.refused',
      'provider.unknown_outcome',
    ],
    idempotent: { reversible: true, contacts: recipientIn },
    responseHeaders: billingHeaders,
    async handle({ body }, { key, requestId, signal, claim }) {
      const { accountId } = key;
      const isStrict = body.strict ?? deps.strictByDefault(accountId);
      if (isStrict && (await isStrict)) refuseProblems(notificationProblems(body));
      const caller = { requestId, accountId, signal: signal(), claim };
      const sent = await deps.notifications.send(body, caller);
      const { messageId, channel, event, template, missingVariables, charge } = sent;
      const answer = {
        success: true as const,
        messageId,
        channel,
        event,
        template,
        ...(missingVariables.length > 0 && { missingVariables: [...missingVariables] }),
        ...heldOf(sent),
      };
      return reply(200, answer, billingHeadersOf(charge));
    },
  });
