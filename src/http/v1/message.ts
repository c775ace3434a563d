import { z } from 'zod';
import type { ReadReceipts } from '../../commands/inbound/read-receipts.ts';
import { billedCategory } from '../../commands/pricing/template-category.ts';
import { chargeOf, complete } from '../../events/completed.ts';
import { numberIn } from '../../events/contact.ts';
import { conversationIdOf, conversationStream, expandSteps } from '../../events/conversation.ts';
import type { EventOf, KnownEvent } from '../../events/index.ts';
import { isOfNumber, type Pricing, pricingsOf } from '../../events/message.ts';
import { firstRevision } from '../../events/paging.ts';
import { type EventReader, START } from '../../events/store.ts';
import { inAccount, messageStream } from '../../events/streams.ts';
import { contacts } from '../../projections/contacts.ts';
import type { MessageDocument } from '../../projections/message-document.ts';
import { inboundKeyOf, messages } from '../../projections/messages.ts';
import { readRefsOf } from '../../projections/read-contacts.ts';
import { inUnit } from '../../shared/decimal.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import { actingFor } from '../edge/context.ts';
import { pick } from '../route/pick.ts';
import type { ReadModels } from '../route/read-models.ts';
import { defineRoute } from '../route/route.ts';
import { withContacts } from './message-record.ts';
import { MessageStatus, success } from './schemas.ts';

/** What finds messages by the provider's ids. */
export interface MessageSearch {
  models: ReadModels;
  secrets: Pick<Secrets, 'messageRef'>;
}

/** The names under which a message may be kept: in old logs that is the provider's id itself. */
export const refsOf = ({ secrets }: Pick<MessageSearch, 'secrets'>, messageId: string) =>
  [secrets.messageRef(messageId), messageId] as const;

/** An account's message by the provider's id, outbound or inbound, also an erased one. */
export const findMessage = async (
  search: MessageSearch,
  accountId: string,
  messageId: string,
): Promise<MessageDocument | undefined> => {
  const { models } = search;
  for (const ref of refsOf(search, messageId)) {
    const sent = await models.get(messages, inAccount(accountId, ref));
    if (sent?.recorded) return sent;
    const received = await models.get(messages, inboundKeyOf(accountId, ref));
    if (received?.recorded) return received;
  }
  return undefined;
};

/** Accounts that have a message with one id, at most: the provider gives each id once. */
const SAME_ID_MAX = 10;

/** The messages of all accounts with the provider's id, the latest first. */
export const findAnywhere = async (
  search: MessageSearch,
  messageId: string,
): Promise<readonly MessageDocument[]> => {
  const found = refsOf(search, messageId).map((messageRef) =>
    search.models.find(messages, {
      where: { messageRef, order: { gt: START } },
      order: { field: 'order', direction: 'descending' },
      limit: SAME_ID_MAX,
    }),
  );
  return (await Promise.all(found)).flat().filter((message) => message.recorded);
};

/** Contract 4.9. */
export const statusRoute = ({ secrets }: Pick<MessageSearch, 'secrets'>) =>
  defineRoute({
    method: 'GET',
    path: '/v1/notifications/status/:messageId',
    access: 'key',
    scope: 'messages:read',
    summary: 'Read the delivery status of a message',
    tags: ['Notifications'],
    responses: { 200: MessageStatus },
    errors: ['message.unknown'],
    reads: [messages, contacts],
    async handle({ params }, { key, models }) {
      const message = await findMessage({ models, secrets }, key.accountId, params.messageId);
      if (!message) throw models.notFound(new AppError('message.unknown', 'Message not found'));
      const [current] = await withContacts(models, [message]);
      // Of an erased message the caller alone knows the id, and asked with it.
      return pick(MessageStatus, { ...current!, metaMessageId: params.messageId });
    },
  });

const OWN_MAX = 200;
/** Events of a conversation that are searched, from the message on. */
const THREAD_MAX = 1000;

/** The events of a conversation's stream about a message, from the message on. */
const readThread = async (
  store: EventReader,
  stream: string,
  { messageRef, metaMessageId, accountId, order }: MessageDocument,
): Promise<readonly KnownEvent[]> => {
  const from = await firstRevision(store, stream, ({ position }) => position >= order);
  const thread = await store.read(stream, { from, limit: THREAD_MAX });
  return (thread as KnownEvent[])
    .flatMap<KnownEvent>(expandSteps)
    .filter(
      ({ data, meta }) =>
        (('messageRef' in data && data.messageRef === messageRef) ||
          ('messageId' in data && data.messageId !== null && data.messageId === metaMessageId)) &&
        ('accountId' in data ? data.accountId : meta.accountId) === accountId,
    );
};

/** The message's own events; of statuses, those that arrived at the sending number. */
const isOwn = (event: KnownEvent, message: MessageDocument): boolean => {
  if (event.type === 'MessageSent' || event.type === 'MessageMarkedRead') return true;
  return event.type === 'StatusUpdated' && isOfNumber(message, event.data);
};

/** The events of one message, from its own stream and from its conversation's. */
export const readTimeline = async (
  store: EventReader,
  models: Pick<ReadModels, 'get' | 'getMany'>,
  message: MessageDocument,
): Promise<readonly KnownEvent[]> => {
  const { messageRef, accountId, phoneNumberId, contactRef } = message;
  const read = await store.read(messageStream(accountId, messageRef), { limit: OWN_MAX });
  const ofId = await complete(store, read);
  const own = (ofId as KnownEvent[]).filter((event) => isOwn(event, message));
  const refs = phoneNumberId === null ? [] : await readRefsOf(models, accountId, contactRef);
  const streams = refs.map((ref) => {
    const key = { accountId, phoneNumberId: phoneNumberId ?? '', contactRef: ref };
    return conversationStream(conversationIdOf(key));
  });
  const threads = await Promise.all(streams.map((stream) => readThread(store, stream, message)));
  return [...own, ...threads.flat()].sort((a, b) => (a.position < b.position ? -1 : 1));
};

