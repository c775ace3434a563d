import { type BotRunEndReason, conversationIdIn } from '../events/conversation.ts';
import type { EventOf, KnownEvent } from '../events/index.ts';
import type { Position } from '../events/store.ts';
import { type Destroyed, defineProjection } from './define.ts';
import {
  type HeldFields,
  heldBy,
  heldIn,
  monthsOf,
  type SealedMonths,
  unlessDestroyed,
} from './sealed-fields.ts';

/** A run of a bot with its progress. Its nodes are in the stream of its conversation. */
export interface BotRunDocument extends SealedMonths {
  id: string;
  botId: string;
  /** The conversation whose stream has the run's events. */
  conversationId: string;
  accountId: string;
  phoneNumberId: string;
  contactRef: string;
  /** The contact's id in the account; null once it was erased. */
  waId: string | null;
  userId: string | null;
  contactName: string | null;
  /** The message that started the run; null when a preference did, and once it was erased. */
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
  /** The lane of its account while it waits or acts; null otherwise. */
  lane: string | null;
  /** Its place in the lane: `phaseAt`, then its id. */
  due: string | null;
  order: Position;
}

type Started = EventOf<'BotRunStarted'>;

const runId = (event: { data: { runId: string } }) => event.data.runId;

type Personal = HeldFields<'waId' | 'userId' | 'contactName' | 'messageId' | 'detail'>;
type Rest = Omit<BotRunDocument, keyof SealedMonths | keyof Personal>;

const personalIn = (run: BotRunDocument): Personal => ({
  waId: heldBy(run, 'waId', run.waId),
  userId: heldBy(run, 'userId', run.userId),
  contactName: heldBy(run, 'contactName', run.contactName),
  messageId: heldBy(run, 'messageId', run.messageId),
  detail: heldBy(run, 'detail', run.detail),
});

/** A document of its parts. */
const compose = (rest: Rest, held: Personal): BotRunDocument => {
  const { laterMonths: _, ...run } = rest as Rest & Partial<SealedMonths>;
  return {
    ...run,
    waId: held.waId?.value ?? null,
    userId: held.userId?.value ?? null,
    contactName: held.contactName?.value ?? null,
    messageId: held.messageId?.value ?? null,
    detail: held.detail?.value ?? null,
    ...monthsOf(held),
  };
};

const erase = (run: BotRunDocument, destroyed: Destroyed): BotRunDocument => {
  const { waId, userId, contactName, messageId, detail } = personalIn(run);
  return compose(run, {
    waId: unlessDestroyed(waId, destroyed),
    userId: unlessDestroyed(userId, destroyed),
    contactName: unlessDestroyed(contactName, destroyed),
    messageId: unlessDestroyed(messageId, destroyed),
    detail: unlessDestroyed(detail, destroyed),
  });
};

const begun = (event: Started): BotRunDocument => {
  const { data, meta, revision, position, stream } = event;
  const run: Rest = {
    id: data.runId,
    botId: data.botId,
    conversationId: conversationIdIn(stream),
    accountId: data.accountId,
    phoneNumberId: data.phoneNumberId,
    contactRef: data.contactRef,
    phase: 'ready',
    open: true,
    phaseAt: meta.at,
    waitsFor: null,
    nodeId: null,
    steps: 0,
    reason: null,
    startedAt: meta.at,
    endedAt: null,
    fromRevision: revision,
    toRevision: revision,
    lane: null,
    due: null,
    order: position,
  };
  return compose(run, {
    waId: heldIn(event, data.waId),
    userId: heldIn(event, data.userId),
    contactName: heldIn(event, data.contactName),
    messageId: heldIn(event, data.messageId),
    detail: null,
  });
};

/** Nodes that the run left before the event. */
const leftBy = ({ type, data }: KnownEvent): number => {
  if (type === 'BotRunStepped') return 1;
  return 'stepCount' in data ? data.stepCount : 0;
};

/** Applies an event's change and its revision to a run. */
const moved = (
  run: BotRunDocument | undefined,
  event: KnownEvent,
  change: Partial<Rest> & Pick<Rest, 'phase'>,
): BotRunDocument | undefined => {
  if (!run) return undefined;
  const steps = run.steps + leftBy(event);
  const next = { ...run, steps, toRevision: event.revision, ...change };
  const isTimed = next.phase === 'waiting' || next.phase === 'acting';
  return {
    ...next,
    lane: isTimed ? next.accountId : null,
    due: isTimed ? `${next.phaseAt} ${next.id}` : null,
  };
};

/** Runs of bots, for their owners, and to find runs whose wait is over. */
export const botRuns = defineProjection<BotRunDocument>({
  name: 'botruns',
  version: 8,
  indexes: [
    ['botId', '-order'],
    ['lane', 'due?'],
    ['lane?'],
    ['accountId', 'phoneNumberId', 'open', 'order'],
    ['contactRef', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  words: ['accountId', 'phase', 'phoneNumberId'],
  erase: { by: 'contactRef', document: erase },
  on: {
    BotRunStarted: {
      key: runId,
      fold: (_, event) => begun(event),
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
        const ended = { ...end, reason, nodeId: nodeId ?? run?.nodeId ?? null };
        const next = moved(run, event, ended);
        return next && compose(next, { ...personalIn(next), detail: heldIn(event, detail) });
      },
    },
  },
});
