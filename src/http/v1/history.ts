import { z } from 'zod';
import type { EventReader } from '../../events/store.ts';
import { messages } from '../../projections/messages.ts';
import { refunds } from '../../projections/refunds.ts';
import { AppError } from '../../shared/errors.ts';
import { given, moment, pageQuery, readPage, SHORT_PAGES, timeRange } from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { findMessage } from './find-message.ts';
import { direction, Message, presentMessages } from './message-record.ts';
import { Timeline } from './schemas.ts';
import { readTimeline, timelineOf } from './timeline.ts';

export const historyRoutes = ({ store }: { store: EventReader }): readonly JsonRoute[] => {
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
      reads: [messages, refunds],
      async handle({ query }, { key, models }) {
        const { limit: _, cursor: __, contact, since, until, ...equal } = query;
        const { accountId } = key;
        const where = given({
          accountId,
          ...equal,
          // An unescaped plus arrives as a space.
          contactWaId: contact?.replace(/^[+ ]/, ''),
          createdAt: timeRange(since, until),
        });
        const { rows: found, nextCursor } = await readPage(
          models,
          accountId,
          messages,
          query,
          where,
        );
        const shown = await presentMessages(models, found);
        return { messages: shown.map((one) => one.shown), nextCursor };
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
          timeline: Timeline,
        }),
      },
      errors: ['message.unknown'],
      reads: [messages],
      async handle({ params }, { key, models }) {
        const message = await findMessage(models, key.accountId, params.messageId);
        if (!message) throw models.notFound(new AppError('message.unknown', 'Message not found'));
        const events = await readTimeline(store, message);
        return { messageId: message.id, timeline: timelineOf(events) };
      },
    }),
  ];
};
