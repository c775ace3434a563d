import { z } from 'zod';
import { isoTime } from '../../clock.ts';
import {
  type ConversationDocument,
  conversations,
  WINDOW_MS,
} from '../../projections/conversations.ts';
import type { Reader } from '../../projections/reader.ts';
import type { CaughtUp } from '../freshness.ts';
import { encodeCursor, moment, newestFirst, pageQuery } from '../paging.ts';
import { defineRoute } from '../route.ts';
import { iso } from './schemas.ts';

const Conversation = z.object({
  id: z.string(),
  phoneNumberId: z.string(),
  contact: z.object({ waId: z.string(), name: z.string().nullable() }),
  lastMessage: z.object({
    id: z.string(),
    direction: z.enum(['inbound', 'outbound']),
    messageType: z.string(),
    text: z.string().nullable(),
    status: z.string().nullable(),
    createdAt: iso,
  }),
  lastInboundAt: iso.nullable(),
  lastOutboundAt: iso.nullable(),
  windowOpen: z.boolean().describe('Whether a reply in your own words goes now.'),
  windowExpiresAt: iso.nullable(),
  messageCount: z.int(),
  unreadCount: z.int().describe('Inbound messages since the last outbound one.'),
  createdAt: iso,
  updatedAt: iso,
});

/** The window is a matter of the moment: it is computed when it is read. */
const present = (thread: ConversationDocument, now: number) => {
  const { accountId: _, waId, contactName, order, ...shown } = thread;
  const expires = shown.lastInboundAt === null ? null : Date.parse(shown.lastInboundAt) + WINDOW_MS;
  return {
    ...shown,
    contact: { waId, name: contactName },
    windowOpen: expires !== null && expires > now,
    windowExpiresAt: expires === null ? null : isoTime(expires),
  };
};
type Shown = ReturnType<typeof present>;

/** Threads that are looked at for one page where a filter must look into them. */
const LOOKED_AT_MAX = 2000;

/** Contract 4.12. */
export const conversationsRoute = (deps: { reader: Reader; caughtUp: CaughtUp }) =>
  defineRoute({
    method: 'GET',
    path: '/v1/conversations',
    access: 'key',
    scope: 'messages:read',
    summary: 'List conversations, most recently active first',
    description:
      'A page may be shorter than `limit` while `nextCursor` is set: filters look at a bounded number of threads for each page.',
    tags: ['Messages'],
    request: {
      query: z.object({
        ...pageQuery,
        phoneNumberId: z.string().max(100).optional(),
        windowOpen: z.enum(['true', 'false']).optional(),
        search: z.string().min(1).max(100).optional(),
        updatedSince: moment.optional(),
      }),
    },
    responses: {
      200: z.object({ conversations: z.array(Conversation), nextCursor: z.string().nullable() }),
    },
    errors: [],
    async handle({ query }, { key, now }) {
      await deps.caughtUp(conversations);
      const { limit, phoneNumberId, windowOpen, search, updatedSince } = query;
      const wanted = search?.toLocaleLowerCase();
      const matches = (thread: Shown) =>
        (windowOpen === undefined || thread.windowOpen === (windowOpen === 'true')) &&
        (wanted === undefined ||
          thread.contact.waId.includes(wanted) ||
          (thread.contact.name ?? '').toLocaleLowerCase().includes(wanted));
      const found: { thread: Shown; order: string }[] = [];
      let cursor = query.cursor;
      for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX && found.length <= limit; ) {
        const { where, ...rest } = newestFirst({ limit: 100, cursor });
        const rows = await deps.reader.find(conversations, {
          where: {
            accountId: key.accountId,
            ...(phoneNumberId !== undefined && { phoneNumberId }),
            ...(updatedSince !== undefined && { updatedAt: { gte: updatedSince } }),
            ...where,
          },
          ...rest,
        });
        for (const row of rows) {
          const thread = present(row, now);
          if (matches(thread)) found.push({ thread, order: row.order });
        }
        lookedAt += rows.length;
        const last = rows.at(-1);
        cursor = last?.order;
        if (!last || rows.length < rest.limit) {
          cursor = undefined;
          break;
        }
      }
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1)?.order : cursor;
      return {
        conversations: shown.map(({ thread }) => thread),
        nextCursor: last === undefined ? null : encodeCursor(last),
      };
    },
  });
