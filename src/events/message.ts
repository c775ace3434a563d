import { z } from 'zod';
import { Intent } from './content.ts';
import { defineEvent, type FactOf } from './define.ts';
import { Price } from './price.ts';

/** The provider accepted a message. Its stream is named by the provider's id. */
export const MessageSent = defineEvent(
  'MessageSent',
  z.object({
    messageId: z.string(),
    accountId: z.string(),
    chargeId: z.string(),
    /** Revision of its ChargeReserved in the account's stream. */
    chargeRevision: z.int().min(0),
    /** The charge as a movement: zero or below. */
    chargeAmount: z.int(),
    /** The recipient's id in the account: digits, or a user id while the number is not known. */
    recipientWaId: z.string(),
    /** Absent where the provider gave none. */
    recipientUserId: z.string().optional(),
    price: Price,
    intent: Intent,
    reservedAt: z.iso.datetime(),
    /** True when the record was lost and written from a status update. */
    recovered: z.boolean(),
    /** The provider's word where it accepted the message and holds it, such as paused. */
    providerStatus: z.string().optional(),
  }),
  // Version 1 has no providerStatus, and version 2 no recipientUserId.
  [(v1) => v1, (v2) => v2],
);

/** The provider's delivery status. Unknown ones are stored and rank lowest. */
export const StatusUpdated = defineEvent(
  'StatusUpdated',
  z.object({
    messageId: z.string(),
    /**
     * The message's own account; before the message is recorded, the account that the number was
     * linked to when the update came.
     */
    accountId: z.string(),
    phoneNumberId: z.string(),
    status: z.string(),
    statusAt: z.iso.datetime(),
    recipientWaId: z.string().nullable(),
    recipientUserId: z.string().optional(),
    /** The recipient's id in the account; absent before the message is recorded. */
    contact: z.string().optional(),
    chargeId: z.string().nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    /** The provider's pricing object, verbatim. */
    pricing: z.record(z.string(), z.unknown()).nullable(),
  }),
  // Version 1 has neither recipientUserId nor contact.
  [(v1) => v1],
);

/**
 * A status of a message without a record names this charge. The claim is decided once the send of
 * that charge must have ended.
 */
export const ChargeClaimed = defineEvent(
  'ChargeClaimed',
  z.object({
    messageId: z.string(),
    chargeId: z.string(),
    accountId: z.string(),
    phoneNumberId: z.string(),
    recipientWaId: z.string().nullable(),
    recipientUserId: z.string().optional(),
    /** When the charge was reserved. */
    reservedAt: z.iso.datetime(),
  }),
  // Version 1 has no recipientUserId.
  [(v1) => v1],
);

/** The charge has another message. The dead letters hold the statuses of the claim. */
export const ChargeClaimRefused = defineEvent(
  'ChargeClaimRefused',
  z.object({ messageId: z.string(), chargeId: z.string(), accountId: z.string() }),
);

/** An inbound message has this id, which has no meaning at other numbers from now on. */
export const InboundIdClaimed = defineEvent(
  'InboundIdClaimed',
  z.object({
    messageId: z.string(),
    accountId: z.string(),
    phoneNumberId: z.string(),
    /**
     * The contact whose conversation takes the message, also when it comes again under another id of
     * that contact; null in version 1.
     */
    contact: z.string().nullable(),
  }),
  [(v1) => ({ ...v1, contact: null })],
);

/** The account marked a customer's message as read, and the provider showed it to the customer. */
export const MessageMarkedRead = defineEvent(
  'MessageMarkedRead',
  z.object({ messageId: z.string(), accountId: z.string(), phoneNumberId: z.string() }),
);

export const messageEvents = [
  MessageSent,
  StatusUpdated,
  ChargeClaimed,
  ChargeClaimRefused,
  InboundIdClaimed,
  MessageMarkedRead,
] as const;
export type MessageFact = FactOf<(typeof messageEvents)[number]>;

/** The delivery statuses that messages show, the lowest first. */
export const deliveryStatuses = ['sent', 'failed', 'delivered', 'read'] as const;

/** Rank of a delivery status: the highest one wins. Unknown ones rank lowest. */
export const statusRank = (status: string | null): number =>
  (deliveryStatuses as readonly (string | null)[]).indexOf(status) + 1;

/**
 * Whether an item that arrived at a number concerns this message: the number sent it. The number may
 * have moved to another account since; the message stays with its account.
 */
export const isOfNumber = (
  sent: FactOf<typeof MessageSent>['data'],
  { accountId, phoneNumberId }: { accountId: string; phoneNumberId: string },
): boolean =>
  sent.intent.phoneNumberId === null
    ? sent.accountId === accountId
    : sent.intent.phoneNumberId === phoneNumberId;
