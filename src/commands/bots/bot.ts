import { BotChanged, type BotDefinition, type BotFact } from '../../events/bot.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

/**
 * Whose it is, null before it was made and after it was deleted, and the revision of its last
 * change. What it does stands in that change alone: graphs are large, and none but the last counts.
 */
export interface BotState {
  accountId: string | null;
  revision: number;
}

export type BotCommand = { botId: string; accountId: string } & (
  | { type: 'Create'; bot: BotDefinition }
  /** Nothing happens if it was changed since `basis`, the revision that was looked at. */
  | { type: 'Replace'; basis: number; bot: BotDefinition }
  | { type: 'Delete' }
);

/** A bot. Another account's is as an unknown one. */
export const botDecider: Decider<BotState, BotCommand, BotFact> = {
  category: 'bot',
  initial: { accountId: null, revision: -1 },
  evolve: ({ revision }, { data }) => ({
    accountId: data.bot && data.accountId,
    revision: revision + 1,
  }),
  decide(command, state) {
    const { botId, accountId } = command;
    if (command.type === 'Create') {
      if (state.accountId !== null) {
        throw new AppError('resource.conflict', 'The bot exists already');
      }
      return [BotChanged.of({ botId, accountId, change: 'created', bot: command.bot })];
    }
    if (state.accountId !== accountId) throw new AppError('bot.unknown', 'Bot not found');
    if (command.type === 'Delete') {
      return [BotChanged.of({ botId, accountId, change: 'deleted', bot: null })];
    }
    if (command.basis !== state.revision) return [];
    return [BotChanged.of({ botId, accountId, change: 'updated', bot: command.bot })];
  },
  // An event holds up to 256 KB, the state a few bytes.
  snapshot: { version: 2, every: 10 },
};
