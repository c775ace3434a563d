import { z } from 'zod';
import { graphBytes } from '../../commands/bots/graph.ts';
import { type BotFact, BotMatchType, BotTrigger } from '../../events/bot.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { bots } from '../../projections/bots.ts';
import { encodeCursor, pageOf, pageQuery } from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { readBot } from './bots.ts';
import { iso } from './schemas.ts';

/** Graphs of one page, in bytes. The version that exceeds it is the last of its page. */
const PAGE_BYTES_MAX = 1024 * 1024;
/** Events of one read; an event has a graph of up to 256 KB. */
const READ_EVENTS = 8;

const verbatim = z.array(z.record(z.string(), z.unknown()));

const BotVersion = z
  .object({
    version: z.int().describe('1 for the bot as it was created, then one more with each change.'),
    at: iso.describe('Time of the change, ISO 8601.'),
    name: z.string().describe('Name of the bot.'),
    description: z.string().nullable().describe('Free text.'),
    phoneNumberId: z.string().nullable().describe('The number of the bot; null for every number.'),
    trigger: BotTrigger.describe('What started a run.'),
    triggerKeywords: z.array(z.string()).describe('Keywords for the trigger `KEYWORD`.'),
    triggerMatchType: BotMatchType.describe('How a keyword matched.'),
    isActive: z.boolean().describe('Whether the bot ran.'),
    nodes: verbatim.describe('React Flow nodes of this version.'),
    edges: verbatim.describe('React Flow edges of this version.'),
  })
  .meta({ id: 'BotVersion' });

/** What a bot was after each of its changes, out of its own stream. */
export const botVersionRoutes = ({ store }: { store: EventReader }): readonly JsonRoute[] => {
  /** The newest versions below `end`, and whether older ones are left. */
  const versionsOf = async (botId: string, limit: number, end: number | undefined) => {
    const versions: z.input<typeof BotVersion>[] = [];
    let below = end;
    for (let bytes = 0; versions.length < limit && bytes < PAGE_BYTES_MAX && below !== 0; ) {
      const read = await store.read(`bot-${botId}`, {
        direction: 'backwards',
        limit: READ_EVENTS,
        ...(below !== undefined && { from: below - 1 }),
      });
      if (read.length === 0) return { versions, left: 0 };
      for (const { revision, meta, data } of read as Recorded<BotFact>[]) {
        if (versions.length === limit || bytes >= PAGE_BYTES_MAX) break;
        below = revision;
        if (data.bot === null) continue;
        bytes += graphBytes(data.bot);
        versions.push({ version: revision + 1, at: meta.at, ...data.bot });
      }
    }
    return { versions, left: below ?? 0 };
  };

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/bots/:botId/versions',
      access: 'key',
      scope: 'bots:read',
      summary: 'List what a bot was after each change, newest first',
      description:
        'A page ends early when its graphs are larger than 1 MB together. Go on with `nextCursor`.',
      answer: 'One page of versions, each with its graph.',
      tags: ['Bots'],
      request: { query: z.object(pageQuery) },
      responses: { 200: pageOf('versions', BotVersion) },
      errors: ['bot.unknown'],
      reads: [bots],
      async handle({ params, query }, { key, models }) {
        const bot = await readBot(models, key.accountId, params.botId);
        const end = query.cursor === undefined ? undefined : Number.parseInt(query.cursor, 10) || 0;
        const { versions, left } = await versionsOf(bot.id, query.limit, end);
        return { versions, nextCursor: left === 0 ? null : encodeCursor(String(left)) };
      },
    }),
  ];
};
