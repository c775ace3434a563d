import { BotChanged, type BotDefinition, type BotFact } from '../../events/bot.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

/**
 * The owner of a bot, null before its creation and after its deletion, and the revision of its last
 * change. The state leaves out the definition, which is large: the last change has it.
 */
export interface BotState {
  accountId: string | null;
  revision: number;
}

type BotCommand = { botId: string; accountId: string } & (
  | { type: 'Create'; bot: BotDefinition }
  /** Does nothing if the bot has changed since the revision `basis`. */
  | { type: 'Replace'; basis: number; bot: BotDefinition }
  | { type: 'Delete' }
);

/** A bot. The bot of another account counts as unknown. */
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
  // An event has up to 256 KB, the state a few bytes.
  snapshot: { version: 2, every: 10 },
};
