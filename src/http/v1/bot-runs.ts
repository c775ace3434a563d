import { z } from 'zod';
import { BotRunEndReason, conversationStream, expandSteps } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { type BotRunDocument, botRuns } from '../../projections/bot-runs.ts';
import { bots } from '../../projections/bots.ts';
import { AppError } from '../../shared/errors.ts';
import { pageQuery, readPage } from '../route/paging.ts';
import { defineRoute, type JsonRoute } from '../route/route.ts';
import { BotStep } from './bot-graph.ts';
import { readBot } from './bots.ts';
import { iso } from './schemas.ts';

/** Events of a conversation that are searched for those of one run. */
const EVENTS_MAX = 1000;

const Run = z.object({
  id: z.string(),
  botId: z.string(),
  phoneNumberId: z.string(),
  contact: z.object({ waId: z.string(), name: z.string().nullable() }),
  messageId: z.string().nullable(),
  state: z.enum(['running', 'waiting', 'ended']),
  waitsFor: z.enum(['reply', 'delay']).nullable(),
  waitsUntil: iso.nullable(),
  nodeId: z.string().nullable(),
  stepCount: z.int(),
  reason: BotRunEndReason.nullable(),
  detail: z.string().nullable(),
  startedAt: iso,
  endedAt: iso.nullable(),
});

const RunInFull = Run.extend({
  path: z.array(z.string()),
  steps: z.array(BotStep.extend({ at: iso })),
  variables: z.record(z.string(), z.unknown()),
  /** True when the run has more steps than the response shows. */
  truncated: z.boolean(),
});

const stateOf = ({ phase }: BotRunDocument): 'running' | 'waiting' | 'ended' =>
  phase === 'ready' || phase === 'acting' ? 'running' : phase;

const present = (run: BotRunDocument) => ({
  id: run.id,
  botId: run.botId,
  phoneNumberId: run.phoneNumberId,
  contact: { waId: run.waId, name: run.contactName },
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
      tags: ['Bots'],
      request: { query: z.object(pageQuery) },
      responses: { 200: z.object({ runs: z.array(Run), nextCursor: z.string().nullable() }) },
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
        const standing = run.phase === 'ended' || run.nodeId === null ? [] : [run.nodeId];
        return {
          ...present(run),
          path: [...left, ...standing],
          steps,
          variables: Object.assign({}, ...steps.map(({ variables }) => variables)),
          truncated: steps.length < run.steps,
        };
      },
    }),
  ];
};
