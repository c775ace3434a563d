import type { KnownEvent } from '../events/index.ts';
import { statusRank } from '../events/message.ts';
import type { Position } from '../events/store.ts';
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

/** A conversation that another one has absorbed, and the user id whose it was. */
export interface Absorbed {
  id: string;
  userId: string;
}

/** One thread for each account, number and contact. */
export interface ConversationDocument {
  id: string;
  accountId: string;
  phoneNumberId: string;
  /** The contact's id in the account: digits, or a user id while the number is not known. */
  waId: string;
  /** The newest user id of the contact; null where the provider gave none. */
  userId: string | null;
  contactName: string | null;
  /** The conversations of the same contact that this one has absorbed. */
  absorbs: readonly Absorbed[];
  /** The text that a search reads: ids and name, in lower case. */
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

export type Thread = ConversationDocument | undefined;
export type EventOf<T extends KnownEvent['type']> = Extract<KnownEvent, { type: T }>;

/** How long after a customer's message free-form replies may be sent (contract 8, row 10). */
export const WINDOW_MS = 24 * 60 * 60_000;

type Searched = Pick<ConversationDocument, 'waId' | 'userId' | 'absorbs' | 'contactName'>;

export const searchable = <T extends Searched>(thread: T): T & { searchText: string } => {
  const { waId, userId, absorbs, contactName } = thread;
  const words = [waId, userId ?? '', ...absorbs.map((one) => one.userId), contactName ?? ''];
  return { ...thread, searchText: words.join('\n').toLowerCase() };
};

/** Types that open no window: reactions, and notices of the provider. */
const opensNoWindow = new Set(['reaction', 'system', 'unsupported']);

const later = (one: string | null, other: string): string =>
  one === null || other > one ? other : one;

export const received = (
  thread: Thread,
  { data, meta, position }: EventOf<'MessageReceived'>,
  id: string,
): ConversationDocument => {
  const before = thread?.lastInboundAt ?? null;
  const opens = !opensNoWindow.has(data.messageType);
  // A provider's time in the future must not open a longer window.
  const openedAt = [data.receivedAt, meta.at].sort()[0]!;
  const contactName = data.contactName ?? thread?.contactName ?? null;
  return searchable({
    id,
    accountId: data.accountId,
    phoneNumberId: data.phoneNumberId,
    waId: data.waId,
    userId: data.userId ?? thread?.userId ?? null,
    absorbs: thread?.absorbs ?? [],
    contactName,
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
  });
};

export const sent = (
  thread: Thread,
  { data, meta, position }: EventOf<'MessageSent'>,
  id: string,
): ConversationDocument =>
  searchable({
    id,
    accountId: data.accountId,
    phoneNumberId: data.intent.phoneNumberId ?? '',
    waId: data.recipientWaId,
    userId: data.recipientUserId ?? thread?.userId ?? null,
    absorbs: thread?.absorbs ?? [],
    contactName: thread?.contactName ?? null,
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

export const updated = (thread: Thread, { data }: EventOf<'StatusUpdated'>): Thread => {
  const last = thread?.lastMessage;
  if (!thread || last?.id !== data.messageId) return thread;
  if (statusRank(data.status) <= statusRank(last.status)) return thread;
  return { ...thread, lastMessage: { ...last, status: data.status } };
};

const newest = (one: string | null, other: string | null): string | null =>
  other === null ? one : later(one, other);

/**
 * One conversation of two that turned out to be with the same contact. What came unread in the older
 * one counts only if nothing was sent after it.
 */
export const mergeThreads = (
  kept: ConversationDocument,
  other: ConversationDocument,
): ConversationDocument => {
  const [older, newer] = kept.order < other.order ? [kept, other] : [other, kept];
  const lastOutboundAt = newest(kept.lastOutboundAt, other.lastOutboundAt);
  const unreadIn = ({ updatedAt, unreadCount }: ConversationDocument) =>
    lastOutboundAt !== null && updatedAt < lastOutboundAt ? 0 : unreadCount;
  return searchable({
    ...kept,
    userId: newer.userId ?? older.userId,
    contactName: newer.contactName ?? older.contactName,
    lastMessage: newer.lastMessage,
    lastInboundAt: newest(kept.lastInboundAt, other.lastInboundAt),
    lastOutboundAt,
    messageCount: kept.messageCount + other.messageCount,
    unreadCount: unreadIn(kept) + unreadIn(other),
    createdAt: [kept.createdAt, other.createdAt].sort()[0]!,
    updatedAt: later(kept.updatedAt, other.updatedAt),
    order: newer.order,
  });
};