type Shown = Readonly<Record<string, unknown>>;

/** The ids of a recipient as a timeline shows them. */
const idsShown = (waId: string | null, userId: string | null | undefined): Shown => ({
  recipientWaId: waId === null ? null : numberIn(waId),
  ...(userId && { recipientUserId: userId }),
});

const sentShown = (event: EventOf<'MessageSent'>): Shown => {
  const { chargeId, recipient, recovered = false, providerStatus } = event.data;
  const { data: charge, revision } = chargeOf(event);
  const waId = recipient?.waId ?? charge.said?.to ?? null;
  return {
    chargeId,
    chargeRevision: revision,
    chargeAmount: inUnit(charge.price.billing, charge.amount),
    ...idsShown(waId, recipient?.userId),
    reservedAt: charge.at,
    recovered,
    ...(providerStatus !== undefined && { providerStatus }),
  };
};

/** What statuses leave out because an earlier status of the message has it. */
interface Told {
  pricing: Pricing | null;
  userId: string | undefined;
}

/** What was reported with each of these statuses, in the order of the log. */
const toldOf = (statuses: readonly EventOf<'StatusUpdated'>[]): Map<KnownEvent, Told> => {
  const pricings = pricingsOf(statuses.map(({ data }) => data));
  let userId: string | undefined;
  return new Map(
    statuses.map((event, index) => {
      userId = event.data.recipient?.userId ?? userId;
      return [event, { pricing: pricings[index] ?? null, userId }];
    }),
  );
};

/** A status, completed from the record of its message and from earlier statuses. */
const statusShown = (
  { data }: EventOf<'StatusUpdated'>,
  { pricing, userId }: Told,
  sent: EventOf<'MessageSent'> | undefined,
): Shown => {
  const { accountId: _, messageRef, messageId, contactRef, recipient, ...rest } = data;
  const own = sent && sentShown(sent);
  const { chargeId = own?.chargeId ?? null, errorCode = null } = rest;
  const ids = idsShown(recipient?.waId ?? null, userId);
  const recipientWaId = ids.recipientWaId ?? own?.recipientWaId ?? null;
  return { ...rest, ...ids, recipientWaId, chargeId, errorCode, pricing };
};

/** Fields that are not shown: ids of ours, and what entries of their own show. */
const otherShown = (event: KnownEvent): Shown => {
  const {
    accountId: _,
    messageRef,
    contactRef,
    steps,
    stepCount,
    takenAt,
    contact,
    mediaId,
    otherRefs,
    named,
    ...data
  } = event.data as Record<string, unknown>;
  const { waId } = data;
  return { ...data, ...(typeof waId === 'string' && { waId: numberIn(waId) }) };
};

/**
 * Events as a timeline shows them. When the provider bills another category than the charged one,
 * the status shows both in `otherCategory`.
 */
export const timelineOf = (
  events: readonly KnownEvent[],
  { metaMessageId: messageId }: Pick<MessageDocument, 'metaMessageId'>,
) => {
  const sent = events.find((event) => event.type === 'MessageSent');
  const statuses = events.filter((event) => event.type === 'StatusUpdated');
  const toldIn = toldOf(statuses);
  const shownIn = (event: KnownEvent): Shown => {
    if (event.type === 'MessageSent') return sentShown(event);
    if (event.type !== 'StatusUpdated') return otherShown(event);
    const told = toldIn.get(event)!;
    const billed = billedCategory(told.pricing);
    const charged = sent?.data.category;
    const isOther = charged !== undefined && billed !== undefined && billed !== charged;
    const shown = statusShown(event, told, sent);
    return isOther ? { ...shown, otherCategory: { charged, billed } } : shown;
  };
  return events.map((event) => {
    const erased = event.isErased ?? event.charge?.isErased;
    const named = 'messageRef' in event.data ? { messageId } : {};
    const data = { ...named, ...shownIn(event), ...(erased && { erased }) };
    const { at, by } = event.meta;
    return { type: event.type, at, ...(by && { by }), data };
  });
};

export const readReceiptRoute = (deps: { readReceipts: ReadReceipts }) =>
  defineRoute({
    method: 'POST',
    path: '/v1/messages/:messageId/read',
    access: 'key',
    scope: 'messages:send',
    summary: "Show a customer that you read the customer's message",
    description:
      'Marks the message and all before it in the conversation as read. A repeated call is no error. ' +
      'The provider takes no receipt for a message older than 30 days.',
    answer: 'The provider shows the receipt. The timeline of the message has it once.',
    tags: ['Messages'],
    request: {
      body: z.object({
        typing: z
          .boolean()
          .default(false)
          .describe(
            'Whether the customer also sees that a reply is being written: for 25 seconds, or until the reply.',
          ),
      }),
    },
    responses: {
      200: z.object({
        success,
        messageId: z.string().describe("The provider's message id."),
      }),
    },
    free: true,
    errors: ['message.unknown', 'number.none', 'provider.failed'],
    async handle({ params, body }, { key, requestId }) {
      const { messageId } = params;
      const context = actingFor({ key, requestId });
      await deps.readReceipts.send({ messageId, typing: body.typing }, context);
      return { success: true as const, messageId };
    },
  });
