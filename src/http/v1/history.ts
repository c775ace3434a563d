import { z } from 'zod';
import { explain } from '../../audit/explain.ts';
import { supportedEvents } from '../../commands/sending/catalog.ts';
import { deliveryStatuses } from '../../events/message.ts';
import type { EventReader } from '../../events/store.ts';
import { contacts } from '../../projections/contacts.ts';
import { conversations } from '../../projections/conversations.ts';
import { messages } from '../../projections/messages.ts';
import { refunds } from '../../projections/refunds.ts';
import { AppError } from '../../shared/errors.ts';
import {
  given,
  moment,
  pageOf,
  pageQuery,
  readPages,
  SHORT_PAGES,
  timeRange,
  under,
} from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { type ContactRefs, whereOf } from './contact-filter.ts';
import { findMessage, type MessageSearch, readTimeline, timelineOf } from './message.ts';
import { Message, presentMessages, withinReach } from './message-record.ts';
import { direction, erased, iso, Timeline } from './schemas.ts';

/** A filter by one value. */
const only = (max: number) => z.string().max(max).optional();

const Query = z.object({
  ...pageQuery,
  phoneNumberId: only(100).describe('Messages of this number.'),
  direction: direction.optional().describe('Messages of this direction.'),
  contact: only(200).describe("Messages with this customer: the customer's number or user id."),
  conversationId: only(300).describe('Messages of this conversation.'),
  status: z
    .enum(deliveryStatuses)
    .optional()
    .describe('Messages at `sent`, `delivered`, `read` or `failed`.'),
  // The provider adds types of customers' messages, so no list has them all.
  messageType: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,49}$/, 'must be a type of messages, such as text, template or image')
    .optional()
    .describe('Messages of this type, such as `text` or `template`.'),
  event: z.enum(supportedEvents).optional().describe('Messages for this event of the catalog.'),
  clientReference: only(128).describe('Messages with this reference of yours.'),
  since: moment.optional().describe('From this time on, ISO 8601.'),
  until: moment.optional().describe('Before this time, ISO 8601.'),
});

const listRoute = ({ store, subjects }: { store: EventReader; subjects: ContactRefs }) =>
  defineRoute({
    method: 'GET',
    path: '/v1/messages',
    access: 'key',
    scope: 'messages:read',
    summary: 'List messages with their delivery status, newest first',
    description: `${SHORT_PAGES} An index serves \`contact\`, \`conversationId\`, \`clientReference\`, \`event\`, \`status\` and \`phoneNumberId\`.`,
    tags: ['Messages'],
    request: { query: Query },
    responses: { 200: pageOf('messages', Message) },
    errors: [],
    reads: [messages, refunds, contacts, conversations],
    async handle({ query }, { key: { accountId }, models }) {
      const { limit: _, cursor: __, contact, conversationId, since, until, ...equal } = query;
      const where = given({ accountId, ...equal, createdAt: timeRange(since, until) });
      const wheres = await whereOf(
        { models, subjects },
        accountId,
        { contact, conversationId },
        where,
      );
      const { rows, nextCursor } = await readPages(
        models,
        accountId,
        query,
        under(messages, wheres),
      );
      const found = await presentMessages({ models, store: withinReach(store) }, rows);
      return { messages: found.map(({ shown }) => shown), nextCursor };
    },
  });

const Rule = z.object({
  rule: z
    .string()
    .describe(
      '`plan`, `template` or `window`, `price`, `caps`, `strict`, `balance`, `sent`, `status`, `refund`.',
    ),
  value: z.string().describe('What the rule said.'),
  why: z.string().describe('Why, in words.'),
  event: z
    .object({
      type: z.string().describe('Name of the event.'),
      position: z.string().describe('Position in the log: opaque.'),
      at: iso.describe('Time of the event, ISO 8601.'),
    })
    .nullable()
    .describe('The event that it came from; null for what is built in or not in the log.'),
});

/** A message with every rule that led to it. */
const explainRoute = ({
  store,
  secrets,
}: Pick<MessageSearch, 'secrets'> & { store: EventReader }): JsonRoute =>
  defineRoute({
    method: 'GET',
    path: '/v1/messages/:messageId/explain',
    access: 'key',
    scope: 'messages:read',
    summary: 'Explain a message: every rule that led to its outcome and price',
    description:
      'Read from the log as it was at the send, each rule with the event that it came from. Limits, templates and windows are looked for among the 5,000 events before.',
    answer: 'The rules, in the order in which they were asked. A message of a customer has none.',
    tags: ['Messages'],
    responses: {
      200: z.object({
        messageId: z.string().describe("The provider's message id, as it was asked for."),
        outcome: z.string().describe('The status of the message, or `received`.'),
        rules: z.array(Rule).describe('The rules.'),
      }),
    },
    errors: ['message.unknown'],
    reads: [messages, refunds],
    async handle({ params: { messageId } }, { key, models }) {
      const message = await findMessage({ models, secrets }, key.accountId, messageId);
      if (!message) throw models.notFound(new AppError('message.unknown', 'Message not found'));
      const { chargeId } = message;
      const refund = chargeId === null ? undefined : await models.get(refunds, chargeId);
      const refundedAt = refund?.of === 'charge' ? refund.order : undefined;
      const rules =
        message.direction === 'inbound' ? [] : await explain(store, message, refundedAt);
      return { messageId, outcome: message.status ?? 'received', rules };
    },
  });

export const historyRoutes = ({
  store,
  subjects,
  secrets,
}: Pick<MessageSearch, 'secrets'> & {
  store: EventReader;
  subjects: ContactRefs;
}): readonly JsonRoute[] => [
  listRoute({ store, subjects }),
  defineRoute({
    method: 'GET',
    path: '/v1/messages/:messageId/timeline',
    access: 'key',
    scope: 'messages:read',
    names: true,
    summary: 'Read every event of one message, in order',
    answer:
      'The events of the message. An inbound message shows the result of its forward: `answered`, `failed`, `left_out`, or `unknown` when the service stopped during the call. A status with another category than the charged one has `otherCategory: { charged, billed }`.',
    tags: ['Messages'],
    responses: {
      200: z.object({
        messageId: z.string().nullable().describe("The provider's message id; null once erased."),
        erased,
        timeline: Timeline,
      }),
    },
    errors: ['message.unknown'],
    reads: [messages, contacts],
    async handle({ params }, { key, models }) {
      const message = await findMessage({ models, secrets }, key.accountId, params.messageId);
      if (!message) throw models.notFound(new AppError('message.unknown', 'Message not found'));
      const events = await readTimeline(store, models, message);
      const { metaMessageId: messageId, erased: isErased } = message;
      const shown = { messageId, ...(isErased && { erased: isErased }) };
      return { ...shown, timeline: timelineOf(events, message) };
    },
  }),
  explainRoute({ store, secrets }),
];
