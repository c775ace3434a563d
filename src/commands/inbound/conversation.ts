import {
  type BotRunEndReason,
  type BotRunFact,
  ConversationAssigned,
  ConversationContinued,
  type ConversationFact,
  type ConversationKey,
  ConversationLabelled,
  ConversationTakenIn,
  ForwardClaimed,
  MessageForwarded,
  MessageReceived,
  NoteAdded,
  PreferenceReceived,
} from '../../events/conversation.ts';
import type { FactOf } from '../../events/define.ts';
import { isoTime } from '../../shared/clock.ts';
import { endFact } from '../bots/bot.ts';
import { type HandoffCommand, handOff } from '../bots/handoff.ts';
import {
  type BotsState,
  evolveBots,
  type HiddenRun,
  joinBots,
  lastingBots,
  noBots,
  splitBots,
  takeInBots,
} from '../bots/state.ts';
import type { Decider } from '../core/decider.ts';

// The rules for two conversations that turn out to be with one contact: one goes on with both.

interface ContinuedState {
  /** The conversation that goes on with this one; null while this one takes messages. */
  continuesIn: string | null;
  /** Conversations of the same contact that go on in this one. */
  takenIn: readonly string[];
}

/** Lets another conversation go on with this one, whose open run ends. */
type ContinueCommand = { type: 'Continue' } & FactOf<typeof ConversationContinued>['data'];

/** Takes over what outlives a conversation that goes on in this one; times in ms. */
interface TakeInCommand {
  type: 'TakeIn';
  accountId: string;
  conversationId: string;
  from: string;
  silentUntil: number | null;
  sentAt: readonly number[];
}

/** Another conversation goes on with this one: it takes the message. */
export class Continued extends Error {
  readonly conversationId: string;
  constructor(conversationId: string) {
    super('another conversation goes on with this one');
    this.name = 'Continued';
    this.conversationId = conversationId;
  }
}

const continueIn = (
  { type: _, ...link }: ContinueCommand,
  { continuesIn, bots: { run, owner } }: ContinuedState & { bots: BotsState },
): ConversationFact[] => {
  if (continuesIn !== null || link.in === link.conversationId) return [];
  const end = run && owner ? [endFact(run, 'superseded', owner)] : [];
  return [...end, ConversationContinued.of(link)];
};

export const takeIn = (
  { type: _, silentUntil, sentAt, ...link }: TakeInCommand,
  { takenIn }: ContinuedState,
): ConversationFact[] => {
  if (takenIn.includes(link.from)) return [];
  const until = silentUntil === null ? null : isoTime(silentUntil);
  return [ConversationTakenIn.of({ ...link, silentUntil: until, sentAt: sentAt.map(isoTime) })];
};

export type ReceivedMessage = FactOf<typeof MessageReceived>['data'];
type ReceivedPreference = FactOf<typeof PreferenceReceived>['data'];
type ForwardClaim = FactOf<typeof ForwardClaimed>['data'];
export type ForwardOutcome = FactOf<typeof MessageForwarded>['data'];

/** A message whose forward is claimed and has no outcome yet. */
interface Forwarding {
  messageRef: string;
  /** Null in old logs. */
  claimedAt: string | null;
}

/** The conversation of one number of an account with one contact. Plain JSON, and bounded. */
interface ConversationState extends ContinuedState {
  /** Id of the person who looks after it; null for none. */
  assignedTo: string | null;
  /** Refs of the latest messages, and ids of preferences, oldest first. */
  seen: readonly string[];
  /** Refs of the latest messages that were forwarded or left out. */
  forwarded: readonly string[];
  /** The latest claims without an outcome, oldest first. */
  forwarding: readonly Forwarding[];
  bots: BotsState;
  /** The number of facts about runs; a turn that was computed from fewer is out of date. */
  botFacts: number;
}

/** What people do with a conversation among themselves. */
export type CareCommand = {
  conversation: ConversationKey;
  /** Also where another conversation goes on with this one. */
  anyway: boolean;
} & (
  | { type: 'Assign'; personId: string | null; shown: string | null }
  | { type: 'Label'; labels: readonly string[] }
  | { type: 'Note'; noteId: string; text: string }
);

export type ConversationCommand =
  /** `anyway`: also where another conversation goes on with this one. */
  | { type: 'Receive'; message: ReceivedMessage; anyway?: boolean }
  | {
      type: 'NotePreference';
      preference: ReceivedPreference;
      /** Ids that the preference may have had when it came before. */
      otherIds?: readonly string[];
      anyway?: boolean;
    }
  /** Gives the right to forward a message, once. */
  | { type: 'ClaimForward'; forward: ForwardClaim }
  /** The outcome of a claim; the first one counts. */
  | { type: 'NoteForward'; outcome: ForwardOutcome }
  /** Leaves a message out, unless it is claimed. */
  | { type: 'LeaveForward'; outcome: ForwardOutcome }
  /** Facts of a turn, if no other facts followed the first `basis`. */
  | { type: 'RecordTurn'; basis: number; facts: readonly BotRunFact[] }
  /** Ends a run, unless it has ended, for a reason outside of it. */
  | { type: 'EndRun'; runId: string; reason: BotRunEndReason }
  | HandoffCommand
  | CareCommand
  | ContinueCommand
  | TakeInCommand;

/** Messages kept; far more than one contact writes while the provider may repeat a message. */
const SEEN_KEPT = 1000;

const remember = (seen: readonly string[], id: string): readonly string[] =>
  [...seen, id].slice(-SEEN_KEPT);

/** A message that is no longer kept may have been forwarded, and is not forwarded again. */
const mayForward = ({ seen, forwarded }: ConversationState, messageRef: string): boolean =>
  seen.includes(messageRef) && !forwarded.includes(messageRef);

