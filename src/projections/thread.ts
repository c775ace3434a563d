import { receivedIdIn } from '../events/conversation.ts';
import type { EventOf } from '../events/index.ts';
import { statusRank } from '../events/message.ts';
import type { Position } from '../events/store.ts';
import { messageTypeOf } from './message-document.ts';
import { readSent } from './messages.ts';
import {
  type Held,
  type HeldFields,
  heldBy,
  heldIn,
  monthsOf,
  newest,
  type SealedMonths,
} from './sealed-fields.ts';

/** The newest message of a thread, either way. */
export interface LastMessage {
  messageRef: string;
  /** The provider's id. Null once it was erased. */
  id: string | null;
  direction: 'inbound' | 'outbound';
  messageType: string;
  text: string | null;
  status: string | null;
  createdAt: string;
}

/** A conversation that another one has absorbed, and the user id whose it was. */
export interface Absorbed {
  id: string;
  /** Null once it was erased. */
  userId: string | null;
  /** The month of the key that seals the user id; absent for one in clear. */
  month?: string;
}

/** Who took the conversation from the bots, and for how long. */
export interface Handoff {
  /** The bot that handed it over; null where a person took it. */
  botId: string | null;
  /** Id of the person who took it; absent of a bot and of the holder of a key. */
  personId?: string;
  since: string;
  until: string;
}

/** One thread for each account, number and contact. */
export interface ConversationDocument extends SealedMonths {
  id: string;
  accountId: string;
  phoneNumberId: string;
  contactRef: string;
  /**
   * The contact's id in the account: digits, or a user id while the number is not known; null once it
   * was erased.
   */
  waId: string | null;
  /** The newest user id of the contact; null where the provider gave none. */
  userId: string | null;
  contactName: string | null;
  /** The conversations of the same contact that this one has absorbed. */
  absorbs: readonly Absorbed[];
  /** The text that a search reads: ids and name, in lower case. */
  searchText: string;
  lastMessage: LastMessage;
  /** Of a last message that another contact's key seals too: the recipient of the charge, called otherwise. */
  textRef?: string;
  /**
   * Time of the newest message that opens the window: the provider's time or ours, whichever is
   * earlier. Null without such a message.
   */
  lastInboundAt: string | null;
  lastOutboundAt: string | null;
  messageCount: number;
  /** Inbound messages since our last outbound one. */
  unreadCount: number;
  /** Whether the newest message failed. */
  failed: boolean;
  /** Whether a bot wrote the newest reply, and nobody has taken the conversation from the bots since. */
  withBot: boolean;
  /** Absent where bots may answer; also kept when its time is over. */
  handoff?: Handoff;
  /** Id of the person who looks after it; empty for none. */
  assignedTo: string;
  /** Id of the person who gave it to that one; empty where he took it himself, and for a key. */
  assignedBy: string;
  /** Absent for none, and once erased. */
  labels?: readonly string[];
  /** The labels as a search reads them, each between line ends. */
  labelText: string;
  createdAt: string;
  updatedAt: string;
  /** Position of the newest message: threads are listed by it. */
  order: Position;
}

export type Thread = ConversationDocument | undefined;

/** How long after a customer's message free-form replies may be sent (contract 8, row 10). */
export const WINDOW_MS = 24 * 60 * 60_000;

/** The personal fields of a thread, beside the user ids of absorbed conversations. */
export type PersonalFields = HeldFields<
  'waId' | 'userId' | 'contactName' | 'text' | 'messageId'
> & { labels: Held<readonly string[]> | null };
type Rest = Omit<
  ConversationDocument,
  | keyof SealedMonths
  | 'waId'
  | 'userId'
  | 'contactName'
  | 'searchText'
  | 'failed'
  | 'labels'
  | 'labelText'
>;

const NOTHING: PersonalFields = {
  waId: null,
  userId: null,
  contactName: null,
  text: null,
  messageId: null,
  labels: null,
};

export const personalIn = (thread: Thread): PersonalFields =>
  thread
    ? {
        waId: heldBy(thread, 'waId', thread.waId),
        userId: heldBy(thread, 'userId', thread.userId),
        contactName: heldBy(thread, 'contactName', thread.contactName),
        text: heldBy(thread, 'text', thread.lastMessage.text),
        messageId: heldBy(thread, 'messageId', thread.lastMessage.id),
        labels: heldBy(thread, 'labels', thread.labels ?? null),
      }
    : NOTHING;

/** The months of what absorbed conversations tell. */
export const monthsIn = (absorbs: readonly Absorbed[]): string[] =>
  absorbs.flatMap(({ month }) => month ?? []);

