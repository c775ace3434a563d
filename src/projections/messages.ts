import { formatMicros } from '../decimal.ts';
import type { Category, Content, Intent } from '../events/content.ts';
import { type MessageFact, statusRank } from '../events/message.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Sent = Extract<MessageFact, { type: 'MessageSent' }>['data'];
type Update = Extract<MessageFact, { type: 'StatusUpdated' }>['data'];

/** How far the delivery got (decisions 10). */
interface Delivery {
  status: string;
  statusTimestamp: string;
  /** Both are filled while the status is `failed`, and null otherwise. */
  errorCode: string | null;
  errorMessage: string | null;
}

/** A message as the history shows it (decisions 9). */
export interface MessageDocument extends Delivery {
  id: string;
  recorded: true;
  metaMessageId: string;
  accountId: string;
  conversationId: string | null;
  phoneNumberId: string | null;
  direction: 'outbound';
  recipientWaId: string;
  senderWaId: string | null;
  contactName: string | null;
  messageType: string;
  event: string | null;
  templateName: string | null;
  text: string | null;
  content: Content;
  contextMessageId: string | null;
  category: Category;
  price: string;
  currency: string;
  /** Null on a wallet plan. */
  creditsCharged: number | null;
  clientReference: string | null;
  source: Intent['source'];
  chargeId: string;
  createdAt: string;
  order: Position;
}

/**
 * A status that came before the record of its message. It belongs to no account yet and is shown
 * to nobody; the record takes it over.
 */
export interface ParkedStatus extends Delivery {
  id: string;
  recorded: false;
  accountId: null;
  order: null;
}

const messageId = (event: { data: { messageId: string } }) => event.data.messageId;

/** Message type as the contract counts them (2.6, 4.10): media by their kind. */
const messageType = (content: Content): string => {
  if (content.type === 'notification') return 'template';
  return content.type === 'media' ? content.mediaType : content.type;
};

const templateName = (content: Content): string | null =>
  content.type === 'notification' || content.type === 'template' ? content.name : null;

const delivery = ({ status, statusTimestamp, errorCode, errorMessage }: Delivery): Delivery => ({
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

/** The highest rank stands; of two reports of the same rank the later one by its own time. */
const stands = (kept: Delivery, next: Delivery): boolean => {
  const difference = statusRank(kept.status) - statusRank(next.status);
  return difference > 0 || (difference === 0 && kept.statusTimestamp >= next.statusTimestamp);
};

const record = (data: Sent, sentAt: string, order: Position, known: Delivery | undefined) => {
  const { intent, price, recipientWaId } = data;
  const assumed = { status: 'sent', statusTimestamp: sentAt, errorCode: null, errorMessage: null };
  const reportedOne = known && statusRank(known.status) >= statusRank('sent') ? known : assumed;
  const message: MessageDocument = {
    id: data.messageId,
    recorded: true,
    metaMessageId: data.messageId,
    accountId: data.accountId,
    conversationId: intent.phoneNumberId && `${intent.phoneNumberId}.${recipientWaId}`,
    phoneNumberId: intent.phoneNumberId,
    direction: 'outbound',
    recipientWaId,
    senderWaId: null,
    contactName: null,
    messageType: messageType(intent.content),
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
    createdAt: sentAt,
    order,
  };
  return message;
};

/** Outbound messages and how far each got. */
export const messages = defineProjection<MessageDocument | ParkedStatus>({
  name: 'messages',
  version: 1,
  indexes: [['accountId', '-order']],
  on: {
    MessageSent: {
      key: messageId,
      fold: (message, { data, meta, position }) => {
        if (message?.recorded) return message;
        // A record that was recovered is written long after the message went out.
        const sentAt = data.recovered ? data.reservedAt : meta.at;
        return record(data, sentAt, position, message);
      },
    },
    StatusUpdated: {
      key: messageId,
      fold: (message, { data }, id) => {
        const next = reported(data);
        if (!message) return { id, recorded: false, accountId: null, order: null, ...next };
        // Until the provider says `sent` we assume it, at the time of the send: its word is better.
        const assumed =
          message.recorded &&
          message.status === 'sent' &&
          message.statusTimestamp === message.createdAt;
        if (assumed ? statusRank(next.status) < statusRank('sent') : stands(message, next)) {
          return message;
        }
        return { ...message, ...next };
      },
    },
  },
});
