import type { BotDefinition } from '../events/bot.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** A bot's definition and the number of its runs. */
export interface BotDocument extends BotDefinition {
  id: string;
  accountId: string;
  totalExecutions: number;
  lastExecutedAt: string | null;
  createdAt: string;
  updatedAt: string;
  /** Revision of the bot's stream that holds this definition. */
  revision: number;
  order: Position;
}

const botId = (event: { data: { botId: string } }) => event.data.botId;

export const bots = defineProjection<BotDocument>({
  name: 'bots',
  version: 2,
  indexes: [['accountId', '-order']],
  words: ['accountId'],
  on: {
    BotChanged: {
      key: botId,
      fold: (bot, { data, meta, revision, position }) => {
        if (data.bot === null) return null;
        return {
          id: data.botId,
          accountId: data.accountId,
          ...data.bot,
          totalExecutions: bot?.totalExecutions ?? 0,
          lastExecutedAt: bot?.lastExecutedAt ?? null,
          createdAt: bot?.createdAt ?? meta.at,
          updatedAt: meta.at,
          revision,
          order: bot?.order ?? position,
        };
      },
    },
    BotRunStarted: {
      key: botId,
      fold: (bot, { meta }) =>
        bot && { ...bot, totalExecutions: bot.totalExecutions + 1, lastExecutedAt: meta.at },
    },
  },
});
