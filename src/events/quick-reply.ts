import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';

// Texts that people of an account send often, in the stream quickreplies-<account>. They are what the
// account writes, as contents are: the log has them sealed as it has settings with secrets.

const reply = { accountId: z.string(), replyId: z.string() };

export const QuickReplySet = defineEvent(
  'QuickReplySet',
  z.object({ ...reply, name: z.string(), text: z.string() }),
  [],
  undefined,
  { paths: () => [['name'], ['text']], unopened: { name: '', text: '' } },
);
export const QuickReplyRemoved = defineEvent('QuickReplyRemoved', z.object(reply));

export const quickReplyEvents = [QuickReplySet, QuickReplyRemoved] as const;
export type QuickReplyFact = FactOf<(typeof quickReplyEvents)[number]>;
