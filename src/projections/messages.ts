import { chargeOf } from '../events/completed.ts';
import { idsOf, numberIn } from '../events/contact.ts';
import { receivedIdIn } from '../events/conversation.ts';
import type { EventOf } from '../events/index.ts';
import { intentOf } from '../events/intent.ts';
import { isOfNumber, statusRank } from '../events/message.ts';
import { oldestMonth } from '../events/sealing.ts';
import { idInStream } from '../events/streams.ts';
import { formatMicros } from '../shared/decimal.ts';
import { defineProjection } from './define.ts';
import {
  composeMessage,
  type Delivery,
  type EarlyStatus,
  eraseMessage,
  type MessageDocument,
  messageTypeOf,
  needsBothKeys,
  ownNumberIn,
  type ParkedStatus,
  personalIn,
} from './message-document.ts';
import { heldIn } from './sealed-fields.ts';

/** Where a message is that names further contacts: one erasure of these must reach all that names them. */
const placeInLog = ({
  data,
  stream,
  revision,
}: Pick<EventOf<'ChargeReserved' | 'MessageReceived'>, 'data' | 'stream' | 'revision'>) =>
  data.otherRefs ? { stream, revision } : undefined;

/** The record of a sent message with its charge, as folds need them. */
export const readSent = (event: EventOf<'MessageSent'>) => {
  const { data } = event;
  const charge = chargeOf(event);
  const { outline, said } = charge.data;
  // Both are about one person, whose ids may differ: without one of the keys, all of it is erased.
  const isErased = event.isErased === true || charge.isErased === true;
  const intent = intentOf(outline, isErased ? null : said);
  const sealedMonth = oldestMonth(
    [event.sealedMonth, charge.sealedMonth].filter((month) => month !== undefined),
  );
  return {
    charge: charge.data,
    outline,
    isErased,
    intent,
    inLog: placeInLog(charge),
    /** The provider's id of the message; null where it is erased. */
    messageId: isErased ? null : data.messageId,
    /** The contact's id: digits, or a user id; null where it is erased. */
    waId: isErased ? null : (data.recipient?.waId ?? intent.to),
    userId: isErased ? null : (data.recipient?.userId ?? null),
    /** The recipient of the charge, where the provider calls the recipient otherwise. */
    ...(charge.data.contactRef !== data.contactRef && { otherRef: charge.data.contactRef }),
    /** The oldest month of the keys of all this. */
    months: sealedMonth === undefined ? {} : { sealedMonth },
  };
};

type Sent = EventOf<'MessageSent'>;
type Received = EventOf<'MessageReceived'>;
type Update = EventOf<'StatusUpdated'>;

/** The key of an inbound message, which cannot hide an outbound one of the account. */
export const inboundKeyOf = (accountId: string, messageRef: string): string =>
  `inbound.${accountId}.${messageRef}`;

/** The key of a sent message, and of statuses that came before its record: its account and its ref. */
export const messageKey = ({ stream }: { stream: string }): string => idInStream(stream, 'message');

/** The state of an early status, without the text of its error. */
type Shown = Omit<Delivery, 'errorMessage'>;

const shown = ({ status, statusAt, errorCode }: Update['data']): Shown => ({
  status,
  statusTimestamp: statusAt,
  errorCode: status === 'failed' ? (errorCode ?? null) : null,
});

/** Whether the kept status wins: by its rank, or with the same rank by its later time. */
const wins = (
  kept: Pick<Delivery<string | null>, 'status' | 'statusTimestamp'>,
  next: Shown,
): boolean => {
  const difference = statusRank(kept.status) - statusRank(next.status);
  const later = (kept.statusTimestamp ?? '') >= next.statusTimestamp;
  return difference > 0 || (difference === 0 && later);
};

/** An outbound message, out of its record and its charge. */
const record = (event: Sent, parked: ParkedStatus | undefined): MessageDocument => {
  const { data, meta, position } = event;
  const { accountId, phoneNumberId, contactRef, chargeId } = data;
  const sent = readSent(event);
  const { outline, intent, isErased, waId } = sent;
  const { price, amount, at } = sent.charge;
  // A recovered record is written long after the send.
  const sentAt = data.recovered ? at : meta.at;
  const known = parked?.early.find((one) => isOfNumber(data, one));
  const assumed = { status: 'sent', statusTimestamp: sentAt, errorCode: null };
  const { status, statusTimestamp, errorCode } =
    known && statusRank(known.status) >= statusRank('sent') ? known : assumed;
  const held = <T>(value: T | null) => heldIn(sent.months, value);
  return composeMessage(
    {
      messageRef: data.messageRef,
      recorded: true,
      accountId,
      phoneNumberId,
      contactRef,
      ...(sent.otherRef !== undefined && { otherRef: sent.otherRef }),
      ...(sent.inLog && { inLog: sent.inLog }),
      ...(isErased && { erased: true as const }),
      direction: 'outbound',
      messageType: messageTypeOf(outline.content),
      status,
      statusTimestamp,
      errorCode,
      event: intent.event,
      templateName: outline.content.name ?? null,
      category: price.category,
      price: formatMicros(price.sellPrice),
      currency: price.currency,
      creditsCharged: price.billing === 'credits' ? 0 - amount : null,
      clientReference: intent.clientReference,
      source: intent.source,
      chargeId,
      ...(outline.jobId !== undefined && { jobId: outline.jobId }),
      ...(data.providerStatus !== undefined && { providerStatus: data.providerStatus }),
      ...(data.tookMs !== undefined && { tookMs: data.tookMs }),
      createdAt: sentAt,
      order: position,
    },
    {
      senderWaId: null,
      contactName: null,
      errorMessage: null,
      metaMessageId: held(sent.messageId),
      contextMessageId: held(sent.inLog ? null : intent.contextMessageId),
      recipientWaId: held(waId === null ? null : numberIn(waId)),
      contactUserId: held(idsOf(waId, sent.userId).userId),
      text: held(intent.text),
      content: held(sent.inLog ? null : intent.content),
    },
  );
};

