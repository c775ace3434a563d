import { type BotRunEndReason, conversationIdIn, expandSteps } from '../events/conversation.ts';
import type { KnownEvent } from '../events/index.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** A run of a bot with its progress. Its nodes are in the stream of its conversation. */
export interface BotRunDocument {
  id: string;
  botId: string;
  /** The conversation whose stream has the run's events. */
  conversationId: string;
  accountId: string;
  phoneNumberId: string;
  /** The contact's id in the account. */
  waId: string;
  userId: string | null;
  contactName: string | null;
  /** The message that started the run; null when a preference did. */
  messageId: string | null;
  /** `acting` during a send or a call. */
  phase: 'ready' | 'acting' | 'waiting' | 'ended';
  /** False once the run has ended. */
  open: boolean;
  /** End of a wait, or start of an action. */
  phaseAt: string;
  waitsFor: 'reply' | 'delay' | null;
  nodeId: string | null;
  /** Nodes left so far. */
  steps: number;
  reason: BotRunEndReason | null;
  detail: string | null;
  startedAt: string;
  endedAt: string | null;
  /** Revisions of its first and its newest event in the conversation's stream. */
  fromRevision: number;
  toRevision: number;
  order: Position;
}

const runId = (event: { data: { runId: string } }) => event.data.runId;

/** Applies an event's change and its revision to a run. */
const moved = (
  run: BotRunDocument | undefined,
  event: KnownEvent,
  change: Partial<BotRunDocument>,
): BotRunDocument | undefined => {
  if (!run) return undefined;
  const steps =
    run.steps + expandSteps(event).filter(({ type }) => type === 'BotRunStepped').length;
  return { ...run, steps, toRevision: event.revision, ...change };
};

/** Runs of bots, for their owners, and to find runs whose wait is over. */
export const botRuns = defineProjection<BotRunDocument>({
  name: 'botruns',
  version: 5,
  indexes: [
    ['botId', '-order'],
    ['phase', 'phaseAt'],
    ['accountId', 'phoneNumberId', 'open', 'order'],
  ],
  words: ['accountId', 'phase', 'phoneNumberId'],
  on: {
    BotRunStarted: {
      key: runId,
      fold: (_, { data, meta, revision, position, stream }) => ({
        id: data.runId,
        botId: data.botId,
        conversationId: conversationIdIn(stream),
        accountId: data.accountId,
        phoneNumberId: data.phoneNumberId,
        waId: data.waId,
        userId: data.userId,
        contactName: data.contactName,
        messageId: data.messageId,
        phase: 'ready',
        open: true,
        phaseAt: meta.at,
        waitsFor: null,
        nodeId: null,
        steps: 0,
        reason: null,
        detail: null,
        startedAt: meta.at,
        endedAt: null,
        fromRevision: revision,
        toRevision: revision,
        order: position,
      }),
    },
    BotRunAnswered: {
      key: runId,
      fold: (run, event) => moved(run, event, { phase: 'ready', waitsFor: null }),
    },
    BotActionStarted: {
      key: runId,
      fold: (run, event) => {
        const { nodeId, startedAt: phaseAt } = event.data;
        return moved(run, event, { phase: 'acting', phaseAt, waitsFor: null, nodeId });
      },
    },
    BotRunStepped: {
      key: runId,
      fold: (run, event) => {
        const nodeId = event.data.nextNodeId ?? event.data.nodeId;
        return moved(run, event, { phase: 'ready', waitsFor: null, nodeId });
      },
    },
    BotRunWaiting: {
      key: runId,
      fold: (run, event) => {
        const { nodeId, kind: waitsFor, until: phaseAt } = event.data;
        return moved(run, event, { phase: 'waiting', phaseAt, waitsFor, nodeId });
      },
    },
    BotRunEnded: {
      key: runId,
      fold: (run, event) => {
        const { reason, detail, nodeId } = event.data;
        const { at: endedAt } = event.meta;
        const end = {
          phase: 'ended',
          open: false,
          phaseAt: endedAt,
          waitsFor: null,
          endedAt,
        } as const;
        return moved(run, event, { ...end, reason, detail, nodeId: nodeId ?? run?.nodeId ?? null });
      },
    },
  },
});
