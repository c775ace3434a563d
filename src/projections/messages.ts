import { idsOf, numberIn } from '../events/contact.ts';
import type { Category, Content, Intent } from '../events/content.ts';
import { conversationIdOf } from '../events/conversation.ts';
import type { KnownEvent } from '../events/index.ts';
import { isOfNumber, type MessageFact, statusRank } from '../events/message.ts';
import type { Position } from '../events/store.ts';
import { formatMicros } from '../shared/decimal.ts';
import { defineProjection } from './define.ts';

type Sent = Extract<MessageFact, { type: 'MessageSent' }>['data'];
type Received = Extract<KnownEvent, { type: 'MessageReceived' }>;
type Update = Extract<MessageFact, { type: 'StatusUpdated' }>['data'];

/** The state of the delivery. */
interface Delivery<Status = string> {
  status: Status;
  statusTimestamp: Status;
  /** Both are filled while the status is `failed`, and null otherwise. */
  errorCode: string | null;
  errorMessage: string | null;
}

/** A message of the history. Fields of only one direction are null in the other. */
export interface MessageDocument extends Delivery<string | null> {
  id: string;
  recorded: true;
  metaMessageId: string;
  accountId: string;
  conversationId: string | null;
  phoneNumberId: string | null;
  /** The other party's id in the account at that time, in both directions. */
  contactWaId: string;
  contactUserId: string | null;
  direction: 'inbound' | 'outbound';
  recipientWaId: string | null;
  senderWaId: string | null;
  contactName: string | null;
  messageType: string;
  event: string | null;
  templateName: string | null;
  text: string | null;
  /** Our content of an outbound message; the provider's of an inbound one, verbatim. */
  content: Content | Readonly<Record<string, unknown>>;
  contextMessageId: string | null;
  category: Category | null;
  price: string | null;
  currency: string | null;
  /** Null on a wallet plan. */
  creditsCharged: number | null;
  clientReference: string | null;
  source: Intent['source'] | null;
  chargeId: string | null;
  /** The provider's word where it accepted the message and holds it; absent otherwise. */
  providerStatus?: string;
  createdAt: string;
  order: Position;
}

/** A status that came before the record of its message, with the number that received it. */
interface EarlyStatus extends Delivery {
  accountId: string;
  phoneNumberId: string;
}

/**
 * Statuses that came before the record of their message. No account sees them. The record takes over
 * the status of the number that sent the message.
 */
export interface ParkedStatus {
  id: string;
  recorded: false;
  accountId: null;
  order: null;
  /** The status in force of each number. */
  early: readonly EarlyStatus[];
}

/**
 * The key of an inbound message contains the account, so that no other account can reach it by a
 * message id, and it cannot hide an outbound message.
 */
export const inboundKeyOf = (accountId: string, messageId: string): string =>
  `inbound.${accountId}.${messageId}`;

const messageId = (event: { data: { messageId: string } }) => event.data.messageId;

/** Message type by the contract (2.6, 4.10): the kind of a media message. */
export const messageTypeOf = (content: Content): string => {
  if (content.type === 'notification') return 'template';
  return content.type === 'media' ? content.mediaType : content.type;
};

const templateName = (content: Content): string | null =>
  content.type === 'notification' || content.type === 'template' ? content.name : null;

const delivery = <Status>({
  status,
  statusTimestamp,
  errorCode,
  errorMessage,
}: Delivery<Status>): Delivery<Status> => ({
  status,
  statusTimestamp,
  errorCode,
  errorMessage,
});

const reported = ({ status, statusAt, errorCode, errorMessage }: Update): Delivery => ({
  status,
  statusTimestamp: statusAt,
  errorCode: status === 'failed' ? errorCode : null,
  errorMessage: status === 'failed' ? errorMessage : null,
});

/** Whether the kept status wins: by its rank, or with the same rank by its later time. */
const wins = (kept: Delivery<string | null>, next: Delivery): boolean => {
  const difference = statusRank(kept.status) - statusRank(next.status);
  const later = (kept.statusTimestamp ?? '') >= next.statusTimestamp;
  return difference > 0 || (difference === 0 && later);
};

