import { z } from 'zod';
import type { PassThrough, PassThroughRequest } from '../../commands/sending/pass-through.ts';
import type { Asked } from '../../commands/sending/quote.ts';
import { recipientProblems, type StrictProblem } from '../../commands/sending/strict.ts';
import { timingFields } from '../../commands/sending/timing.ts';
import { lengths } from '../../provider/rules/message-limits.ts';
import {
  type BuiltType,
  builtTypes,
  contentOf,
  messageTypes,
} from '../../provider/rules/message-types.ts';
import { defineRoute } from '../route/route.ts';
import { dryRun, quoteId } from './quote-answer.ts';
import {
  advice,
  clientReference,
  providerStatus,
  recipient,
  sender,
  sendFailed,
  success,
} from './schemas.ts';
import {
  handleOneSend,
  oneSend,
  oneSendErrors,
  oneSendResponses,
  type SendDeps,
  strict,
} from './send-notification.ts';

/** The field of each type, in the order of the types. */
const fields = Object.fromEntries(
  Object.entries(messageTypes).map(([type, { field }]) => [type, field.optional()]),
) as { [Type in BuiltType]: z.ZodOptional<(typeof messageTypes)[Type]['field']> };

/** The body of a request: `type` names the field that holds the content. */
export const MessageBody = z.object({
  to: recipient,
  type: z.enum(builtTypes).describe('Which of the next fields holds the content.'),
  phoneNumberId: sender,
  ...fields,
  contextMessageId: z
    .string()
    .max(lengths.messageId)
    .optional()
    .describe('The message that this one answers.'),
  clientReference,
  strict: strict.describe(
    'Refuses with 400, before any charge, a `to` that is no possible telephone number. When absent, the default of the account; else false.',
  ),
  ...timingFields,
  quoteId,
  dryRun,
});

/** The message of a body. */
const requestIn = (body: z.output<typeof MessageBody>): PassThroughRequest => {
  const { to, phoneNumberId, contextMessageId, clientReference } = body;
  const content = contentOf(body.type, body[body.type], contextMessageId !== undefined);
  return { to, content, phoneNumberId, contextMessageId, clientReference };
};

/** What a strict message is refused for. */
export const messageProblems = (
  { to }: { to: string },
  unknown: readonly StrictProblem[] = [],
): StrictProblem[] => [...unknown, ...recipientProblems(to)];

/** The send of a message as a quote asks about it. */
export const messageAsked = (body: z.output<typeof MessageBody>): readonly Asked[] => [
  { kind: 'message', request: requestIn(body), timing: body },
];

const Sent = z.object({
  success,
  messageId: z.string().describe("The provider's message id."),
  type: z.string().describe('The sent type.'),
  to: z.string().describe('The recipient, digits only.'),
  phoneNumberId: z.string().describe('The sending number.'),
  providerStatus,
});

const WindowClosed = z.object({
  error: z.string().describe('The error as text for people.'),
  windowExpiredAt: z.iso.datetime().nullable().optional().describe('End of the last window.'),
  ...advice,
});

/** Contract 4.10. */
export const messageSendRoute = (deps: { passThrough: PassThrough } & SendDeps) =>
  defineRoute({
    ...oneSend,
    path: '/v1/messages/send',
    scope: 'messages:send',
    summary: `Send a message that you built: ${builtTypes.slice(0, -1).join(', ')} or ${builtTypes.at(-1)}`,
    description:
      'The service checks that the content is present and within the limits of the provider. All types but `template` need an open 24-hour window, and are free unless the plan charges them (`chargeService`).',
    answer: 'The provider accepted the message.',
    tags: ['Messages'],
    request: { body: MessageBody },
    responses: {
      200: Sent,
      ...oneSendResponses,
      403: WindowClosed,
      502: sendFailed('type'),
    },
    errors: ['message.incomplete', 'message.window_closed', ...oneSendErrors],
    handle: handleOneSend(deps, {
      kind: 'message',
      problems: messageProblems,
      asked: messageAsked,
      async send(body: z.output<typeof MessageBody>, quoted, by) {
        const request = requestIn(body);
        if (quoted) request.quoted = quoted;
        const { charge, ...sent } = await deps.passThrough.send(request, by);
        const { messageId, to, phoneNumberId, providerStatus } = sent;
        return {
          charge,
          answer: { messageId, type: body.type, to, phoneNumberId, providerStatus },
        };
      },
    }),
  });
