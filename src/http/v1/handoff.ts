import { z } from 'zod';
import { HANDOFF_MINUTES_MAX } from '../../commands/bots/logic-nodes.ts';
import type { Handoffs } from '../../commands/inbound/handoffs.ts';
import { conversations } from '../../projections/conversations.ts';
import { readThread } from '../../projections/read-threads.ts';
import { isoTime } from '../../shared/clock.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { actingFor } from '../edge/context.ts';
import { moment } from '../route/paging.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { iso, success } from './schemas.ts';

const MINUTE_MS = 60_000;
const MINUTES_DEFAULT = 24 * 60;

const common = {
  path: '/v1/conversations/:conversationId/handoff',
  access: 'key',
  scope: 'messages:send',
  tags: ['Messages'],
  free: true,
  reads: [conversations],
} as const;

/** The conversation of the account, by its id or that of one which it has absorbed. */
export const mustFindThread = async (models: ReadModels, accountId: string, id: string) => {
  const thread = await readThread(models, id);
  if (thread?.accountId === accountId) return thread;
  throw models.notFound(new AppError('resource.unknown', 'Conversation not found'));
};

export const mustFindConversation = async (models: ReadModels, accountId: string, id: string) => {
  const { phoneNumberId, contactRef } = await mustFindThread(models, accountId, id);
  return { accountId, phoneNumberId, contactRef };
};

const Body = z.object({
  minutes: z
    .int()
    .min(1)
    .max(HANDOFF_MINUTES_MAX)
    .default(MINUTES_DEFAULT)
    .describe('For so many minutes from now; at most 30 days.'),
  until: moment.optional().describe('Until this time instead, ISO 8601; within the same 30 days.'),
});

const endOf = ({ minutes, until }: z.output<typeof Body>, now: number): number => {
  if (until === undefined) return now + minutes * MINUTE_MS;
  const end = Date.parse(until);
  if (end <= now || end > now + HANDOFF_MINUTES_MAX * MINUTE_MS) {
    throw invalidFields({ until: ['must be in the future, within 30 days'] });
  }
  return end;
};

/** A person takes a conversation from the bots, and gives it back. */
export const handoffRoutes = ({ handoffs }: { handoffs: Handoffs }): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    method: 'POST',
    summary: 'Take a conversation from the bots',
    description:
      'Until its end no bot answers this customer at this number, and the run of a bot that is open ends with `handoff`. A repeated call sets the end anew.',
    request: { body: Body },
    responses: {
      200: z.object({ success, until: iso.describe('Until then no bot answers, ISO 8601.') }),
    },
    errors: ['resource.unknown'],
    async handle({ params, body }, { key, requestId, now, upToDate }) {
      const { accountId } = key;
      const conversation = await mustFindConversation(
        await upToDate(),
        accountId,
        params.conversationId,
      );
      const until = endOf(body, now);
      await handoffs.take(conversation, until, actingFor({ key, requestId }));
      return { success: true as const, until: isoTime(until) };
    },
  }),
  defineRoute({
    ...common,
    method: 'DELETE',
    summary: 'Give a conversation back to the bots',
    description:
      'Also one that a bot has handed over. Bots answer what the customer writes from now on. A repeated call is no error.',
    responses: { 200: z.object({ success }) },
    errors: ['resource.unknown'],
    async handle({ params }, { key, requestId, upToDate }) {
      const { accountId } = key;
      const conversation = await mustFindConversation(
        await upToDate(),
        accountId,
        params.conversationId,
      );
      await handoffs.handBack(conversation, actingFor({ key, requestId }));
      return { success: true as const };
    },
  }),
];