/** A document of its parts. The order of its fields does not depend on what was there before. */
export const composeThread = (
  { absorbs, lastMessage, ...rest }: Rest,
  { waId, userId, contactName, text, messageId, labels }: PersonalFields,
): ConversationDocument => {
  const shown = {
    waId: waId?.value ?? null,
    userId: userId?.value ?? null,
    contactName: contactName?.value ?? null,
  };
  const others = absorbs.map((one) => one.userId);
  const words = [shown.waId, shown.userId, ...others, shown.contactName];
  const { id, accountId, phoneNumberId, contactRef } = rest;
  const { lastInboundAt, lastOutboundAt, messageCount, unreadCount } = rest;
  const { withBot, handoff, assignedTo, assignedBy, createdAt, updatedAt, order, textRef } = rest;
  return {
    id,
    accountId,
    phoneNumberId,
    contactRef,
    lastInboundAt,
    lastOutboundAt,
    messageCount,
    unreadCount,
    failed: lastMessage.status === 'failed',
    withBot,
    ...(handoff && { handoff }),
    assignedTo,
    assignedBy,
    ...(labels && { labels: labels.value }),
    labelText: labels ? `\n${labels.value.join('\n')}\n`.toLowerCase() : '',
    createdAt,
    updatedAt,
    order,
    ...shown,
    absorbs,
    lastMessage: { ...lastMessage, id: messageId?.value ?? null, text: text?.value ?? null },
    searchText: words
      .map((word) => word ?? '')
      .join('\n')
      .toLowerCase(),
    ...monthsOf({ waId, userId, contactName, text, messageId, labels }, monthsIn(absorbs)),
    ...(textRef !== undefined && (text ?? messageId) && { textRef }),
  };
};

/** Types that open no window: reactions, and notices of the provider. */
const opensNoWindow = new Set(['reaction', 'system', 'unsupported']);

const later = (one: string | null, other: string): string =>
  one === null || other > one ? other : one;

const latest = (one: string | null, other: string | null): string | null =>
  other === null ? one : later(one, other);

/** What a message leaves as it was. */
const keptOf = (thread: Thread) => ({
  absorbs: thread?.absorbs ?? [],
  ...(thread?.handoff && { handoff: thread.handoff }),
  assignedTo: thread?.assignedTo ?? '',
  assignedBy: thread?.assignedBy ?? '',
});

export const received = (
  thread: Thread,
  event: EventOf<'MessageReceived'>,
  id: string,
): ConversationDocument => {
  const { data, meta, position } = event;
  const before = thread?.lastInboundAt ?? null;
  const opens = !opensNoWindow.has(data.messageType);
  // A provider's time in the future must not open a longer window.
  const openedAt = [data.receivedAt, meta.at].sort()[0]!;
  const known = personalIn(thread);
  const rest = {
    id,
    accountId: data.accountId,
    phoneNumberId: data.phoneNumberId,
    contactRef: data.contactRef,
    ...keptOf(thread),
    lastMessage: {
      messageRef: data.messageRef,
      id: null,
      direction: 'inbound' as const,
      messageType: data.messageType,
      text: null,
      status: null,
      createdAt: data.receivedAt,
    },
    lastInboundAt: opens ? later(before, openedAt) : before,
    lastOutboundAt: thread?.lastOutboundAt ?? null,
    messageCount: (thread?.messageCount ?? 0) + 1,
    unreadCount: (thread?.unreadCount ?? 0) + 1,
    withBot: thread?.withBot ?? false,
    createdAt: thread?.createdAt ?? meta.at,
    updatedAt: meta.at,
    order: position,
  };
  return composeThread(rest, {
    waId: newest(known.waId, heldIn(event, data.waId)),
    userId: newest(known.userId, heldIn(event, data.userId)),
    contactName: newest(known.contactName, heldIn(event, data.contactName)),
    text: heldIn(event, data.text),
    messageId: heldIn(event, receivedIdIn(data)),
    labels: known.labels,
  });
};

