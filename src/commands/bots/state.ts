import { type ContactIds, idsOf } from '../../events/contact.ts';
import { type BotRunFact, expandSteps } from '../../events/conversation.ts';
import type { SealedUnder } from '../../events/sealing.ts';
import type { RunOwner } from './bot.ts';
import type { Graph } from './graph.ts';
import { createRun, type World } from './interpreter.ts';
import { type Phase, type Run, withMessage } from './run.ts';

/** The owner of the open run, and what became of the run's personal data. */
export interface OpenRunOwner extends RunOwner {
  /** Something that the run held cannot be read any more. */
  isErased: boolean;
  /** The oldest data key that seals something that the run holds; null in old logs. */
  sealedUnder: SealedUnder | null;
}

/** The bots' part of a conversation's state. Plain JSON. */
export interface BotsState {
  /** The open run; a contact has one at most. */
  run: Run | null;
  owner: OpenRunOwner | null;
  /** Until when no bot answers, in ms. */
  silentUntil: number | null;
  /** Times of the bots' latest messages, in ms, oldest first. */
  sentAt: readonly number[];
  /** Revision of the last message that a bot took. An older message is a repetition. */
  takenRevision: number;
  /** Bytes that runs have recorded. */
  recorded: {
    /** Since the message that a run took last. */
    forMessage: number;
    /** In the hour that began at `hourAt`, in ms. */
    inHour: number;
    hourAt: number;
  };
}

export const noBots: BotsState = {
  run: null,
  owner: null,
  silentUntil: null,
  sentAt: [],
  takenRevision: -1,
  recorded: { forMessage: 0, inHour: 0, hourAt: 0 },
};

const MINUTE_MS = 60_000;
const SENT_KEPT = 20;

const KB = 1024;
const HOUR_MS = 60 * MINUTE_MS;
/** Bytes that a run records for each message of the contact, beside the message itself. */
const MESSAGE_KB_MAX = 80;
/** Bytes that all runs with the contact record in an hour. */
const HOUR_KB_MAX = 256;
/** Bytes of an event beside its data. */
const FACT_BYTES = 400;

const timeOf = ({ type, data }: BotRunFact): number | null => {
  if (type === 'BotActionStarted') return Date.parse(data.startedAt);
  if (type !== 'BotRunStarted' && type !== 'BotRunAnswered') return null;
  return data.takenAt === null ? null : Date.parse(data.takenAt);
};

const addRecorded = (recorded: BotsState['recorded'], fact: BotRunFact): BotsState['recorded'] => {
  if (fact.data.runId === null) return recorded;
  // The customer wrote the text, however long: it must not use up the limit.
  const data = 'text' in fact.data ? { ...fact.data, text: '', flow: undefined } : fact.data;
  const bytes = FACT_BYTES + Buffer.byteLength(JSON.stringify(data));
  const takesMessage = fact.type === 'BotRunStarted' || fact.type === 'BotRunAnswered';
  const forMessage = takesMessage ? 0 : recorded.forMessage + bytes;
  const at = timeOf(fact);
  const isNewHour = at !== null && at - recorded.hourAt >= HOUR_MS;
  if (isNewHour) return { forMessage, inHour: bytes, hourAt: at };
  return { ...recorded, forMessage, inHour: recorded.inHour + bytes };
};

/** Adds what outlives a conversation of the same contact. */
export const takeInBots = (
  bots: BotsState,
  taken: { silentUntil: string | null; sentAt: readonly string[] },
): BotsState => {
  const until = taken.silentUntil === null ? 0 : Date.parse(taken.silentUntil);
  const sentAt = [...bots.sentAt, ...taken.sentAt.map((at) => Date.parse(at))];
  return {
    ...bots,
    silentUntil: Math.max(bots.silentUntil ?? 0, until) || null,
    sentAt: sentAt.sort((one, other) => one - other).slice(-SENT_KEPT),
  };
};

const recordLeft = ({ recorded }: BotsState, now: number): World['record'] => {
  const inHour = now - recorded.hourAt >= HOUR_MS ? 0 : recorded.inHour;
  const ofMessage = MESSAGE_KB_MAX * KB - recorded.forMessage;
  const ofHour = HOUR_KB_MAX * KB - inHour;
  return ofMessage < ofHour
    ? { bytes: ofMessage, detail: `more than ${MESSAGE_KB_MAX} KB to record for one message` }
    : { bytes: ofHour, detail: `more than ${HOUR_KB_MAX} KB to record in an hour` };
};

/** The circumstances of a turn of the contact's run. */
export const worldOf = (state: BotsState, graph: Graph, now: number): World => ({
  graph,
  now,
  recentMessages: state.sentAt.filter((at) => at > now - MINUTE_MS).length,
  record: recordLeft(state, now),
});

/** A contact with ids that were seen later. */
export const withIds = <C extends ContactIds>(contact: C, { waId, userId }: ContactIds): C => ({
  ...contact,
  waId: waId ?? contact.waId,
  userId: userId ?? contact.userId,
});

