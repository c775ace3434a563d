import { z } from 'zod';
import type { Bots } from '../../commands/bots/definitions.ts';
import { Edges, graphBytes, Nodes } from '../../commands/bots/graph.ts';
import { type BotFact, BotMatchType, BotTrigger } from '../../events/bot.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { botStream } from '../../events/streams.ts';
import { type BotDocument, bots } from '../../projections/bots.ts';
import { numbers } from '../../projections/numbers.ts';
import { isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import { actingFor } from '../edge/context.ts';
import { reply } from '../edge/respond.ts';
import { displayName } from '../route/names.ts';
import { encodeCursor, pageOf, pageQuery } from '../route/paging.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { iso, phoneNumberId, success } from './schemas.ts';

const KEYWORDS_MAX = 100;
/** More than an account's limit, which concurrent requests can exceed by a few. */
const LIST_MAX = 1000;

const TRIGGER = 'What starts a run.';
const KEYWORDS = 'Keywords for the trigger `KEYWORD`; without any the bot never starts.';
const MATCH = 'How a keyword matches; case and outer spaces are ignored.';
const NODES =
  'React Flow nodes: `id`, `type`, `position`, `data`. At most 200, and 256 KB with the edges.';
const EDGES = 'React Flow edges: `source`, `sourceHandle` (the outcome), `target`. At most 400.';

/** Contract 2.5: the fields of both forms. */
const BotSummary = z.object({
  id: z.string().describe('Id of the bot.'),
  name: z.string().describe('Name of the bot.'),
  description: z.string().nullable().describe('Free text.'),
  trigger: BotTrigger.describe(TRIGGER),
  triggerKeywords: z.array(z.string()).describe(KEYWORDS),
  isActive: z.boolean().describe('Whether the bot runs.'),
  totalExecutions: z.int().describe('Number of runs so far.'),
  lastExecutedAt: iso.nullable().describe('Start of the last run, ISO 8601.'),
  createdAt: iso.describe('Time of creation, ISO 8601.'),
});
const verbatim = z.record(z.string(), z.unknown());
export const BotFull = BotSummary.extend({
  triggerMatchType: BotMatchType.describe(MATCH),
  nodes: z.array(verbatim).describe(NODES),
  edges: z.array(verbatim).describe(EDGES),
}).meta({ id: 'Bot' });
const BotListed = BotSummary.extend({
  phoneNumber: z
    .object({
      phoneNumberId: z.string().describe("The provider's phone number id."),
      displayPhoneNumber: z.string().describe('The telephone number in display form.'),
    })
    .nullable()
    .describe('The number of the bot; null for every number of the account.'),
}).meta({ id: 'BotSummary' });

/** Fields of a document that the list reads. */
const LISTED_FIELDS = [...Object.keys(BotSummary.shape), 'phoneNumberId'];

const fields = {
  name: displayName('Name of the bot.', 2),
  description: z.string().max(2000).nullable().describe('Free text.'),
  phoneNumberId: phoneNumberId
    .nullable()
    .describe('The number of the bot; null for every number of the account.'),
  trigger: BotTrigger.describe(TRIGGER),
  triggerKeywords: z.array(z.string().max(200)).max(KEYWORDS_MAX).describe(KEYWORDS),
  triggerMatchType: BotMatchType.describe(MATCH),
  isActive: z.boolean().describe('Whether the bot runs.'),
  nodes: Nodes.describe(NODES),
  edges: Edges.describe(EDGES),
};
/** Contract 4.20. */
const NewBot = z.object({
  ...fields,
  description: fields.description.default(null),
  phoneNumberId: fields.phoneNumberId.default(null),
  trigger: fields.trigger.default('KEYWORD'),
  triggerKeywords: fields.triggerKeywords.default([]),
  triggerMatchType: fields.triggerMatchType.default('CONTAINS'),
  isActive: fields.isActive.default(true),
  nodes: fields.nodes.default([]),
  edges: fields.edges.default([]),
});
/** Contract 4.21: the fields have no defaults, so absent fields keep their values. */
const BotChange = z.object(fields).partial();

/** Drops absent fields. */
const sent = (change: z.output<typeof BotChange>) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));

/** The account's bot; the bot of another account counts as unknown. */
export const readBot = async (
  models: ReadModels,
  accountId: string,
  botId: string,
): Promise<BotDocument> => {
  const bot = await models.get(bots, botId);
  if (bot?.accountId !== accountId)
    throw models.notFound(new AppError('bot.unknown', 'Bot not found'));
  return bot;
};

const listed = async (models: ReadModels, found: readonly BotDocument[]) => {
  const ids = found.flatMap((bot) => bot.phoneNumberId ?? []);
  const known = await models.getMany(numbers, [...new Set(ids)]);
  const shown = new Map(known.map((number) => [number.phoneNumberId, number.displayPhoneNumber]));
  return found.map(({ phoneNumberId: id, ...bot }) => ({
    ...pick(BotSummary, bot),
    phoneNumber:
      id === null ? null : { phoneNumberId: id, displayPhoneNumber: shown.get(id) ?? '' },
  }));
};

