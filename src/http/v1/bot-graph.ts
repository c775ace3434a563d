import { z } from 'zod';
import { Edges, GRAPH_BYTES_MAX, graphBytes, Nodes } from '../../commands/bots/graph.ts';
import { chooseBot } from '../../commands/bots/matching.ts';
import { simulate } from '../../commands/bots/simulate.ts';
import {
  type SimulatedMessage,
  SimulatedMessages,
  SimulatedResponses,
} from '../../commands/bots/simulation.ts';
import { validateGraph } from '../../commands/bots/validate.ts';
import { BotRunEndReason } from '../../events/conversation.ts';
import { type BotDocument, bots } from '../../projections/bots.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { invalid } from '../route/validation.ts';
import { readBot } from './bots.ts';
import { iso } from './schemas.ts';

const verbatim = z.record(z.string(), z.unknown());

const Problem = z.object({
  nodeId: z.string().nullable(),
  edgeId: z.string().nullable(),
  message: z.string(),
});

const TranscriptEntry = z.object({
  direction: z.enum(['inbound', 'outbound']),
  type: z.string(),
  text: z.string().nullable(),
  nodeId: z.string().nullable(),
  at: iso,
  buttonId: z.string().optional(),
  rowId: z.string().optional(),
  content: verbatim.optional(),
});

export const BotStep = z.object({
  nodeId: z.string(),
  nodeType: z.string(),
  outcome: z.string().nullable(),
  nextNodeId: z.string().nullable(),
  messageId: z.string().nullable(),
  httpStatus: z.int().nullable(),
  detail: z.string().nullable(),
  variables: verbatim,
});

const Simulation = z.object({
  transcript: z.array(TranscriptEntry),
  path: z.array(z.string()),
  steps: z.array(BotStep),
  variables: verbatim,
  ended: z.boolean(),
  reason: z.union([BotRunEndReason, z.enum(['reply', 'delay'])]).nullable(),
  detail: z.string().nullable(),
  wouldStart: z
    .boolean()
    .nullable()
    .describe(
      'Whether the first message would set this bot to work, live: its trigger, its keywords, and ' +
        'whether it is active. Null when nobody writes first.',
    ),
});

const SimulationBody = z.object({
  messages: SimulatedMessages,
  contact: z
    .object({
      waId: z.string().regex(/^\d{5,20}$/, 'must be digits only'),
      name: z.string().max(200).nullable(),
    })
    .partial()
    .optional(),
  nodes: Nodes.optional(),
  edges: Edges.optional(),
  httpResponses: SimulatedResponses.default({}),
});

/** Whether the first message would start this bot; a simulation starts it in any case. */
const wouldStart = (bot: BotDocument, [first]: readonly SimulatedMessage[]): boolean | null => {
  if (!first || 'wait' in first) return null;
  const kind = 'text' in first ? 'message' : 'buttonId' in first ? 'button' : 'list';
  const text = 'text' in first ? first.text : '';
  const inbound = { messageId: null, revision: 0, kind, text, choice: null } as const;
  return chooseBot([{ ...bot, botId: bot.id }], bot.phoneNumberId ?? '', inbound) !== undefined;
};

const CONTACT = { waId: '15550100000', name: 'Customer' };

/** Checks and simulates a graph, without sending, calling or charging. */
export const botGraphRoutes: readonly JsonRoute[] = [
  defineRoute({
    method: 'POST',
    path: '/v1/bots/:botId/validate',
    access: 'key',
    scope: 'bots:read',
    summary: 'Find what would stop a bot: in its stored graph, or in the one that is sent',
    tags: ['Bots'],
    request: { body: z.object({ nodes: z.unknown(), edges: z.unknown() }).partial() },
    responses: { 200: z.object({ valid: z.boolean(), problems: z.array(Problem) }) },
    errors: ['bot.unknown'],
    reads: [bots],
    async handle({ params, body }, { key, upToDate }) {
      const bot = await readBot(await upToDate(), key.accountId, params.botId);
      return validateGraph(body.nodes ?? bot.nodes, body.edges ?? bot.edges);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/bots/:botId/simulate',
    access: 'key',
    scope: 'bots:read',
    summary: 'Play a bot through, with nothing sent, called or charged',
    description:
      'The first message sets the bot to work whatever its trigger; `wouldStart` says whether it ' +
      'would live. An `http_request` answers ' +
      '`error` unless `httpResponses` says what its URL answers.',
    tags: ['Bots'],
    request: { body: SimulationBody },
    responses: { 200: Simulation },
    errors: ['bot.unknown', 'request.invalid'],
    reads: [bots],
    async handle({ params, body }, { key, now, upToDate }) {
      const bot = await readBot(await upToDate(), key.accountId, params.botId);
      const graph = { nodes: body.nodes ?? bot.nodes, edges: body.edges ?? bot.edges };
      if (graphBytes(graph) > GRAPH_BYTES_MAX) {
        const message = `nodes and edges together are larger than ${GRAPH_BYTES_MAX} bytes`;
        throw invalid([{ path: ['nodes'], message }]);
      }
      const { messages, httpResponses } = body;
      const contact = {
        waId: body.contact?.waId ?? CONTACT.waId,
        name: body.contact?.name === undefined ? CONTACT.name : body.contact.name,
      };
      const played = simulate({ graph, messages, contact, httpResponses, now });
      return { ...played, wouldStart: wouldStart(bot, messages) };
    },
  }),
];