/** The id of the message that an inbound message answers. */
export const contextOf = (message: Readonly<Record<string, unknown>>): string | null => {
  const { id } = (message.context ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
};

const inbound = (event: Received): MessageDocument => {
  const { data, position } = event;
  const inLog = placeInLog(event);
  const message = inLog ? null : data.message;
  return composeMessage(
    {
      messageRef: data.messageRef,
      recorded: true,
      accountId: data.accountId,
      phoneNumberId: data.phoneNumberId,
      contactRef: data.contactRef,
      ...(inLog && { inLog }),
      ...(event.isErased && { erased: true as const }),
      direction: 'inbound',
      messageType: data.messageType,
      status: null,
      statusTimestamp: null,
      errorCode: null,
      event: null,
      templateName: null,
      category: null,
      price: null,
      currency: null,
      creditsCharged: null,
      clientReference: null,
      source: null,
      chargeId: null,
      createdAt: data.receivedAt,
      order: position,
    },
    {
      recipientWaId: null,
      errorMessage: null,
      metaMessageId: heldIn(event, receivedIdIn(data)),
      contextMessageId: heldIn(event, message && contextOf(message)),
      senderWaId: heldIn(event, data.waId === null ? null : numberIn(data.waId)),
      contactUserId: heldIn(event, data.userId),
      contactName: heldIn(event, data.contactName),
      text: heldIn(event, data.text),
      content: heldIn(event, message),
    },
    data.displayPhoneNumber,
  );
};

/** Ignores a status that arrived at another number than the sending one. */
const updated = (message: MessageDocument, event: Update): MessageDocument => {
  const { data } = event;
  if (!isOfNumber(message, data)) return message;
  const next = shown(data);
  // `sent` is an assumption until the provider reports it, so any report of it wins.
  const isAssumed = message.status === 'sent' && message.statusTimestamp === message.createdAt;
  const isLower = isAssumed ? statusRank(next.status) < statusRank('sent') : wins(message, next);
  const personal = personalIn(message);
  const { contactUserId: first } = personal;
  const isGone = message.erased === true && needsBothKeys(message);
  const held = (value: string | null) => (isGone ? null : heldIn(event, value));
  const told = held(data.recipient?.userId ?? null);
  // A later key may outlive that of the first one.
  const contactUserId = told && (first === null || told.month > first.month) ? told : first;
  const isKnown = contactUserId === first;
  if (isLower && isKnown) return message;
  const errorMessage = next.status === 'failed' ? held(data.errorMessage) : null;
  const change = isLower ? {} : { errorMessage };
  return composeMessage(
    { ...message, ...(!isLower && next), ...(event.isErased && { erased: true as const }) },
    { ...personal, contactUserId, ...change },
    ownNumberIn(message),
  );
};

const parked = (message: ParkedStatus | undefined, { data }: Update): ParkedStatus => {
  const { messageRef, phoneNumberId } = data;
  const before = message?.early ?? [];
  const known = before.find((one) => one.phoneNumberId === phoneNumberId);
  const next = shown(data);
  if (message && known && wins(known, next)) return message;
  const now: EarlyStatus = { phoneNumberId, ...next };
  const early = [...before.filter((one) => one !== known), now];
  return { messageRef, recorded: false, accountId: null, order: null, early };
};

/** Outbound messages with their delivery, and inbound messages. */
export const messages = defineProjection<MessageDocument | ParkedStatus>({
  name: 'messages',
  version: 17,
  indexes: [
    ['accountId', 'clientReference?', '-order'],
    ['accountId', 'contactRef', '-order'],
    ['accountId', 'status?', '-order'],
    ['accountId', 'event?', '-order'],
    ['accountId', 'phoneNumberId', '-order'],
    ['accountId', 'chargeId?', '-order'],
    ['accountId?', '-order'],
    ['-order'],
    ['messageRef', 'order?'],
    ['jobId?', 'status?', '-order'],
    ['contactRef', 'sealedMonth?'],
    ['otherRef?', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  erase: { by: ['contactRef', 'otherRef'], document: eraseMessage },
  filters: ['direction', 'messageType', 'createdAt'],
  words: ['accountId', 'phoneNumberId', 'status', 'event', 'direction', 'messageType'],
  on: {
    MessageReceived: {
      key: ({ data }) => inboundKeyOf(data.accountId, data.messageRef),
      // The first one wins: the same id at another number of the account is no second message.
      fold: (message, event) => message ?? inbound(event),
    },
    MessageSent: {
      key: messageKey,
      // Statuses that came before the record are in its stream.
      begins: ({ revision }) => revision === 0,
      fold: (message, event) => (message?.recorded ? message : record(event, message)),
    },
    StatusUpdated: {
      key: messageKey,
      fold: (message, event) =>
        message?.recorded ? updated(message, event) : parked(message, event),
    },
  },
});
