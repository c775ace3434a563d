import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

export interface QuickReplyDocument {
  id: string;
  accountId: string;
  name: string;
  text: string;
  createdAt: string;
  order: Position;
}

const replyId = (event: { data: { replyId: string } }) => event.data.replyId;

export const quickreplies = defineProjection<QuickReplyDocument>({
  name: 'quickreplies',
  version: 1,
  indexes: [['accountId', '-order']],
  words: ['accountId'],
  on: {
    QuickReplySet: {
      key: replyId,
      fold: (reply, { data: { accountId, name, text }, meta, position }, id) => ({
        id,
        accountId,
        name,
        text,
        createdAt: reply?.createdAt ?? meta.at,
        order: reply?.order ?? position,
      }),
    },
    QuickReplyRemoved: { key: replyId, fold: () => null },
  },
});
