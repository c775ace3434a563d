import { z } from 'zod';
import type { QuickReplies } from '../../commands/care/quick-replies.ts';
import { type QuickReplyDocument, quickreplies } from '../../projections/quick-replies.ts';
import { AppError } from '../../shared/errors.ts';
import { actingFor } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { displayName } from '../route/names.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { iso, success } from './schemas.ts';

const QuickReply = z
  .object({
    id: z.string().describe('Id of the quick reply.'),
    name: z.string().describe('What it is found by; each once in an account.'),
    text: z.string().describe('What is sent.'),
    createdAt: iso.describe('Time of creation, ISO 8601.'),
  })
  .meta({ id: 'QuickReply' });

const fields = {
  name: displayName('What it is found by; each once in an account.').max(50),
  text: z.string().min(1).max(4096).describe('What is sent.'),
};

const common = { access: 'key', tags: ['Messages'], reads: [quickreplies] } as const;
const change = { ...common, scope: 'conversations:write', free: true } as const;

const present = (one: QuickReplyDocument) => pick(QuickReply, one);

const mustFind = async (models: ReadModels, accountId: string, id: string) => {
  const found = await models.get(quickreplies, id);
  if (found?.accountId === accountId) return found;
  throw models.notFound(new AppError('resource.unknown', 'Quick reply not found'));
};

/** Texts that people of the account send often. */
export const quickReplyRoutes = ({
  quickReplies: commands,
}: {
  quickReplies: QuickReplies;
}): readonly JsonRoute[] => [
  defineRoute({
    ...common,
    scope: 'messages:read',
    method: 'GET',
    path: '/v1/quick-replies',
    summary: 'List the quick replies of the account, newest first',
    request: { query: z.object(pageQuery) },
    responses: { 200: pageOf('quickReplies', QuickReply) },
    errors: [],
    async handle({ query }, { key: { accountId }, models }) {
      const where = { accountId };
      const { rows, nextCursor } = await readPage(models, accountId, quickreplies, query, where);
      return { quickReplies: rows.map(present), nextCursor };
    },
  }),
  defineRoute({
    ...change,
    method: 'POST',
    path: '/v1/quick-replies',
    summary: 'Add a quick reply',
    description: 'An account has 200 at most.',
    request: { body: z.object(fields) },
    responses: { 201: QuickReply },
    errors: ['resource.conflict', 'resource.unknown'],
    async handle({ body }, { key, requestId, upToDate }) {
      const { accountId } = key;
      const id = await commands.add(accountId, body, actingFor({ key, requestId }));
      return reply(201, present(await mustFind(await upToDate(), accountId, id)));
    },
  }),
  defineRoute({
    ...change,
    method: 'PATCH',
    path: '/v1/quick-replies/:replyId',
    summary: 'Change a quick reply: only the fields that are sent',
    request: { body: z.object(fields).partial() },
    responses: { 200: QuickReply },
    errors: ['resource.conflict', 'resource.unknown'],
    async handle({ params: { replyId: id }, body }, { key, requestId, upToDate }) {
      const { accountId } = key;
      await commands.change(accountId, id, body, actingFor({ key, requestId }));
      return present(await mustFind(await upToDate(), accountId, id));
    },
  }),
  defineRoute({
    ...change,
    method: 'DELETE',
    path: '/v1/quick-replies/:replyId',
    summary: 'Remove a quick reply',
    responses: { 200: z.object({ success }) },
    errors: ['resource.unknown'],
    async handle({ params: { replyId: id } }, { key, requestId }) {
      await commands.remove(key.accountId, id, actingFor({ key, requestId }));
      return { success: true as const };
    },
  }),
];
