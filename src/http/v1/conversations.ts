import { z } from 'zod';
import { isThread } from '../../projections/absorbed-threads.ts';
import { conversations } from '../../projections/conversations.ts';
import { withLate } from '../../projections/read-threads.ts';
import { type ConversationDocument, type Handoff, WINDOW_MS } from '../../projections/thread.ts';
import { isoTime } from '../../shared/clock.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { isHidden } from '../edge/admission.ts';
import type { AuthenticatedKey } from '../edge/context.ts';
import { given, moment, pageOf, pageQuery, readPage, SHORT_PAGES } from '../route/paging.ts';
import { defineRoute } from '../route/route.ts';
import { mustFindThread } from './handoff.ts';
import { presentContact } from './present-contact.ts';
import { Actor, Contact, direction, erased, iso } from './schemas.ts';

const LastMessage = z
  .object({
    id: z.string().nullable().describe("The provider's message id; null once erased."),
    direction,
    messageType: z.string().describe('Such as `text`, `template` or `image`.'),
    text: z.string().nullable().describe('The text of the message, if any.'),
    status: z.string().nullable().describe('Delivery status; null for an inbound message.'),
    createdAt: iso.describe('Time of the send or the receipt, ISO 8601.'),
  })
  .describe('The newest message of either direction.');

const Conversation = z
  .object({
    id: z.string().describe('Id of the conversation.'),
    phoneNumberId: z.string().describe("The provider's phone number id."),
    contact: Contact.nullable().describe('The customer; null once erased.'),
    erased,
    lastMessage: LastMessage,
    lastInboundAt: iso.nullable().describe('Time of the last inbound message, ISO 8601.'),
    lastOutboundAt: iso.nullable().describe('Time of the last outbound message, ISO 8601.'),
    windowOpen: z.boolean().describe('Whether a free-form reply is allowed now.'),
    windowExpiresAt: iso.nullable().describe('End of the 24-hour window, ISO 8601.'),
    handoff: z
      .object({
        by: z.enum(['bot', 'person']).describe('Whose doing it is.'),
        botId: z.string().nullable().describe('The bot that handed over; null for a person.'),
        person: Actor.nullable().describe('Who took it; null for a bot or a key.'),
        since: iso.describe('When the bots fell silent, ISO 8601.'),
        until: iso.describe('Until then no bot answers, ISO 8601.'),
      })
      .nullable()
      .describe('A hand-off to a person that holds now; null while bots may answer.'),
    assigned: Actor.nullable().describe('The person who looks after it; null for none.'),
    assignedBy: Actor.nullable().describe(
      'Who gave it to that person; null where he took it himself, and for a key.',
    ),
    labels: z.array(z.string()).describe('Its labels; none once erased.'),
    messageCount: z.int().describe('Messages of both directions.'),
    unreadCount: z.int().describe('Inbound messages since the last outbound one.'),
    createdAt: iso.describe('Time of the first message, ISO 8601.'),
    updatedAt: iso.describe('Time of the newest message, ISO 8601.'),
  })
  .meta({ id: 'Conversation' });

const presentHandoff = (handoff: Handoff | undefined, now: number) => {
  if (!handoff || Date.parse(handoff.until) <= now) return null;
  const { personId, botId, ...times } = handoff;
  const by = botId === null ? ('person' as const) : ('bot' as const);
  return { by, botId, person: personId === undefined ? null : { id: personId }, ...times };
};

/** Absent in documents of an earlier version, which serve until they are folded again. */
const actorIn = (id: string | undefined) => (id ? { id } : null);

/** Computes the window and the hand-off at the time of the read. */
const present = (thread: ConversationDocument, now: number) => {
  const { accountId: _, contactRef, waId, userId, contactName, absorbs, ...rest } = thread;
  const { searchText, labelText, order, sealedMonth, laterMonths, textRef, ...found } = rest;
  const { assignedTo, assignedBy, failed, withBot, labels = [], ...shown } = found;
  const { messageRef, ...lastMessage } = shown.lastMessage;
  const expires = shown.lastInboundAt === null ? null : Date.parse(shown.lastInboundAt) + WINDOW_MS;
  return {
    ...shown,
    lastMessage,
    ...presentContact(thread),
    windowOpen: expires !== null && expires > now,
    windowExpiresAt: expires === null ? null : isoTime(expires),
    handoff: presentHandoff(thread.handoff, now),
    assigned: actorIn(assignedTo),
    assignedBy: actorIn(assignedBy),
    labels,
  };
};

