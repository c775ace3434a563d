import { z } from 'zod';
import { Edges, GRAPH_BYTES_MAX, graphBytes, Nodes } from '../../commands/bots/graph.ts';
import { chooseBot } from '../../commands/bots/matching.ts';
import { simulateInTurns } from '../../commands/bots/simulate.ts';
import {
  type SimulatedMessage,
  SimulatedMessages,
  SimulatedResponses,
  Simulation,
} from '../../commands/bots/simulation.ts';
import { validateGraph } from '../../commands/bots/validate.ts';
import { isUserId } from '../../events/contact.ts';
import { type BotDocument, bots } from '../../projections/bots.ts';
import { createHeavyWork } from '../../shared/heavy-work.ts';
import { createInFlight } from '../edge/limits.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { invalid } from '../route/validation.ts';
import { readBot } from './bots.ts';

const Problem = z.object({
  nodeId: z.string().nullable().describe('The node with the problem, or null.'),
  edgeId: z.string().nullable().describe('The edge with the problem, or null.'),
  message: z.string().describe('The problem in one sentence.'),
});

const Graph = z
  .object({
    nodes: z.unknown().describe('Nodes instead of the stored ones.'),
    edges: z.unknown().describe('Edges instead of the stored ones.'),
  })
  .partial();

const Validation = z.object({
  valid: z.boolean().describe('True without problems.'),
  problems: z.array(Problem).describe('Everything that would stop the bot.'),
});

const SimulationAnswer = Simulation.extend({
  wouldStart: z
    .boolean()
    .nullable()
    .describe(
      'Whether the first message would start the active bot by its trigger and keywords. Null without a first message.',
    ),
});

const SimulationBody = z.object({
  messages: SimulatedMessages.describe('What the customer does, in order.'),
  contact: z
    .object({
      waId: z
        .string()
        .regex(/^\d{5,20}$/, 'must be digits only')
        .nullable()
        .describe("The customer's number, digits only; null for one who hides it."),
      userId: z
        .string()
        .refine(isUserId, 'must be a user id of the provider, such as US.13491208655302741918')
        .nullable()
        .describe("The provider's id of the customer."),
      name: z.string().max(200).nullable().describe("Name in the customer's profile."),
    })
    .partial()
    .optional()
    .describe('The simulated customer.'),
  nodes: Nodes.optional().describe('Nodes instead of the stored ones.'),
  edges: Edges.optional().describe('Edges instead of the stored ones.'),
  httpResponses: SimulatedResponses.default({}).describe(
    'Responses of URLs by node id. Every other call fails.',
  ),
});

/** Whether the first message would start this bot; a simulation starts it in any case. */
const wouldStart = (bot: BotDocument, [first]: readonly SimulatedMessage[]): boolean | null => {
  if (!first || 'wait' in first) return null;
  const kind = 'text' in first ? 'message' : 'buttonId' in first ? 'button' : 'list';
  const text = 'text' in first ? first.text : '';
  const inbound = { messageId: null, revision: 0, kind, text, choice: null } as const;
  return chooseBot([{ ...bot, botId: bot.id }], bot.phoneNumberId ?? '', inbound) !== undefined;
};

/** What is simulated: the given graph, or the stored one. Throws for a graph that is too large. */
const requestOf = (
  { messages, httpResponses, contact, ...given }: z.output<typeof SimulationBody>,
  bot: BotDocument,
) => {
  const graph = { nodes: given.nodes ?? bot.nodes, edges: given.edges ?? bot.edges };
  if (graphBytes(graph) > GRAPH_BYTES_MAX) {
    const message = `nodes and edges together are larger than ${GRAPH_BYTES_MAX} bytes`;
    throw invalid([{ path: ['nodes'], message }]);
  }
  const { waId = CONTACT.waId, userId = null, name = CONTACT.name } = contact ?? {};
  return { graph, messages, httpResponses, contact: { waId, userId, name } };
};

/** Simulations of one account at a time. */
const RUNNING_MAX = 2;

const CONTACT = { waId: '15550100000', name: 'Customer' };

/** Checks and simulates a graph, without sending, calling or charging. */
export const botGraphRoutes = (
  inTurn = createHeavyWork(),
  inFlight = createInFlight(
    RUNNING_MAX,
    Number.POSITIVE_INFINITY,
    `${RUNNING_MAX} simulations of this account are running`,
  ),
): readonly JsonRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/bots/:botId/validate',
    access: 'key',
    scope: 'bots:read',
    summary: 'Find the problems of the stored graph, or of the graph in the request',
    answer: 'Everything that would stop the bot.',
    tags: ['Bots'],
    request: { body: Graph },
    responses: { 200: Validation },
    errors: ['bot.unknown'],
    reads: [bots],
    async handle({ params, body }, { key, upToDate }) {
      const { accountId } = key;
      const bot = await readBot(await upToDate(), accountId, params.botId);
      const check = () => validateGraph(body.nodes ?? bot.nodes, body.edges ?? bot.edges);
      return inTurn(accountId, check);
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/bots/:botId/simulate',
    access: 'key',
    scope: 'bots:read',
    summary: 'Simulate a bot, without sends, calls and charges',
    description:
      'The first message starts the bot with any trigger; `wouldStart` says whether it would in ' +
      'production. An `http_request` leads to `error` unless `httpResponses` has its response.',
    answer: "The conversation, and the bot's way through its graph.",
    tags: ['Bots'],
    request: { body: SimulationBody },
    responses: { 200: SimulationAnswer },
    errors: ['bot.unknown', 'request.invalid'],
    reads: [bots],
    async handle({ params, body }, { key: { accountId }, now, upToDate }) {
      const leave = inFlight.enter(accountId);
      try {
        const bot = await readBot(await upToDate(), accountId, params.botId);
        const request = { ...requestOf(body, bot), now };
        const played = await simulateInTurns(inTurn, accountId, request);
        return { ...played, wouldStart: wouldStart(bot, body.messages) };
      } finally {
        leave();
      }
    },
  }),
];
