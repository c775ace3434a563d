import type { Position } from '../events/store.ts';
import { type HeldFields, heldBy, monthsOf, type SealedMonths } from './sealed-fields.ts';

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
  /** Absent where bots may answer; also kept when its time is over. */
  handoff?: Handoff;
  createdAt: string;
  updatedAt: string;
  /** Position of the newest message: threads are listed by it. */
  order: Position;
}

export type Thread = ConversationDocument | undefined;

/** How long after a customer's message free-form replies may be sent (contract 8, row 10). */
export const WINDOW_MS = 24 * 60 * 60_000;

/** The personal fields of a thread, beside the user ids of absorbed conversations. */
export type PersonalFields = HeldFields<'waId' | 'userId' | 'contactName' | 'text' | 'messageId'>;
type Rest = Omit<
  ConversationDocument,
  keyof SealedMonths | 'waId' | 'userId' | 'contactName' | 'searchText'
>;

const NOTHING: PersonalFields = {
  waId: null,
  userId: null,
  contactName: null,
  text: null,
  messageId: null,
};

export const personalIn = (thread: Thread): PersonalFields =>
  thread
    ? {
        waId: heldBy(thread, 'waId', thread.waId),
        userId: heldBy(thread, 'userId', thread.userId),
        contactName: heldBy(thread, 'contactName', thread.contactName),
        text: heldBy(thread, 'text', thread.lastMessage.text),
        messageId: heldBy(thread, 'messageId', thread.lastMessage.id),
      }
    : NOTHING;

/** The months of what absorbed conversations tell. */
export const monthsIn = (absorbs: readonly Absorbed[]): string[] =>
  absorbs.flatMap(({ month }) => month ?? []);

/** A document of its parts. The order of its fields does not depend on what was there before. */
export const composeThread = (
  { absorbs, lastMessage, ...rest }: Rest,
  { waId, userId, contactName, text, messageId }: PersonalFields,
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
  const { handoff, createdAt, updatedAt, order, textRef } = rest;
  return {
    id,
    accountId,
    phoneNumberId,
    contactRef,
    lastInboundAt,
    lastOutboundAt,
    messageCount,
    unreadCount,
    ...(handoff && { handoff }),
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
    ...monthsOf({ waId, userId, contactName, text, messageId }, monthsIn(absorbs)),
    ...(textRef !== undefined && (text ?? messageId) && { textRef }),
  };
};
