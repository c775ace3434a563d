import { z } from 'zod';
import { contactKeyOf } from '../../events/contact.ts';
import { conversationIdOf, FlowReply, flowIn } from '../../events/conversation.ts';
import type { EventOf, KnownEvent } from '../../events/index.ts';
import { intentOf } from '../../events/intent.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import type { MessageDocument, ParkedStatus } from '../../projections/message-document.ts';
import { contextOf } from '../../projections/messages.ts';
import { type ContactOf, readContacts } from '../../projections/read-contacts.ts';
import { type RefundDocument, type RefundsKnown, refunds } from '../../projections/refunds.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { contactUserId, direction, erased, iso, providerStatus } from './schemas.ts';

const NOTHING = '0.0000';

type Charged = Pick<MessageDocument, 'chargeId' | 'price' | 'creditsCharged'>;

/**
 * The final charge of a message: zero after a refund. A charge that closed without a movement,
 * because the account has changed its unit, remains.
 */
export const takenFor = (
  { price, creditsCharged, chargeId }: Charged,
  refund: Pick<RefundDocument, 'amount'> | undefined,
) => {
  const refunded = refund !== undefined && (refund.amount !== 0 || price === NOTHING);
  return {
    price: refunded ? NOTHING : price,
    creditsCharged: refunded && creditsCharged !== null ? 0 : creditsCharged,
    chargeId,
    refunded,
  };
};

const isOfCharge = (one: RefundDocument | RefundsKnown): one is RefundDocument =>
  one.of === 'charge';

/** The refunds of charges: one look-up for each. */
export const refundsOfCharges = async (
  models: Pick<ReadModels, 'getMany'>,
  charges: readonly string[],
): Promise<ReadonlyMap<string, RefundDocument>> => {
  const found = charges.length === 0 ? [] : await models.getMany(refunds, charges);
  return new Map(found.filter(isOfCharge).map((one) => [one.id, one]));
};

/** The refunds of a page's messages by charge. */
export const refundsOf = (
  models: Pick<ReadModels, 'getMany'>,
  page: readonly (MessageDocument | ParkedStatus)[],
): Promise<ReadonlyMap<string, RefundDocument>> =>
  refundsOfCharges(
    models,
    page.flatMap((one) => (one.recorded && one.chargeId ? [one.chargeId] : [])),
  );

/** A message that is kept under a user id, as a message of the contact that has it now. */
const ofContact = (message: MessageDocument, { ref, number }: ContactOf): MessageDocument => {
  const shown =
    message.direction === 'inbound' ? { senderWaId: number } : { recipientWaId: number };
  return { ...message, contactRef: ref, ...shown };
};

const isHidden = ({ direction, senderWaId, recipientWaId, erased }: MessageDocument): boolean =>
  !erased && (direction === 'inbound' ? senderWaId : recipientWaId) === null;

/** The messages with the numbers of customers that have become known since. */
export const withContacts = async (
  models: Pick<ReadModels, 'getMany'>,
  messages: readonly MessageDocument[],
): Promise<readonly MessageDocument[]> => {
  const hidden = messages.filter(isHidden);
  if (hidden.length === 0) return messages;
  const contacts = new Map<string, ContactOf>();
  for (const [accountId, of] of Map.groupBy(hidden, (message) => message.accountId)) {
    const refs = of.map(({ contactRef }) => contactRef);
    for (const [ref, contact] of await readContacts(models, accountId, refs)) {
      contacts.set(contactKeyOf(accountId, ref), contact);
    }
  }
  return messages.map((message) => {
    const { accountId, contactRef } = message;
    const contact = isHidden(message) ? contacts.get(contactKeyOf(accountId, contactRef)) : null;
    return contact ? ofContact(message, contact) : message;
  });
};

