import { z } from 'zod';
import { Price } from './account.ts';
import { Intent } from './content.ts';
import { defineEvent, type FactOf } from './define.ts';

/** The provider accepted a message. Its stream is named by the provider's id. */
export const MessageSent = defineEvent(
  'MessageSent',
  z.object({
    messageId: z.string(),
    accountId: z.string(),
    chargeId: z.string(),
    /** Revision of its ChargeReserved in the account's stream. */
    chargeRevision: z.int().min(0),
    /** What was taken for it, as a movement: zero or below. */
    chargeAmount: z.int(),
    /** The recipient's id as the provider knows it; digits only. */
    recipientWaId: z.string(),
    price: Price,
    intent: Intent,
    reservedAt: z.iso.datetime(),
    /** True when the record was written from a status update, because its own was lost. */
    recovered: z.boolean(),
  }),
);

/** The provider's words of delivery. Unknown ones are kept and rank below all others. */
export const StatusUpdated = defineEvent(
  'StatusUpdated',
  z.object({
    messageId: z.string(),
    /** The account that had the number linked when the update came. */
    accountId: z.string(),
    phoneNumberId: z.string(),
    status: z.string(),
    statusAt: z.iso.datetime(),
    recipientWaId: z.string().nullable(),
    chargeId: z.string().nullable(),
    errorCode: z.string().nullable(),
    errorMessage: z.string().nullable(),
    /** The provider's pricing object, verbatim. */
    pricing: z.record(z.string(), z.unknown()).nullable(),
  }),
);

export const messageEvents = [MessageSent, StatusUpdated] as const;
export type MessageFact = FactOf<(typeof messageEvents)[number]>;

/** Rank of a delivery status: the highest seen stands. Unknown words rank lowest. */
export const statusRank = (status: string | null): number =>
  ['sent', 'failed', 'delivered', 'read'].indexOf(status ?? '') + 1;