const common = { access: 'key', tags: ['Bots'], reads: [bots] } as const;
const one = { ...common, path: '/v1/bots/:botId' } as const;

const listRoute = defineRoute({
  ...common,
  method: 'GET',
  path: '/v1/bots',
  scope: 'bots:read',
  summary: 'List the bots of the account, newest first',
  responses: { 200: z.array(BotListed) },
  errors: [],
  reads: [bots, numbers],
  async handle(_, { key, models }) {
    const found = await models.all(key.accountId, bots, {
      where: { accountId: key.accountId },
      order: { field: 'order', direction: 'descending' },
      limit: LIST_MAX,
      // A graph may be large, and the list does not show it.
      fields: LISTED_FIELDS,
    });
    return listed(models, found);
  },
});

const readRoute = defineRoute({
  ...one,
  method: 'GET',
  scope: 'bots:read',
  summary: 'Read one bot with its graph',
  responses: { 200: BotFull },
  errors: ['bot.unknown'],
  handle: async ({ params }, { key, models }) =>
    pick(BotFull, await readBot(models, key.accountId, params.botId)),
});

const createRoute = (commands: Bots) =>
  defineRoute({
    ...common,
    method: 'POST',
    path: '/v1/bots',
    scope: 'bots:write',
    summary: 'Create a bot',
    request: { body: NewBot },
    responses: { 201: BotFull },
    free: true,
    errors: ['number.unknown', 'request.invalid', 'resource.conflict'],
    async handle({ body }, { key, requestId, now, upToDate }) {
      const id = await commands.create(body, actingFor({ key, requestId }));
      const made = await (await upToDate()).get(bots, id);
      // The bot exists even while the read models lag or are halted.
      const fresh = { ...body, id, totalExecutions: 0, lastExecutedAt: null };
      return reply(201, pick(BotFull, made ?? { ...fresh, createdAt: isoTime(now) }));
    },
  });

const changeRoute = (commands: Bots) =>
  defineRoute({
    ...one,
    method: 'PATCH',
    scope: 'bots:write',
    summary: 'Change a bot: only the fields that are sent',
    request: { body: BotChange },
    responses: { 200: BotFull },
    free: true,
    errors: ['bot.unknown', 'number.unknown', 'request.invalid'],
    async handle({ params, body }, { key, requestId, upToDate }) {
      const { accountId } = key;
      await commands.update(params.botId, sent(body), actingFor({ key, requestId }));
      return pick(BotFull, await readBot(await upToDate(), accountId, params.botId));
    },
  });

const deleteRoute = (commands: Bots) =>
  defineRoute({
    ...one,
    method: 'DELETE',
    scope: 'bots:write',
    summary: 'Delete a bot for good',
    responses: { 200: z.object({ success }) },
    free: true,
    errors: ['bot.unknown'],
    async handle({ params }, { key, requestId }) {
      await commands.remove(params.botId, actingFor({ key, requestId }));
      return { success: true as const };
    },
  });

/** Contract 4.18 to 4.22. */
export const botRoutes = ({ bots: commands }: { bots: Bots }): readonly JsonRoute[] => [
  listRoute,
  readRoute,
  createRoute(commands),
  changeRoute(commands),
  deleteRoute(commands),
];

/** Graphs of one page, in bytes. The version that exceeds it is the last of its page. */
const PAGE_BYTES_MAX = 1024 * 1024;
/** Events of one read; an event has a graph of up to 256 KB. */
const READ_EVENTS = 8;

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
    nodes: z.array(verbatim).describe('React Flow nodes of this version.'),
    edges: z.array(verbatim).describe('React Flow edges of this version.'),
  })
  .meta({ id: 'BotVersion' });

/** What a bot was after each of its changes, out of its own stream. */
export const botVersionRoutes = ({ store }: { store: EventReader }): readonly JsonRoute[] => {
  /** The newest versions below `end`, and whether older ones are left. */
  const versionsOf = async (stream: string, limit: number, end: number | undefined) => {
    const versions: z.input<typeof BotVersion>[] = [];
    let below = end;
    for (let bytes = 0; versions.length < limit && bytes < PAGE_BYTES_MAX && below !== 0; ) {
      const read = await store.read(stream, {
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
        const stream = botStream(key.accountId, bot.id);
        const end = query.cursor === undefined ? undefined : Number.parseInt(query.cursor, 10) || 0;
        const { versions, left } = await versionsOf(stream, query.limit, end);
        return { versions, nextCursor: left === 0 ? null : encodeCursor(String(left)) };
      },
    }),
  ];
};
