import { z } from 'zod';
import type { MessageDocument, ParkedStatus } from '../../projections/messages.ts';
import type { RefundDocument } from '../../projections/refunds.ts';
import type { ReadModels } from '../route/read-models.ts';
import { iso } from './schemas.ts';
import { refundsOf, takenFor } from './taken.ts';

export const direction = z.enum(['inbound', 'outbound']);

/** A message as histories show it (contract 2.8). */
export const Message = z.object({
  id: z.string(),
  metaMessageId: z.string(),
  conversationId: z.string().nullable(),
  phoneNumberId: z.string().nullable(),
  direction,
  recipientWaId: z.string().describe('Digits only; of an inbound message, our number.'),
  senderWaId: z.string().nullable().describe('Of an inbound message, the customer.'),
  contactName: z.string().nullable(),
  messageType: z.string(),
  status: z
    .string()
    .nullable()
    .describe('`sent`, `delivered`, `read` or `failed`; null of an inbound message.'),
  statusTimestamp: iso.nullable(),
  event: z.string().nullable(),
  templateName: z.string().nullable(),
  text: z.string().nullable(),
  content: z.record(z.string(), z.unknown()),
  contextMessageId: z.string().nullable(),
  category: z.string().nullable().describe('What it was priced as.'),
  price: z
    .string()
    .nullable()
    .describe('What was taken in the end, a decimal string: zero once `refunded`.'),
  currency: z.string().nullable(),
  creditsCharged: z
    .int()
    .nullable()
    .describe('What was taken in the end: zero once `refunded`. Null on a wallet plan.'),
  clientReference: z.string().nullable(),
  source: z
    .enum(['notification', 'api', 'bot'])
    .nullable()
    .describe('What sent it: an event of the catalog, `/v1/messages/send`, or a bot.'),
  chargeId: z.string().nullable().describe('Joins it to the rows of the ledger.'),
  refunded: z.boolean().describe('Whether the charge was given back.'),
  errorCode: z.string().nullable().describe('Only when the status is `failed`.'),
  errorMessage: z.string().nullable(),
  createdAt: iso,
});

const present = (message: MessageDocument, refund: RefundDocument | undefined) => {
  const { recorded: _, accountId, contactWaId, order, ...shown } = message;
  return { ...shown, ...takenFor(message, refund), content: { ...shown.content } };
};

const isRecorded = (message: MessageDocument | ParkedStatus): message is MessageDocument =>
  message.recorded;

/** The recorded messages among the rows, each with its final charge. */
export const presentMessages = async (
  models: ReadModels,
  rows: readonly (MessageDocument | ParkedStatus)[],
) => {
  const recorded = rows.filter(isRecorded);
  const refundOf = await refundsOf(models, recorded);
  return recorded.map((message) => ({
    accountId: message.accountId,
    shown: present(message, refundOf.get(message.chargeId ?? '')),
  }));
};
