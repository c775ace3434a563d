import { z } from 'zod';
import { AllVariables, BotStep } from '../../commands/bots/simulation.ts';
import { BotRunEndReason, conversationStream, expandSteps } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { type BotRunDocument, botRuns } from '../../projections/bot-runs.ts';
import { bots } from '../../projections/bots.ts';
import { AppError } from '../../shared/errors.ts';
import { pageOf, pageQuery, readPage } from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { readBot } from './bots.ts';
import { presentContact } from './present-contact.ts';
import { Contact, erased, iso } from './schemas.ts';

/** Events of a conversation that are searched for the events of one run. */
const EVENTS_MAX = 1000;

const Run = z
  .object({
    id: z.string().describe('Id of the run.'),
    botId: z.string().describe('Id of the bot.'),
    phoneNumberId: z.string().describe("The provider's phone number id."),
    contact: Contact.nullable().describe('The customer; null once erased.'),
    erased,
    messageId: z
      .string()
      .nullable()
      .describe('The message that started the run, if any; null once erased.'),
    state: z.enum(['running', 'waiting', 'ended']).describe('State of the run.'),
    waitsFor: z.enum(['reply', 'delay']).nullable().describe('What a waiting run waits for.'),
    waitsUntil: iso.nullable().describe('End of the wait, ISO 8601, or null.'),
    nodeId: z.string().nullable().describe('The current node, or null.'),
    stepCount: z.int().describe('Number of completed nodes.'),
    reason: BotRunEndReason.nullable().describe('Why the run ended, or null.'),
    detail: z.string().nullable().describe('Detail of the reason.'),
    startedAt: iso.describe('Start of the run, ISO 8601.'),
    endedAt: iso.nullable().describe('End of the run, ISO 8601, or null.'),
  })
  .meta({ id: 'Run' });

const RunStep = BotStep.extend({ at: iso.describe('Time of the step, ISO 8601.') }).meta({
  id: 'BotRunStep',
});

const RunInFull = Run.extend({
  path: z.array(z.string()).describe('The reached nodes in order.'),
  steps: z.array(RunStep).describe('The completed nodes.'),
  variables: AllVariables,
  truncated: z.boolean().describe('True when the run has more steps than the response.'),
});

const stateOf = ({ phase }: BotRunDocument): 'running' | 'waiting' | 'ended' =>
  phase === 'ready' || phase === 'acting' ? 'running' : phase;

const present = (run: BotRunDocument) => ({
  id: run.id,
  botId: run.botId,
  phoneNumberId: run.phoneNumberId,
  ...presentContact(run),
  messageId: run.messageId,
  state: stateOf(run),
  waitsFor: run.waitsFor,
  waitsUntil: run.phase === 'waiting' ? run.phaseAt : null,
  nodeId: run.nodeId,
  stepCount: run.steps,
  reason: run.reason,
  detail: run.detail,
  startedAt: run.startedAt,
  endedAt: run.endedAt,
});

type Step = z.input<typeof BotStep> & { at: string };

/** The completed nodes, each with its effect. */
const stepsOf = (events: readonly KnownEvent[]): Step[] => {
  const steps: Step[] = [];
  // A waiting node has sent its message before it completes.
  let asked: string | null = null;
  for (const event of events.flatMap<KnownEvent>(expandSteps)) {
    if (event.type === 'BotRunWaiting') asked = event.data.messageId ?? asked;
    if (event.type !== 'BotRunStepped') continue;
    const { runId: _, botId: __, ...step } = event.data;
    steps.push({ at: event.meta.at, ...step, messageId: step.messageId ?? asked });
    asked = null;
  }
  return steps;
};

/** The runs of a bot, node by node. */
export const botRunRoutes = ({ store }: { store: EventReader }): readonly JsonRoute[] => {
  const reads = [bots, botRuns];

  const eventsOf = async (run: BotRunDocument) => {
    const stream = conversationStream(run.conversationId);
    const read = await store.read(stream, { from: run.fromRevision, limit: EVENTS_MAX });
    return (read as KnownEvent[]).filter(({ data }) => 'runId' in data && data.runId === run.id);
  };

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/bots/:botId/runs',
      access: 'key',
      scope: 'bots:read',
      summary: 'List the runs of a bot, newest first',
      answer: 'One page of runs, each with its state.',
      tags: ['Bots'],
      request: { query: z.object(pageQuery) },
      responses: { 200: pageOf('runs', Run) },
      errors: ['bot.unknown'],
      reads,
      async handle({ params, query }, { key, models }) {
        const bot = await readBot(models, key.accountId, params.botId);
        const where = { botId: bot.id };
        const { rows, nextCursor } = await readPage(models, key.accountId, botRuns, query, where);
        return { runs: rows.map(present), nextCursor };
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/bots/:botId/runs/:runId',
      access: 'key',
      scope: 'bots:read',
      summary: 'Read one run, node by node',
      tags: ['Bots'],
      responses: { 200: RunInFull },
      errors: ['bot.unknown', 'resource.unknown'],
      reads,
      async handle({ params }, { key, models }) {
        const bot = await readBot(models, key.accountId, params.botId);
        const run = await models.get(botRuns, params.runId);
        if (run?.botId !== bot.id)
          throw models.notFound(new AppError('resource.unknown', 'Run not found'));
        const steps = stepsOf(await eventsOf(run));
        const left = steps.map(({ nodeId }) => nodeId);
        const current = run.phase === 'ended' || run.nodeId === null ? [] : [run.nodeId];
        return {
          ...present(run),
          path: [...left, ...current],
          steps,
          variables: Object.assign({}, ...steps.map(({ variables }) => variables)),
          truncated: steps.length < run.steps,
        };
      },
    }),
  ];
};
