import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type BotSummary = components['schemas']['BotSummary'];

export const LIST_KEY = ['bots'];

export const readBots = async (_cursor: string | undefined, signal: AbortSignal) => ({
  rows: await bodyOf(api.GET('/v1/bots', { signal })),
  nextCursor: null,
});

/** What starts a bot, in a few words. */
export const triggerOf = ({
  trigger,
  triggerKeywords,
}: Pick<BotSummary, 'trigger' | 'triggerKeywords'>): string => {
  if (trigger === 'ANY_MESSAGE') return 'any message';
  if (trigger === 'BUTTON_REPLY') return 'a tapped button';
  if (trigger === 'LIST_REPLY') return 'a chosen row of a list';
  if (trigger === 'OPTIN') return 'an opt-in';
  return triggerKeywords.length > 0 ? triggerKeywords.join(', ') : 'no keyword yet: never starts';
};
