import { z } from 'zod';
import type { BotRepository } from '../../commands/bots/bot.ts';
import type { Bots } from '../../commands/bots/definitions.ts';
import { Edges, Nodes } from '../../commands/bots/graph.ts';
import { bots } from '../../projections/bots.ts';
import { actingFor } from '../edge/context.ts';
import { pick } from '../route/pick.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { BotFull, readBot } from './bots.ts';
import { iso, success } from './schemas.ts';

const verbatim = z.record(z.string(), z.unknown());

const BotDraft = z
  .object({
    basis: z.int().describe('The version that was live when the draft was begun.'),
    at: iso.describe('When the draft was saved, ISO 8601.'),
    nodes: z.array(verbatim).describe('React Flow nodes of the draft.'),
    edges: z.array(verbatim).describe('React Flow edges of the draft.'),
  })
  .meta({ id: 'BotDraft' });

const Answer = z.object({ draft: BotDraft.nullable().describe('Null where there is none.') });

const common = { access: 'key', tags: ['Bots'], reads: [bots] } as const;
const draft = { ...common, path: '/v1/bots/:botId/draft' } as const;

/** A graph beside the live one, until it is published. */
export const botDraftRoutes = ({
  bots: commands,
  botDraft: read,
}: {
  bots: Bots;
  botDraft: BotRepository['draft'];
}): readonly JsonRoute[] => {
  const answerOf = async (accountId: string, botId: string) => {
    const found = await read(accountId, botId);
    return { draft: found ? pick(BotDraft, found) : null };
  };

  return [
    defineRoute({
      ...draft,
      method: 'GET',
      scope: 'bots:read',
      summary: 'Read the draft of a bot',
      responses: { 200: Answer },
      errors: ['bot.unknown'],
      async handle({ params }, { key: { accountId }, models }) {
        const { id } = await readBot(models, accountId, params.botId);
        return answerOf(accountId, id);
      },
    }),
    defineRoute({
      ...draft,
      method: 'PUT',
      scope: 'bots:write',
      summary: 'Keep a graph as the draft of a bot',
      description: 'Nothing of it is live before it is published. `PATCH` changes the live bot.',
      request: {
        body: z.object({
          nodes: Nodes.describe('React Flow nodes of the draft.'),
          edges: Edges.describe('React Flow edges of the draft.'),
        }),
      },
      responses: { 200: Answer },
      free: true,
      errors: ['bot.unknown', 'request.invalid'],
      async handle({ params: { botId }, body }, { key, requestId }) {
        await commands.saveDraft(botId, body, actingFor({ key, requestId }));
        return answerOf(key.accountId, botId);
      },
    }),
    defineRoute({
      ...draft,
      method: 'DELETE',
      scope: 'bots:write',
      summary: 'Throw the draft of a bot away',
      responses: { 200: z.object({ success }) },
      free: true,
      errors: ['bot.unknown'],
      async handle({ params: { botId } }, { key, requestId }) {
        await commands.dropDraft(botId, actingFor({ key, requestId }));
        return { success: true as const };
      },
    }),
    defineRoute({
      ...common,
      path: '/v1/bots/:botId/publish',
      method: 'POST',
      scope: 'bots:write',
      summary: 'Make the draft of a bot live, or an earlier version of it',
      description:
        'As a new version. Of an earlier version the graph and what starts it come back; name, number and `isActive` stay. Runs that are under way go on with the graph that they began with.',
      request: {
        body: z.object({
          version: z
            .int()
            .min(1)
            .optional()
            .describe('An earlier version, instead of the draft, which then stays.'),
        }),
      },
      responses: { 200: BotFull },
      free: true,
      errors: ['bot.unknown', 'resource.unknown', 'request.invalid'],
      async handle({ params: { botId }, body }, { key, requestId, upToDate }) {
        await commands.publish(botId, body.version, actingFor({ key, requestId }));
        return pick(BotFull, await readBot(await upToDate(), key.accountId, botId));
      },
    }),
  ];
};
