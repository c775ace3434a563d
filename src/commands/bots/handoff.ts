import {
  BotsResumed,
  BotsSilenced,
  type ConversationFact,
  type ConversationKey,
} from '../../events/conversation.ts';
import { isoTime } from '../../shared/clock.ts';
import { endFact } from './bot.ts';
import type { BotsState } from './state.ts';

// The rules for a person who takes a conversation from the bots, and gives it back. Times are in ms.

export type HandoffCommand = {
  conversation: ConversationKey;
  /** Also where another conversation goes on with this one. */
  anyway: boolean;
} & (
  | { type: 'TakeOver'; until: number }
  /** Nothing is left to give back where bots may answer. */
  | { type: 'HandBack'; now: number }
);

/** The open run ends, whatever it does. */
const takeOver = (
  conversation: ConversationKey,
  until: number,
  { run, owner, silentUntil }: BotsState,
): ConversationFact[] => {
  const end = run && owner ? [endFact(run, 'handoff', owner)] : [];
  if (end.length === 0 && silentUntil === until) return [];
  const byPerson = { runId: null, botId: null };
  return [...end, BotsSilenced.of({ ...conversation, ...byPerson, until: isoTime(until) })];
};

export const handOff = (command: HandoffCommand, bots: BotsState): ConversationFact[] => {
  const { conversation } = command;
  if (command.type === 'TakeOver') return takeOver(conversation, command.until, bots);
  const { now } = command;
  const isSilent = bots.silentUntil !== null && bots.silentUntil > now;
  return isSilent ? [BotsResumed.of({ ...conversation, at: isoTime(now) })] : [];
};
