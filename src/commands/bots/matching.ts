import type { BotDefinition } from '../../events/bot.ts';
import type { Inbound } from './inbound.ts';
import { fold } from './text.ts';

/** The fields of a bot that decide which bot answers. */
export interface Candidate
  extends Pick<
    BotDefinition,
    'phoneNumberId' | 'trigger' | 'triggerKeywords' | 'triggerMatchType' | 'isActive'
  > {
  botId: string;
  /** ISO 8601. */
  createdAt: string;
}

const OPT_IN_WORDS = ['start', 'subscribe'];

const keywordTests = {
  EXACT: (text: string, keyword: string) => text === keyword,
  STARTS_WITH: (text: string, keyword: string) => text.startsWith(keyword),
  CONTAINS: (text: string, keyword: string) => text.includes(keyword),
} as const;

const keywordRanks = { EXACT: 0, STARTS_WITH: 1, CONTAINS: 2 } as const;
const triggerRanks = { BUTTON_REPLY: 3, LIST_REPLY: 3, OPTIN: 4, ANY_MESSAGE: 5 } as const;

const fires = (bot: Candidate, inbound: Inbound, folded: string): boolean => {
  switch (bot.trigger) {
    case 'KEYWORD': {
      const test = keywordTests[bot.triggerMatchType];
      return (
        inbound.kind !== 'resume' &&
        bot.triggerKeywords.map(fold).some((keyword) => keyword !== '' && test(folded, keyword))
      );
    }
    case 'BUTTON_REPLY':
      return inbound.kind === 'button';
    case 'LIST_REPLY':
      return inbound.kind === 'list';
    case 'OPTIN':
      return inbound.kind === 'resume' || OPT_IN_WORDS.includes(folded);
    case 'ANY_MESSAGE':
      return inbound.kind !== 'resume';
  }
};

const rankOf = (bot: Candidate): number =>
  bot.trigger === 'KEYWORD' ? keywordRanks[bot.triggerMatchType] : triggerRanks[bot.trigger];

const compareText = (one: string, other: string) => Number(one > other) - Number(one < other);

const compare = (one: Candidate, other: Candidate): number =>
  Number(one.phoneNumberId === null) - Number(other.phoneNumberId === null) ||
  rankOf(one) - rankOf(other) ||
  compareText(one.createdAt, other.createdAt) ||
  compareText(one.botId, other.botId);

/**
 * The bot that answers an inbound message at this number: bots of the number come before bots of the
 * whole account, then the order of triggers, then the oldest. `bots` belong to one account.
 */
export const chooseBot = <Bot extends Candidate>(
  bots: readonly Bot[],
  phoneNumberId: string,
  inbound: Inbound,
): Bot | undefined => {
  const folded = fold(inbound.text);
  const firing = bots.filter(
    (bot) =>
      bot.isActive &&
      (bot.phoneNumberId === null || bot.phoneNumberId === phoneNumberId) &&
      fires(bot, inbound, folded),
  );
  return firing.toSorted(compare)[0];
};