const record = (data: Sent, sentAt: string, order: Position, parked: ParkedStatus | undefined) => {
  const { accountId, intent, price, recipientWaId } = data;
  const { phoneNumberId } = intent;
  const known = parked?.early.find((one) => isOfNumber(data, one));
  const assumed = { status: 'sent', statusTimestamp: sentAt, errorCode: null, errorMessage: null };
  const reportedOne = known && statusRank(known.status) >= statusRank('sent') ? known : assumed;
  const message: MessageDocument = {
    id: data.messageId,
    recorded: true,
    metaMessageId: data.messageId,
    accountId,
    conversationId:
      phoneNumberId && conversationIdOf({ accountId, phoneNumberId, waId: recipientWaId }),
    phoneNumberId,
    contactWaId: recipientWaId,
    contactUserId: idsOf(recipientWaId, data.recipientUserId ?? null).userId,
    direction: 'outbound',
    recipientWaId: numberIn(recipientWaId),
    senderWaId: null,
    contactName: null,
    messageType: messageTypeOf(intent.content),
    ...delivery(reportedOne),
    event: intent.event,
    templateName: templateName(intent.content),
    text: intent.text,
    content: intent.content,
    contextMessageId: intent.contextMessageId,
    category: price.category,
    price: formatMicros(price.sellPrice),
    currency: price.currency,
    creditsCharged: price.billing === 'credits' ? 0 - data.chargeAmount : null,
    clientReference: intent.clientReference,
    source: intent.source,
    chargeId: data.chargeId,
    ...(data.providerStatus !== undefined && { providerStatus: data.providerStatus }),
    createdAt: sentAt,
    order,
  };
  return message;
};

/** The id of the message that an inbound message answers. */
const contextOf = (message: Readonly<Record<string, unknown>>): string | null => {
  const { id } = (message.context ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
};

const inbound = ({ data, position }: Received): MessageDocument => ({
  id: data.messageId,
  recorded: true,
  metaMessageId: data.messageId,
  accountId: data.accountId,
  conversationId: conversationIdOf(data),
  phoneNumberId: data.phoneNumberId,
  contactWaId: data.waId,
  contactUserId: data.userId,
  direction: 'inbound',
  recipientWaId: data.displayPhoneNumber,
  senderWaId: numberIn(data.waId),
  contactName: data.contactName,
  messageType: data.messageType,
  status: null,
  statusTimestamp: null,
  errorCode: null,
  errorMessage: null,
  event: null,
  templateName: null,
  text: data.text,
  content: data.message,
  contextMessageId: contextOf(data.message),
  category: null,
  price: null,
  currency: null,
  creditsCharged: null,
  clientReference: null,
  source: null,
  chargeId: null,
  createdAt: data.receivedAt,
  order: position,
});

/** Ignores a status that arrived at another number than the sending one. */
const updated = (message: MessageDocument, data: Update): MessageDocument => {
  const { accountId, phoneNumberId } = message;
  const isOwn =
    phoneNumberId === null ? data.accountId === accountId : data.phoneNumberId === phoneNumberId;
  if (!isOwn) return message;
  const next = reported(data);
  // `sent` is an assumption until the provider reports it, so any report of it wins.
  const isAssumed = message.status === 'sent' && message.statusTimestamp === message.createdAt;
  const isLower = isAssumed ? statusRank(next.status) < statusRank('sent') : wins(message, next);
  const contactUserId = message.contactUserId ?? data.recipientUserId ?? null;
  if (!isLower) return { ...message, ...next, contactUserId };
  return contactUserId === message.contactUserId ? message : { ...message, contactUserId };
};

const parked = (message: ParkedStatus | undefined, data: Update, id: string): ParkedStatus => {
  const { accountId, phoneNumberId } = data;
  const before = message?.early ?? [];
  const known = before.find((one) => one.phoneNumberId === phoneNumberId);
  const next = reported(data);
  if (message && known && wins(known, next)) return message;
  const early = [...before.filter((one) => one !== known), { accountId, phoneNumberId, ...next }];
  return { id, recorded: false, accountId: null, order: null, early };
};

/** Outbound messages with their delivery, and inbound messages. */
export const messages = defineProjection<MessageDocument | ParkedStatus>({
  name: 'messages',
  version: 7,
  indexes: [
    ['accountId', 'clientReference?', '-order'],
    ['accountId', 'conversationId', '-order'],
    ['accountId', 'contactWaId', '-order'],
    ['accountId', 'status?', '-order'],
    ['accountId', 'event?', '-order'],
    ['accountId', 'phoneNumberId', '-order'],
    ['accountId', 'chargeId?', '-order'],
    ['accountId?', '-order'],
  ],
  filters: ['direction', 'messageType', 'createdAt'],
  words: ['accountId', 'phoneNumberId', 'status', 'event', 'direction', 'messageType'],
  on: {
    MessageReceived: {
      key: ({ data }) => inboundKeyOf(data.accountId, data.messageId),
      // The first one wins: the same id at another number of the account is no second message.
      fold: (message, event) => message ?? inbound(event),
    },
    MessageSent: {
      key: messageId,
      fold: (message, { data, meta, position }) => {
        if (message?.recorded) return message;
        // A recovered record is written long after the send.
        const sentAt = data.recovered ? data.reservedAt : meta.at;
        return record(data, sentAt, position, message);
      },
    },
    StatusUpdated: {
      key: messageId,
      fold: (message, { data }, id) =>
        message?.recorded ? updated(message, data) : parked(message, data, id),
    },
  },
});
