import { z } from 'zod';
import type { PassThrough } from '../../commands/sending/pass-through.ts';
import { recipientProblems } from '../../commands/sending/strict.ts';
import { heldOf } from '../../commands/sending/transmitted.ts';
import { advice } from '../route/advice.ts';
import { reply } from '../route/response.ts';
import { defineRoute } from '../route/route.ts';
import { billingHeaders, CapReached, Insufficient } from './billing-schemas.ts';
import { Body, contentOf } from './message-content.ts';
import { billingHeadersOf } from './present.ts';
import { recipientIn } from './recipients.ts';
import { providerStatus, sendFailed, success } from './schemas.ts';
import { refuseProblems, type StrictDeps } from './strict.ts';

const WindowClosed = z.object({
  error: z.string().describe('The error as text for people.'),
  windowExpiredAt: z.iso.datetime().nullable().optional().describe('End of the last window.'),
  ...advice,
});

/** Contract 4.10. */
export const messageSendRoute = (deps: { passThrough: PassThrough } & StrictDeps) =>
  defineRoute({
    method: 'POST',
    path: '/v1/messages/send',
    access: 'key',
    scope: 'messages:send',
    summary:
      'Send a message that you built: text, template, media, location, interactive, contacts or reaction',
    description:
      'The service checks that the content is present and within the limits of the provider. All types but `template` need an open 24-hour window, and are free unless the plan charges them (`chargeService`).',
    answer: 'The provider accepted the message.',
    tags: ['Messages'],
    request: { body: Body },
    responses: {
      200: z.object({
        success,
        messageId: z.string().describe("The provider's message id."),
        type: z.string().describe('The sent type.'),
        to: z.string().describe('The recipient, digits only.'),
        phoneNumberId: z.string().describe('The sending number.'),
        providerStatus,
      }),
      402: Insufficient,
      403: WindowClosed,
      429: CapReached,
      502: sendFailed('type'),
    },
    errors: [
      'message.incomplete',
      'message.not_allowed',
      'message.window_closed',
      'account.insufficient',
      'account.cap_reached',
      'account.free_writes',
      'number.none',
      'provider.refused',
      'provider.unknown_outcome',
    ],
    idempotent: { reversible: true, contacts: recipientIn },
    responseHeaders: billingHeaders,
    async handle({ body }, { key, requestId, signal, claim }) {
      const { accountId } = key;
      const isStrict = body.strict ?? deps.strictByDefault(accountId);
      if (isStrict && (await isStrict)) refuseProblems(recipientProblems(body.to));
      const { to, phoneNumberId: from, contextMessageId, clientReference } = body;
      const content = contentOf(body);
      const request = { to, content, phoneNumberId: from, contextMessageId, clientReference };
      const caller = { requestId, accountId, signal: signal(), claim };
      const sent = await deps.passThrough.send(request, caller);
      const answer = {
        success: true as const,
        messageId: sent.messageId,
        type: body.type,
        to: sent.to,
        phoneNumberId: sent.phoneNumberId,
        ...heldOf(sent),
      };
      return reply(200, answer, billingHeadersOf(sent.charge));
    },
  });
