import { conversationIdOf } from '../events/conversation.ts';
import type { KnownEvent } from '../events/index.ts';
import { statusRank } from '../events/message.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';
import { messageTypeOf } from './messages.ts';

/** The newest message of a thread, either way. */
export interface LastMessage {
  id: string;
  direction: 'inbound' | 'outbound';
  messageType: string;
  text: string | null;
  status: string | null;
  createdAt: string;
}

/** One thread for each account, number and contact. */
export interface ConversationDocument {
  id: string;
  accountId: string;
  phoneNumberId: string;
  waId: string;
  contactName: string | null;
  /** The text that a search reads: number and name, in lower case. */
  searchText: string;
  lastMessage: LastMessage;
  /**
   * Time of the newest message that opens the window: the provider's time or ours, whichever is
   * earlier. Null without such a message.
   */
  lastInboundAt: string | null;
  lastOutboundAt: string | null;
  messageCount: number;
  /** Inbound messages since our last outbound one. */
  unreadCount: number;
  createdAt: string;
  updatedAt: string;
  /** Position of the newest message: threads are listed by it. */
  order: Position;
}

type Thread = ConversationDocument | undefined;
type EventOf<T extends KnownEvent['type']> = Extract<KnownEvent, { type: T }>;

/** How long after a customer's message free-form replies may be sent (contract 8, row 10). */
export const WINDOW_MS = 24 * 60 * 60_000;

const searchText = (waId: string, name: string | null): string =>
  `${waId}\n${(name ?? '').toLowerCase()}`;

/** Types that open no window: reactions, and notices of the provider. */
const opensNoWindow = new Set(['reaction', 'system', 'unsupported']);

const later = (one: string | null, other: string): string =>
  one === null || other > one ? other : one;

const received = (
  thread: Thread,
  { data, meta, position }: EventOf<'MessageReceived'>,
  id: string,
): ConversationDocument => {
  const before = thread?.lastInboundAt ?? null;
  const opens = !opensNoWindow.has(data.messageType);
  // A provider's time in the future must not open a longer window.
  const openedAt = [data.receivedAt, meta.at].sort()[0]!;
  const contactName = data.contactName ?? thread?.contactName ?? null;
  return {
    id,
    accountId: data.accountId,
    phoneNumberId: data.phoneNumberId,
    waId: data.waId,
    contactName,
    searchText: searchText(data.waId, contactName),
    lastMessage: {
      id: data.messageId,
      direction: 'inbound',
      messageType: data.messageType,
      text: data.text,
      status: null,
      createdAt: data.receivedAt,
    },
    lastInboundAt: opens ? later(before, openedAt) : before,
    lastOutboundAt: thread?.lastOutboundAt ?? null,
    messageCount: (thread?.messageCount ?? 0) + 1,
    unreadCount: (thread?.unreadCount ?? 0) + 1,
    createdAt: thread?.createdAt ?? meta.at,
    updatedAt: meta.at,
    order: position,
  };
};

const sent = (
  thread: Thread,
  { data, meta, position }: EventOf<'MessageSent'>,
  id: string,
): ConversationDocument => ({
  id,
  accountId: data.accountId,
  phoneNumberId: data.intent.phoneNumberId ?? '',
  waId: data.recipientWaId,
  contactName: thread?.contactName ?? null,
  searchText: searchText(data.recipientWaId, thread?.contactName ?? null),
  lastMessage: {
    id: data.messageId,
    direction: 'outbound',
    messageType: messageTypeOf(data.intent.content),
    text: data.intent.text,
    status: 'sent',
    createdAt: meta.at,
  },
  lastInboundAt: thread?.lastInboundAt ?? null,
  lastOutboundAt: meta.at,
  messageCount: (thread?.messageCount ?? 0) + 1,
  unreadCount: 0,
  createdAt: thread?.createdAt ?? meta.at,
  updatedAt: meta.at,
  order: position,
});

const updated = (thread: Thread, { data }: EventOf<'StatusUpdated'>): Thread => {
  const last = thread?.lastMessage;
  if (!thread || last?.id !== data.messageId) return thread;
  if (statusRank(data.status) <= statusRank(last.status)) return thread;
  return { ...thread, lastMessage: { ...last, status: data.status } };
};

/** Threads, most recently active first. */
export const conversations = defineProjection<ConversationDocument>({
  name: 'conversations',
  version: 4,
  indexes: [
    ['accountId', 'phoneNumberId', '-order'],
    ['accountId', '-order'],
  ],
  filters: ['lastInboundAt', 'updatedAt', 'searchText'],
  on: {
    MessageReceived: {
      key: ({ data }) => conversationIdOf(data),
      fold: received,
    },
    MessageSent: {
      key: ({ data: { accountId, intent, recipientWaId: waId } }) =>
        conversationIdOf({ accountId, phoneNumberId: intent.phoneNumberId ?? '', waId }),
      fold: sent,
    },
    StatusUpdated: {
      key: ({ data: { accountId, phoneNumberId, recipientWaId: waId } }) =>
        waId === null ? [] : conversationIdOf({ accountId, phoneNumberId, waId }),
      fold: updated,
    },
  },
});