const assignedIn = (asked: string | undefined, { person }: AuthenticatedKey) => {
  if (asked === 'none') return '';
  if (asked !== 'me') return asked;
  if (!person) throw invalidFields({ assigned: ['`me` is for a person who signed in'] });
  return person.id;
};

/** Contract 4.12. */
export const conversationsRoute = defineRoute({
  method: 'GET',
  path: '/v1/conversations',
  access: 'key',
  scope: 'messages:read',
  names: true,
  summary: 'List conversations, most recently active first',
  description: SHORT_PAGES,
  tags: ['Messages'],
  request: {
    query: z.object({
      ...pageQuery,
      phoneNumberId: z.string().max(100).optional().describe('Conversations of this number.'),
      windowOpen: z
        .enum(['true', 'false'])
        .optional()
        .describe('Conversations with an open, or a closed, 24-hour window.'),
      search: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .describe(
          "Part of the customer's name, number or user id; 403 for a role that does not see them.",
        ),
      assigned: z
        .string()
        .max(100)
        .optional()
        .describe('`me`, `none`, or the id of the person who looks after it.'),
      label: z.string().min(1).max(50).optional().describe('Conversations with this label.'),
      waiting: z
        .enum(['true', 'false'])
        .optional()
        .describe('Whether the customer has the last word.'),
      failed: z.enum(['true', 'false']).optional().describe('Whether the newest message failed.'),
      withBot: z
        .enum(['true', 'false'])
        .optional()
        .describe('Whether a bot wrote the newest reply, and nobody has taken over since.'),
      updatedSince: moment.optional().describe('Conversations with news since then, ISO 8601.'),
    }),
  },
  responses: { 200: pageOf('conversations', Conversation) },
  errors: [],
  reads: [conversations],
  async handle({ query }, { key, now, models }) {
    const { phoneNumberId, windowOpen, search, updatedSince, label, waiting } = query;
    const { failed, withBot } = query;
    // Digit by digit, a search would tell the whole number.
    if (search !== undefined && isHidden({ key })) {
      throw new AppError('person.contents', 'This role does not search names and numbers');
    }
    const { accountId } = key;
    const open = { gt: isoTime(now - WINDOW_MS) };
    const where = given({
      accountId,
      phoneNumberId,
      updatedAt: updatedSince === undefined ? undefined : { gte: updatedSince },
      lastInboundAt: windowOpen === 'false' ? { not: open } : windowOpen && open,
      assignedTo: assignedIn(query.assigned, key),
      labelText: label === undefined ? undefined : { contains: `\n${label.toLowerCase()}\n` },
      unreadCount: waiting && (waiting === 'true' ? { gt: 0 } : 0),
      failed: failed && failed === 'true',
      withBot: withBot && withBot === 'true',
      searchText: search === undefined ? undefined : { contains: search.toLowerCase() },
    });
    const { rows, nextCursor } = await readPage(models, accountId, conversations, query, where);
    const threads = rows.filter(isThread);
    const found = await withLate(models, threads);
    return { conversations: found.map((thread) => present(thread, now)), nextCursor };
  },
});

/** Also one that another conversation of the same customer has absorbed: that one is answered. */
export const conversationRoute = defineRoute({
  method: 'GET',
  path: '/v1/conversations/:conversationId',
  access: 'key',
  scope: 'messages:read',
  names: true,
  summary: 'Show a conversation',
  tags: ['Messages'],
  responses: { 200: Conversation },
  errors: ['resource.unknown'],
  reads: [conversations],
  async handle({ params }, { key, now, models }) {
    const thread = await mustFindThread(models, key.accountId, params.conversationId);
    return present(thread, now);
  },
});