/** A message as histories show it (contract 2.8). */
export const Message = z
  .object({
    id: z.string().nullable().describe('Id of the message; null once erased.'),
    metaMessageId: z.string().nullable().describe("The provider's message id; null once erased."),
    conversationId: z.string().nullable().describe('Id of the conversation.'),
    phoneNumberId: z.string().nullable().describe("The provider's phone number id."),
    direction,
    recipientWaId: z
      .string()
      .nullable()
      .describe('The recipient, digits only; null while the number is not known.'),
    senderWaId: z
      .string()
      .nullable()
      .describe('The sending customer of an inbound message; null while the number is not known.'),
    contactUserId,
    contactName: z.string().nullable().describe("Name in the customer's profile."),
    messageType: z.string().describe('Such as `text`, `template` or `image`.'),
    status: z
      .string()
      .nullable()
      .describe('`sent`, `delivered`, `read` or `failed`; null for an inbound message.'),
    statusTimestamp: iso.nullable().describe("The provider's time of the status, ISO 8601."),
    event: z.string().nullable().describe('Event key of the catalog.'),
    templateName: z.string().nullable().describe("The provider's name of the template."),
    text: z.string().nullable().describe('The text of the message, if any.'),
    content: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The message as sent or received; null once it is erased.'),
    flow: FlowReply.optional().describe(
      'What the customer filled in, in a flow; absent of other messages.',
    ),
    contextMessageId: z.string().nullable().describe('The message that this one answers.'),
    category: z.string().nullable().describe('Category of the price.'),
    price: z.string().nullable().describe('Final charge, a decimal string: zero after a refund.'),
    currency: z.string().nullable().describe('ISO 4217 code of the price.'),
    creditsCharged: z
      .int()
      .nullable()
      .describe('Final charge in credits: zero after a refund, null on a wallet plan.'),
    clientReference: z.string().nullable().describe('Your reference of the message.'),
    source: z
      .enum(['notification', 'api', 'bot', 'gateway'])
      .nullable()
      .describe(
        '`api` for `/v1/messages/send`, `gateway` for `/graph`; null for an inbound message.',
      ),
    chargeId: z.string().nullable().describe('Id of the charge, as in the ledger.'),
    refunded: z.boolean().describe('Whether the charge was refunded.'),
    errorCode: z.string().nullable().describe('Only with the status `failed`.'),
    errorMessage: z.string().nullable().describe("The provider's words, with the status `failed`."),
    providerStatus,
    createdAt: iso.describe('Time of the send or the receipt, ISO 8601.'),
    erased,
  })
  .meta({ id: 'Message' });

/** The fields that a message's document has. */
const Stored = Message.omit({ id: true, conversationId: true, refunded: true, flow: true });

const present = (message: MessageDocument, refund: RefundDocument | undefined) => {
  const { metaMessageId: id, phoneNumberId } = message;
  const conversationId = phoneNumberId && conversationIdOf({ ...message, phoneNumberId });
  const flow = flowIn(message.content);
  const shown = { id, conversationId, ...pick(Stored, message), ...(flow && { flow }) };
  return Object.assign(shown, takenFor(message, refund));
};

const isRecorded = (message: MessageDocument | ParkedStatus): message is MessageDocument =>
  message.recorded;

type Log = Pick<EventReader, 'read'>;

/** The message with what names further contacts, as far as none of these is erased. */
const withNamed = async (log: Log, message: MessageDocument): Promise<MessageDocument> => {
  if (!message.inLog) return message;
  const { stream, revision } = message.inLog;
  const [event] = (await log.read(stream, { from: revision, limit: 1 })) as KnownEvent[];
  if (event?.type !== 'MessageReceived' && event?.type !== 'ChargeReserved') return message;
  const { named } = event.data;
  const erased = message.erased || !named || named.some(({ isErased }) => isErased);
  return { ...message, ...(!event.isErased && saidIn(event)), ...(erased && { erased: true }) };
};

const saidIn = (event: EventOf<'MessageReceived' | 'ChargeReserved'>) => {
  if (event.type === 'ChargeReserved') {
    const { content, contextMessageId } = intentOf(event.data.outline, event.data.said);
    return { content, contextMessageId };
  }
  const { message } = event.data;
  return { content: message, contextMessageId: message && contextOf(message) };
};

/** For lists, which are shown while the log is away: without what it alone holds, which is then null. */
export const withinReach = (log: Log): Log => ({
  async read(...asked) {
    try {
      return await log.read(...asked);
    } catch (error) {
      if (error instanceof StoreUnavailable) return [];
      throw error;
    }
  },
});

/** The recorded messages among the rows, each with its final charge. */
export const presentMessages = async (
  { models, store }: { models: Pick<ReadModels, 'getMany'>; store: Log },
  rows: readonly (MessageDocument | ParkedStatus)[],
) => {
  const recorded = await Promise.all(
    rows.filter(isRecorded).map((message) => withNamed(store, message)),
  );
  const refundOf = await refundsOf(models, recorded);
  const current = await withContacts(models, recorded);
  return current.map((message) => ({
    accountId: message.accountId,
    shown: present(message, refundOf.get(message.chargeId ?? '')),
  }));
};
