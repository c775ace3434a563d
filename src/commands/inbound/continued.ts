import {
  ConversationContinued,
  type ConversationFact,
  ConversationTakenIn,
} from '../../events/conversation.ts';
import type { FactOf } from '../../events/define.ts';
import { isoTime } from '../../shared/clock.ts';
import { endFact } from '../bots/record.ts';
import type { BotsState } from '../bots/state.ts';

// The rules for two conversations that turn out to be with one contact: one goes on with both.

export interface ContinuedState {
  /** The conversation that goes on with this one; null while this one takes messages. */
  continuesIn: string | null;
  /** Conversations of the same contact that go on in this one. */
  takenIn: readonly string[];
}

/** Lets another conversation go on with this one, whose open run ends. */
export type ContinueCommand = { type: 'Continue' } & FactOf<typeof ConversationContinued>['data'];

/** Takes over what outlives a conversation that goes on in this one; times in ms. */
export interface TakeInCommand {
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

export const continueIn = (
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
