import { z } from 'zod';
import type { ReadReceipts } from '../../commands/inbound/read-receipts.ts';
import { defineRoute } from '../route/route.ts';
import { success } from './schemas.ts';

export const readReceiptRoute = (deps: { readReceipts: ReadReceipts }) =>
  defineRoute({
    method: 'POST',
    path: '/v1/messages/:messageId/read',
    access: 'key',
    scope: 'messages:send',
    summary: "Show a customer that you read the customer's message",
    description:
      'Marks the message and all before it in the conversation as read. A repeated call is no error. ' +
      'The provider takes no receipt for a message older than 30 days.',
    answer: 'The provider shows the receipt. The timeline of the message has it once.',
    tags: ['Messages'],
    request: {
      body: z.object({
        typing: z
          .boolean()
          .default(false)
          .describe(
            'Whether the customer also sees that a reply is being written: for 25 seconds, or until the reply.',
          ),
      }),
    },
    responses: {
      200: z.object({
        success,
        messageId: z.string().describe("The provider's message id."),
      }),
    },
    free: true,
    errors: ['message.unknown', 'number.none', 'provider.failed'],
    async handle({ params, body }, { key, requestId }) {
      const { messageId } = params;
      const context = { accountId: key.accountId, requestId };
      await deps.readReceipts.send({ messageId, typing: body.typing }, context);
      return { success: true as const, messageId };
    },
  });
