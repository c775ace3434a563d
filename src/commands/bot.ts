import { AppError } from '../errors.ts';
import { BotChanged, type BotDefinition, type BotFact } from '../events/bot.ts';
import type { Decider } from './decider.ts';

/** The definition in force and whose it is; null before it was made and after it was deleted. */
export type BotState = { accountId: string; bot: BotDefinition } | null;

export type BotCommand = { botId: string; accountId: string } & (
  | { type: 'Create'; bot: BotDefinition }
  /** Only what is named changes. */
  | { type: 'Update'; change: Partial<BotDefinition> }
  | { type: 'Delete' }
);

/** A bot. Another account's is as an unknown one. */
export const botDecider: Decider<BotState, BotCommand, BotFact> = {
  category: 'bot',
  initial: null,
  evolve: (_, { data }) => data.bot && { accountId: data.accountId, bot: data.bot },
  decide(command, state) {
    const { botId, accountId } = command;
    if (command.type === 'Create') {
      if (state) throw new AppError('resource.conflict', 'The bot exists already');
      return [BotChanged.of({ botId, accountId, change: 'created', bot: command.bot })];
    }
    if (state?.accountId !== accountId) throw new AppError('bot.unknown', 'Bot not found');
    if (command.type === 'Delete') {
      return [BotChanged.of({ botId, accountId, change: 'deleted', bot: null })];
    }
    const bot = { ...state.bot, ...command.change };
    const same = JSON.stringify(bot) === JSON.stringify(state.bot);
    return same ? [] : [BotChanged.of({ botId, accountId, change: 'updated', bot })];
  },
};