export const sent = (
  thread: Thread,
  event: EventOf<'MessageSent'>,
  id: string,
): ConversationDocument => {
  const { data, meta, position } = event;
  const known = personalIn(thread);
  const { charge, outline, intent, messageId, waId, userId, months, otherRef } = readSent(event);
  const { source } = intent;
  // A recovered record is written long after the send.
  const at = data.recovered ? charge.at : meta.at;
  const lastOutboundAt = latest(at, thread?.lastOutboundAt ?? null);
  // The customer may have answered since.
  if (thread && data.recovered && at < thread.updatedAt) {
    const messageCount = thread.messageCount + 1;
    return composeThread({ ...thread, lastOutboundAt, messageCount }, known);
  }
  const { heard: status = 'sent' } = data;
  // What the record tells itself does not need the key of the charge.
  const { recipient } = data;
  const ids =
    otherRef === undefined
      ? { waId: heldIn(months, waId), userId: heldIn(months, userId) }
      : {
          waId: heldIn(event, recipient?.waId ?? null),
          userId: heldIn(event, recipient?.userId ?? null),
        };
  const rest = {
    id,
    accountId: data.accountId,
    phoneNumberId: data.phoneNumberId ?? '',
    contactRef: data.contactRef,
    ...keptOf(thread),
    lastMessage: {
      messageRef: data.messageRef,
      id: null,
      direction: 'outbound' as const,
      messageType: messageTypeOf(outline.content),
      text: null,
      status,
      createdAt: at,
    },
    lastInboundAt: thread?.lastInboundAt ?? null,
    lastOutboundAt,
    messageCount: (thread?.messageCount ?? 0) + 1,
    unreadCount: 0,
    // A notification is no reply.
    withBot: source === 'notification' ? (thread?.withBot ?? false) : source === 'bot',
    createdAt: thread?.createdAt ?? at,
    updatedAt: at,
    order: position,
    ...(otherRef !== undefined && { textRef: otherRef }),
  };
  return composeThread(rest, {
    waId: newest(known.waId, ids.waId),
    userId: newest(known.userId, ids.userId),
    contactName: known.contactName,
    text: heldIn(months, intent.text),
    messageId: heldIn(months, messageId),
    labels: known.labels,
  });
};

export const updated = (thread: Thread, { data }: EventOf<'StatusUpdated'>): Thread => {
  const last = thread?.lastMessage;
  if (!thread || last?.messageRef !== data.messageRef) return thread;
  if (statusRank(data.status) <= statusRank(last.status)) return thread;
  const { status } = data;
  return { ...thread, lastMessage: { ...last, status }, failed: status === 'failed' };
};

export const silenced = (thread: Thread, { data, meta }: EventOf<'BotsSilenced'>): Thread => {
  const { botId, until } = data;
  const personId = botId === null ? meta.by?.id : undefined;
  const handoff = { botId, ...(personId !== undefined && { personId }), since: meta.at, until };
  return thread && composeThread({ ...thread, withBot: false, handoff }, personalIn(thread));
};

export const assigned = (
  thread: Thread,
  { data: { personId }, meta: { by } }: EventOf<'ConversationAssigned'>,
): Thread => {
  const assignedTo = personId ?? '';
  const assignedBy = personId === null || by === undefined || by.id === personId ? '' : by.id;
  return thread && composeThread({ ...thread, assignedTo, assignedBy }, personalIn(thread));
};

export const labelled = (thread: Thread, event: EventOf<'ConversationLabelled'>): Thread => {
  const { labels } = event.data;
  const held = heldIn(event, labels && labels.length > 0 ? labels : null);
  return thread && composeThread(thread, { ...personalIn(thread), labels: held });
};

export const resumed = (thread: Thread): Thread => {
  if (!thread?.handoff) return thread;
  const { handoff: _, ...rest } = thread;
  return composeThread(rest, personalIn(thread));
};

/** Bots are silent as long as the longer one says. */
const longer = (one: Handoff | undefined, other: Handoff | undefined): Handoff | undefined =>
  one && other && other.until > one.until ? other : (one ?? other);

/**
 * One conversation of two that turned out to be with the same contact. What came unread in the older
 * one counts only if nothing was sent after it.
 */
export const mergeThreads = (
  kept: ConversationDocument,
  other: ConversationDocument,
): ConversationDocument => {
  const [older, newer] = kept.order < other.order ? [kept, other] : [other, kept];
  const [before, after, own] = [personalIn(older), personalIn(newer), personalIn(kept)];
  const lastOutboundAt = latest(kept.lastOutboundAt, other.lastOutboundAt);
  const unreadIn = ({ updatedAt, unreadCount }: ConversationDocument) =>
    lastOutboundAt !== null && updatedAt < lastOutboundAt ? 0 : unreadCount;
  const handoff = longer(kept.handoff, other.handoff);
  const { assignedTo, assignedBy } = newer.assignedTo === '' ? older : newer;
  const { textRef: _, ...mine } = kept;
  const rest = {
    ...mine,
    withBot: newer.withBot,
    ...(handoff && { handoff }),
    assignedTo,
    assignedBy,
    ...(newer.textRef !== undefined && { textRef: newer.textRef }),
    lastMessage: newer.lastMessage,
    lastInboundAt: latest(kept.lastInboundAt, other.lastInboundAt),
    lastOutboundAt,
    messageCount: kept.messageCount + other.messageCount,
    unreadCount: unreadIn(kept) + unreadIn(other),
    createdAt: [kept.createdAt, other.createdAt].sort()[0]!,
    updatedAt: later(kept.updatedAt, other.updatedAt),
    order: newer.order,
  };
  return composeThread(rest, {
    waId: own.waId,
    userId: newest(before.userId, after.userId),
    contactName: newest(before.contactName, after.contactName),
    text: after.text,
    messageId: after.messageId,
    labels: newest(before.labels, after.labels),
  });
};