/** Throws Continued where another conversation is to take the command. */
const mustTake = ({ continuesIn }: ConversationState, anyway: boolean): void => {
  if (continuesIn !== null && !anyway) throw new Continued(continuesIn);
};

/** Whether what comes is new to the conversation. */
const isNew = (state: ConversationState, ids: readonly string[], anyway = false): boolean => {
  if (ids.some((id) => state.seen.includes(id))) return false;
  mustTake(state, anyway);
  return true;
};

/** The claimed forward of this message, if it has no outcome yet. */
export const openForward = (
  { forwarding }: ConversationState,
  messageRef: string,
): Forwarding | undefined => forwarding.find((one) => one.messageRef === messageRef);

const evolve = (state: ConversationState, fact: ConversationFact): ConversationState => {
  switch (fact.type) {
    case 'MessageReceived':
      return { ...state, seen: remember(state.seen, fact.data.messageRef) };
    case 'PreferenceReceived':
      return { ...state, seen: remember(state.seen, fact.data.preferenceId) };
    case 'ForwardClaimed': {
      const { messageRef, claimedAt } = fact.data;
      const forwarding = [...state.forwarding, { messageRef, claimedAt }].slice(-SEEN_KEPT);
      return { ...state, forwarding, forwarded: remember(state.forwarded, messageRef) };
    }
    case 'MessageForwarded': {
      const { messageRef } = fact.data;
      const forwarding = state.forwarding.filter((one) => one.messageRef !== messageRef);
      if (state.forwarded.includes(messageRef)) return { ...state, forwarding };
      return { ...state, forwarding, forwarded: remember(state.forwarded, messageRef) };
    }
    case 'ConversationContinued':
      // A turn that was computed before is out of date.
      return { ...state, continuesIn: fact.data.in, botFacts: state.botFacts + 1 };
    case 'BotsResumed': {
      const bots = { ...state.bots, silentUntil: Date.parse(fact.data.at) };
      return { ...state, bots, botFacts: state.botFacts + 1 };
    }
    case 'ConversationAssigned':
      return { ...state, assignedTo: fact.data.personId };
    case 'ConversationLabelled':
    case 'NoteAdded':
      return state;
    case 'ConversationTakenIn': {
      const takenIn = [...state.takenIn, fact.data.from].slice(-SEEN_KEPT);
      return { ...state, takenIn, bots: takeInBots(state.bots, fact.data) };
    }
    default:
      return { ...state, bots: evolveBots(state.bots, fact), botFacts: state.botFacts + 1 };
  }
};

const careFor = (
  command: CareCommand,
  { assignedTo }: Pick<ConversationState, 'assignedTo'>,
): ConversationFact[] => {
  const { conversation } = command;
  switch (command.type) {
    case 'Assign': {
      // It may be shown as somebody's by a conversation that this one has taken in.
      const { personId, shown } = command;
      return personId === assignedTo && personId === shown
        ? []
        : [ConversationAssigned.of({ ...conversation, personId })];
    }
    case 'Label':
      return [ConversationLabelled.of({ ...conversation, labels: [...command.labels] })];
    case 'Note': {
      const { noteId, text } = command;
      return [NoteAdded.of({ ...conversation, noteId, text })];
    }
  }
};

/** A repetition of a message, in any delivery of the provider, adds nothing. */
export const conversationDecider: Decider<
  ConversationState,
  ConversationCommand,
  ConversationFact
> = {
  category: 'conversation',
  initial: {
    seen: [],
    forwarded: [],
    forwarding: [],
    bots: noBots,
    botFacts: 0,
    continuesIn: null,
    takenIn: [],
    assignedTo: null,
  },
  evolve,
  decide(command, state) {
    switch (command.type) {
      case 'Receive': {
        const { message, anyway } = command;
        return isNew(state, [message.messageRef], anyway) ? [MessageReceived.of(message)] : [];
      }
      case 'NotePreference': {
        const { preference, otherIds = [], anyway } = command;
        const ids = [preference.preferenceId, ...otherIds];
        return isNew(state, ids, anyway) ? [PreferenceReceived.of(preference)] : [];
      }
      case 'ClaimForward': {
        const { forward } = command;
        return mayForward(state, forward.messageRef) ? [ForwardClaimed.of(forward)] : [];
      }
      case 'NoteForward': {
        const { outcome } = command;
        return openForward(state, outcome.messageRef) ? [MessageForwarded.of(outcome)] : [];
      }
      case 'LeaveForward': {
        const { outcome } = command;
        return mayForward(state, outcome.messageRef) ? [MessageForwarded.of(outcome)] : [];
      }
      case 'RecordTurn':
        return command.basis === state.botFacts ? command.facts : [];
      case 'EndRun': {
        const { run, owner } = state.bots;
        if (!owner || run?.runId !== command.runId) return [];
        return [endFact(run, command.reason, owner)];
      }
      case 'TakeOver':
      case 'HandBack':
        mustTake(state, command.anyway);
        return handOff(command, state.bots);
      case 'Assign':
      case 'Label':
      case 'Note':
        mustTake(state, command.anyway);
        return careFor(command, state);
      case 'Continue':
        return continueIn(command, state);
      case 'TakeIn':
        return takeIn(command, state);
    }
  },
  snapshot: {
    version: 11,
    every: 500,
    personal: {
      split: (state) => {
        const parts = splitBots(state.bots);
        return parts && { ...parts, clear: { ...state, bots: parts.clear } };
      },
      join: (state, hidden) => ({ ...state, bots: joinBots(state.bots, hidden as HiddenRun) }),
      lasting: ({ bots, ...state }) => ({ ...state, bots: lastingBots(bots) }),
    },
  },
};
