import { z } from 'zod';
import {
  type ConversationDocument,
  conversations,
  WINDOW_MS,
} from '../../projections/conversations.ts';
import { isoTime } from '../../shared/clock.ts';
import { given, moment, pageQuery, readPage, SHORT_PAGES } from '../route/paging.ts';
import { defineRoute } from '../route/route.ts';
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

/** Computes the window at the time of the read. */
const present = (thread: ConversationDocument, now: number) => {
  const { accountId: _, waId, contactName, searchText, order, ...shown } = thread;
  const expires = shown.lastInboundAt === null ? null : Date.parse(shown.lastInboundAt) + WINDOW_MS;
  return {
    ...shown,
    contact: { waId, name: contactName },
    windowOpen: expires !== null && expires > now,
    windowExpiresAt: expires === null ? null : isoTime(expires),
  };
};

/** Contract 4.12. */
export const conversationsRoute = defineRoute({
  method: 'GET',
  path: '/v1/conversations',
  access: 'key',
  scope: 'messages:read',
  summary: 'List conversations, most recently active first',
  description: SHORT_PAGES,
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
  reads: [conversations],
  async handle({ query }, { key, now, models }) {
    const { phoneNumberId, windowOpen, search, updatedSince } = query;
    const { accountId } = key;
    const open = { gt: isoTime(now - WINDOW_MS) };
    const where = given({
      accountId,
      phoneNumberId,
      updatedAt: updatedSince === undefined ? undefined : { gte: updatedSince },
      lastInboundAt: windowOpen === 'false' ? { not: open } : windowOpen && open,
      searchText: search === undefined ? undefined : { contains: search.toLowerCase() },
    });
    const { rows, nextCursor } = await readPage(models, accountId, conversations, query, where);
    return { conversations: rows.map((row) => present(row, now)), nextCursor };
  },
});
