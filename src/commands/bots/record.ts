import {
  BotActionStarted,
  BotRunAnswered,
  BotRunEnded,
  type BotRunEndReason,
  type BotRunFact,
  BotRunStarted,
  BotRunStepped,
  BotRunWaiting,
  BotsSilenced,
} from '../../events/conversation.ts';
import { isoTime } from '../../shared/clock.ts';
import type { Inbound } from './inbound.ts';
import type { Input } from './interpreter.ts';
import type { Next, Phase, Run, Turn } from './run.ts';

/** Whose run it is, beside what the run itself knows. */
export interface RunOwner {
  accountId: string;
  phoneNumberId: string;
  /** Revision of the bot's stream whose graph the run follows. */
  botRevision: number;
  /** Which link of the number the run belongs to; null for one begun before links were counted. */
  link: number | null;
}

const idsOf = ({ runId, botId }: Run) => ({ runId, botId });

/** Says that a run began; what its first turn did comes behind it, in the same append. */
export const startFact = (run: Run, inbound: Inbound, owner: RunOwner): BotRunFact =>
  BotRunStarted.of({
    ...idsOf(run),
    ...owner,
    waId: run.contact.waId,
    contactName: run.contact.name,
    messageId: inbound.messageId,
    messageRevision: inbound.revision,
    text: run.text,
  });

/** Says that a run ended for a reason that is not its own, such as that its bot was deleted. */
export const endFact = (
  run: Run,
  reason: BotRunEndReason,
  { accountId }: Pick<RunOwner, 'accountId'>,
): BotRunFact =>
  BotRunEnded.of({ ...idsOf(run), accountId, nodeId: run.nodeId, reason, detail: null });

const nextFacts = (run: Run, next: Next, accountId: string, now: number): BotRunFact[] => {
  const ids = idsOf(run);
  const { nodeId } = next;
  switch (next.kind) {
    case 'send':
    case 'request': {
      const attempts = next.kind === 'send' ? next.attempts : 0;
      const startedAt = isoTime(now);
      return [
        BotActionStarted.of({ ...ids, nodeId: next.nodeId, kind: next.kind, attempts, startedAt }),
      ];
    }
    case 'wait': {
      const { attempts, messageId } = next;
      const until = isoTime(next.until);
      const waiting = { ...ids, nodeId: next.nodeId, kind: next.for, until, attempts, messageId };
      return [BotRunWaiting.of(waiting)];
    }
    case 'end': {
      const { reason, detail, silentUntil } = next;
      const end = BotRunEnded.of({ ...ids, accountId, nodeId, reason, detail });
      if (silentUntil === null) return [end];
      return [end, BotsSilenced.of({ ...ids, until: isoTime(silentUntil) })];
    }
  }
};

/** What a turn has made happen, in order. They belong into one append, before `next` is done. */
export const turnFacts = (
  input: Input,
  { run, steps, next }: Turn,
  { accountId, now }: { accountId: string; now: number },
): BotRunFact[] => {
  const ids = idsOf(run);
  const answered =
    input.type === 'reply'
      ? [
          BotRunAnswered.of({
            ...ids,
            messageId: input.inbound.messageId,
            messageRevision: input.inbound.revision,
            text: input.inbound.text,
          }),
        ]
      : [];
  const stepped = steps.map((step) => BotRunStepped.of({ ...ids, ...step }));
  return [...answered, ...stepped, ...nextFacts(run, next, accountId, now)];
};

/** What a contact's conversation knows of bots. Plain JSON. */
export interface BotState {
  /** The run in progress; a contact has one at most. */
  run: Run | null;
  owner: RunOwner | null;
  /** Until when bots keep quiet, in ms. */
  silentUntil: number | null;
  /** When bots began to send their latest messages, in ms, oldest first. */
  sentAt: readonly number[];
  /** Revision of the last message that a bot took; what is not newer is seen again. */
  takenRevision: number;
}

export const noBots: BotState = {
  run: null,
  owner: null,
  silentUntil: null,
  sentAt: [],
  takenRevision: -1,
};

const MINUTE_MS = 60_000;
const SENT_KEPT = 20;

/** Messages that bots have sent to the contact in the minute before. */
export const recentMessages = ({ sentAt }: BotState, now: number): number =>
  sentAt.filter((at) => at > now - MINUTE_MS).length;

/** Folds what has happened into the state, so that a run goes on where a dead process left it. */
export const evolveBots = (state: BotState, fact: BotRunFact): BotState => {
  if (fact.type === 'BotRunStarted') {
    const { runId, botId, waId, contactName, text, messageRevision } = fact.data;
    const { accountId, phoneNumberId, botRevision, link } = fact.data;
    const contact = { waId, name: contactName };
    const fresh = { nodeId: null, phase: { kind: 'ready' as const }, variables: {}, steps: 0 };
    const owner = { accountId, phoneNumberId, botRevision, link };
    const run = { runId, botId, contact, text, ...fresh };
    return { ...state, run, owner, takenRevision: messageRevision };
  }
  if (fact.type === 'BotsSilenced') {
    return { ...state, silentUntil: Date.parse(fact.data.until) };
  }
  const { run } = state;
  if (!run || run.runId !== fact.data.runId) return state;
  const stand = (nodeId: string, phase: Phase) => ({ ...run, nodeId, phase });
  switch (fact.type) {
    case 'BotRunAnswered': {
      const { text, messageRevision } = fact.data;
      return { ...state, run: { ...run, text, steps: 0 }, takenRevision: messageRevision };
    }
    case 'BotRunStepped': {
      const { nodeId, nextNodeId } = fact.data;
      const variables = { ...run.variables, ...fact.data.variables };
      const stood = stand(nextNodeId ?? nodeId, { kind: 'ready' });
      return { ...state, run: { ...stood, variables, steps: run.steps + 1 } };
    }
    case 'BotActionStarted': {
      const { nodeId, kind, attempts, startedAt } = fact.data;
      if (kind === 'request') return { ...state, run: stand(nodeId, { kind: 'requesting' }) };
      const sentAt = [...state.sentAt, Date.parse(startedAt)].slice(-SENT_KEPT);
      return { ...state, sentAt, run: stand(nodeId, { kind: 'sending', attempts }) };
    }
    case 'BotRunWaiting': {
      const { nodeId, kind, attempts } = fact.data;
      const until = Date.parse(fact.data.until);
      const waits = { kind: 'waiting' as const, attempts, until };
      return {
        ...state,
        run: stand(nodeId, kind === 'reply' ? waits : { kind: 'delaying', until }),
      };
    }
    case 'BotRunEnded':
      return { ...state, run: null, owner: null };
  }
};