/** Folds the facts, so that a run continues where a process died. */
export const evolveBots = (state: BotsState, fact: BotRunFact): BotsState => {
  const { run, owner, ...rest } = expandSteps(fact).reduce(evolveOne, state);
  const steps = (state.run?.steps ?? 0) + leftBy(fact);
  return {
    ...rest,
    run: run && isRunOf(fact, state.run) && 'stepCount' in fact.data ? { ...run, steps } : run,
    owner: owner && isRunOf(fact, run) ? withKeyOf(owner, fact) : owner,
    recorded: addRecorded(state.recorded, fact),
  };
};

const isRunOf = ({ data }: BotRunFact, run: Run | null) => run?.runId === data.runId;

/** Counted, because what names the steps may be erased. */
const leftBy = ({ data }: BotRunFact): number => ('stepCount' in data ? data.stepCount : 0);

const withKeyOf = (owner: OpenRunOwner, { data, ...fact }: BotRunFact): OpenRunOwner => {
  const { sealedMonth: month, isErased } = fact;
  const isSealed = month !== undefined && !isErased && 'contactRef' in data;
  const under = isSealed ? { ref: data.contactRef, month } : null;
  return {
    ...owner,
    isErased: owner.isErased || isErased === true,
    sealedUnder: owner.sealedUnder ?? under,
  };
};

const evolveOne = (state: BotsState, fact: BotRunFact): BotsState => {
  if (fact.type === 'BotRunStarted') {
    const {
      runId,
      botId,
      waId,
      userId,
      contactName: name,
      messageRevision,
      text,
      flow,
    } = fact.data;
    const { accountId, phoneNumberId, contactRef, botRevision, link } = fact.data;
    const keys = { isErased: false, sealedUnder: null };
    const owner = { accountId, phoneNumberId, contactRef, botRevision, link, ...keys };
    const contact = { ...idsOf(waId, userId), name };
    const run = createRun({ runId, botId }, contact, { text: text ?? '', flow });
    return { ...state, run, owner, takenRevision: messageRevision };
  }
  if (fact.type === 'BotsSilenced') {
    return { ...state, silentUntil: Date.parse(fact.data.until) };
  }
  const { run } = state;
  if (!run || run.runId !== fact.data.runId) return state;
  const at = (nodeId: string, phase: Phase) => ({ ...run, nodeId, phase });
  switch (fact.type) {
    case 'BotRunAnswered': {
      const { text, flow, messageRevision, waId, userId } = fact.data;
      const contact = withIds(run.contact, { waId, userId });
      const answered = withMessage({ ...run, contact }, { text: text ?? '', flow });
      return { ...state, run: answered, takenRevision: messageRevision };
    }
    case 'BotRunStepped': {
      const { nodeId, nextNodeId } = fact.data;
      const variables = { ...run.variables, ...fact.data.variables };
      const ready = at(nextNodeId ?? nodeId, { kind: 'ready' });
      return { ...state, run: { ...ready, variables, steps: run.steps + 1 } };
    }
    case 'BotActionStarted': {
      const { nodeId, kind, attempts, startedAt } = fact.data;
      if (kind === 'request') {
        const requests = run.requests + 1;
        return { ...state, run: { ...at(nodeId, { kind: 'requesting' }), requests } };
      }
      const sentAt = [...state.sentAt, Date.parse(startedAt)].slice(-SENT_KEPT);
      return { ...state, sentAt, run: at(nodeId, { kind: 'sending', attempts }) };
    }
    case 'BotRunWaiting': {
      const { nodeId, kind, attempts } = fact.data;
      const until = Date.parse(fact.data.until);
      const waits = { kind: 'waiting' as const, attempts, until };
      return {
        ...state,
        run: at(nodeId, kind === 'reply' ? waits : { kind: 'delaying', until }),
      };
    }
    case 'BotRunEnded':
      return { ...state, run: null, owner: null };
  }
};

// What of the bots' state is personal: what the open run knows of the contact.

export type HiddenRun = Pick<Run, 'contact' | 'text' | 'flow' | 'variables'>;

const NOTHING: HiddenRun = {
  contact: { waId: null, userId: null, name: null },
  text: '',
  variables: {},
};

const withoutHidden = ({ flow: _, ...run }: Run): Run => ({ ...run, ...NOTHING });

/** The state without it; null where nothing of the run is sealed in the log. */
export const splitBots = (
  bots: BotsState,
): { clear: BotsState; hidden: HiddenRun; under: SealedUnder } | null => {
  const { run, owner } = bots;
  if (!run || !owner?.sealedUnder) return null;
  const { contact, text, flow, variables } = run;
  const hidden = { contact, text, ...(flow && { flow }), variables };
  return { clear: { ...bots, run: withoutHidden(run) }, hidden, under: owner.sealedUnder };
};

export const joinBots = (bots: BotsState, hidden: HiddenRun): BotsState => ({
  ...bots,
  run: bots.run && { ...bots.run, ...hidden },
});

/** What is the same where the run's data is erased. The recorded bytes are those of what can be read. */
export const lastingBots = ({ recorded: _, ...bots }: BotsState): unknown => ({
  ...bots,
  run: bots.run && withoutHidden(bots.run),
  owner: bots.owner && { ...bots.owner, isErased: false, sealedUnder: null },
});
