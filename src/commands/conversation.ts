import {
  type ConversationFact,
  MessageReceived,
  PreferenceReceived,
} from '../events/conversation.ts';
import type { FactOf } from '../events/define.ts';
import type { Decider } from './decider.ts';

export type ReceivedMessage = FactOf<typeof MessageReceived>['data'];
export type ReceivedPreference = FactOf<typeof PreferenceReceived>['data'];

/** What has passed between one contact and one number. Plain JSON, and bounded. */
export interface ConversationState {
  /** Ids of the latest messages and preferences, oldest first. */
  seen: readonly string[];
}

export type ConversationCommand =
  | { type: 'Receive'; message: ReceivedMessage }
  | { type: 'NotePreference'; preference: ReceivedPreference };

/** Ids remembered; far more than one contact writes while the provider may repeat itself. */
const SEEN_KEPT = 1000;

const remember = (seen: readonly string[], id: string): readonly string[] =>
  [...seen, id].slice(-SEEN_KEPT);

/** The same message again, in whichever delivery of the provider's, is no second one. */
export const conversationDecider: Decider<
  ConversationState,
  ConversationCommand,
  ConversationFact
> = {
  category: 'conversation',
  initial: { seen: [] },
  evolve(state, fact) {
    switch (fact.type) {
      case 'MessageReceived':
        return { ...state, seen: remember(state.seen, fact.data.messageId) };
      case 'PreferenceReceived':
        return { ...state, seen: remember(state.seen, fact.data.preferenceId) };
      default:
        return state;
    }
  },
  decide(command, state) {
    switch (command.type) {
      case 'Receive': {
        const { message } = command;
        return state.seen.includes(message.messageId) ? [] : [MessageReceived.of(message)];
      }
      case 'NotePreference': {
        const { preference } = command;
        const known = state.seen.includes(preference.preferenceId);
        return known ? [] : [PreferenceReceived.of(preference)];
      }
    }
  },
  snapshot: { version: 1, every: 500 },
};

export const conversationIdOf = (phoneNumberId: string, waId: string): string =>
  `${phoneNumberId}.${waId}`;
