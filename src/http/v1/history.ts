import { z } from 'zod';
import type { EventStore } from '../../events/store.ts';
import type { Lists } from '../../projections/engine/lists.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { type MessageDocument, messages } from '../../projections/messages.ts';
import { type RefundDocument, refunds } from '../../projections/refunds.ts';
import { AppError } from '../../shared/errors.ts';
import type { CaughtUp } from '../edge/freshness.ts';
import { given, moment, pageQuery, readPage, SHORT_PAGES, timeRange } from '../route/paging.ts';
import { defineRoute, type Route } from '../route/route.ts';
import { findMessage } from './find-message.ts';
import { iso } from './schemas.ts';
import { refundsOf, takenFor } from './taken.ts';
import { readTimeline, timelineOf } from './timeline.ts';

const direction = z.enum(['inbound', 'outbound']);

const Message = z.object({
  id: z.string(),
  metaMessageId: z.string(),
  conversationId: z.string().nullable(),
  phoneNumberId: z.string().nullable(),
  direction,
  recipientWaId: z.string().describe('Digits only; of an inbound message, our number.'),
  senderWaId: z.string().nullable().describe('Of an inbound message, the customer.'),
  contactName: z.string().nullable(),
  messageType: z.string(),
  status: z
    .string()
    .nullable()
    .describe('`sent`, `delivered`, `read` or `failed`; null of an inbound message.'),
  statusTimestamp: iso.nullable(),
  event: z.string().nullable(),
  templateName: z.string().nullable(),
  text: z.string().nullable(),
  content: z.record(z.string(), z.unknown()),
  contextMessageId: z.string().nullable(),
  category: z.string().nullable().describe('What it was priced as.'),
  price: z
    .string()
    .nullable()
    .describe('What was taken in the end, a decimal string: zero once `refunded`.'),
  currency: z.string().nullable(),
  creditsCharged: z
    .int()
    .nullable()
    .describe('What was taken in the end: zero once `refunded`. Null on a wallet plan.'),
  clientReference: z.string().nullable(),
  source: z
    .enum(['notification', 'api', 'bot'])
    .nullable()
    .describe('What sent it: an event of the catalog, `/v1/messages/send`, or a bot.'),
  chargeId: z.string().nullable().describe('Joins it to the rows of the ledger.'),
  refunded: z.boolean().describe('Whether the charge was given back.'),
  errorCode: z.string().nullable().describe('Only when the status is `failed`.'),
  errorMessage: z.string().nullable(),
  createdAt: iso,
});

const present = (message: MessageDocument, refund: RefundDocument | undefined) => {
  const { recorded: _, accountId, contactWaId, order, ...shown } = message;
  return { ...shown, ...takenFor(message, refund), content: { ...shown.content } };
};

interface HistoryDeps {
  reader: Reader;
  lists: Lists;
  caughtUp: CaughtUp;
  store: EventStore;
}

export const historyRoutes = ({
  reader,
  lists,
  caughtUp,
  store,
}: HistoryDeps): readonly Route[] => {
  return [
    defineRoute({
      method: 'GET',
      path: '/v1/messages',
      access: 'key',
      scope: 'messages:read',
      summary: 'List messages, newest first, with how far each got',
      description: `${SHORT_PAGES} \`contact\`, \`conversationId\`, \`clientReference\`, \`event\`, \`status\` and \`phoneNumberId\` lead straight to their messages.`,
      tags: ['Messages'],
      request: {
        query: z.object({
          ...pageQuery,
          phoneNumberId: z.string().max(100).optional(),
          direction: direction.optional(),
          contact: z.string().max(100).optional(),
          conversationId: z.string().max(300).optional(),
          status: z.string().max(50).optional(),
          messageType: z.string().max(50).optional(),
          event: z.string().max(100).optional(),
          clientReference: z.string().max(128).optional(),
          since: moment.optional(),
          until: moment.optional(),
        }),
      },
      responses: {
        200: z.object({ messages: z.array(Message), nextCursor: z.string().nullable() }),
      },
      errors: [],
      async handle({ query }, { key }) {
        await caughtUp(messages, refunds);
        const { limit: _, cursor: __, contact, since, until, ...equal } = query;
        const { accountId } = key;
        const where = given({
          accountId,
          ...equal,
          // A plus that was not escaped arrives as a space.
          contactWaId: contact?.replace(/^[+ ]/, ''),
          createdAt: timeRange(since, until),
        });
        const { rows: found, nextCursor } = await readPage(
          lists,
          accountId,
          messages,
          query,
          where,
        );
        const rows = found.filter(isRecorded);
        const refundOf = await refundsOf(reader, rows);
        const shown = rows.map((row) => present(row, refundOf.get(row.chargeId ?? '')));
        return { messages: shown, nextCursor };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/messages/:messageId/timeline',
      access: 'key',
      scope: 'messages:read',
      summary: 'Read every event of one message, in order',
      tags: ['Messages'],
      responses: {
        200: z.object({
          messageId: z.string(),
          timeline: z.array(
            z.object({ type: z.string(), at: iso, data: z.record(z.string(), z.unknown()) }),
          ),
        }),
      },
      errors: ['message.unknown'],
      async handle({ params }, { key }) {
        const missing = await caughtUp(messages);
        const message = await findMessage(reader, key.accountId, params.messageId);
        if (!message) throw missing(new AppError('message.unknown', 'Message not found'));
        const events = await readTimeline(store, message);
        return { messageId: message.id, timeline: timelineOf(events) };
      },
    }),
  ];
};

const isRecorded = (
  message: MessageDocument | { recorded: false; order: null },
): message is MessageDocument => message.recorded;
