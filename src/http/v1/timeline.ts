import { billedCategory } from '../../commands/pricing/template-category.ts';
import { numberIn } from '../../events/contact.ts';
import { conversationStreamsOf, expandSteps } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import { firstRevision } from '../../events/paging.ts';
import type { EventReader } from '../../events/store.ts';
import type { MessageDocument } from '../../projections/messages.ts';
import { readIdsOf } from '../../projections/read-contacts.ts';
import type { ReadModels } from '../route/read-models.ts';

const OWN_MAX = 200;
/** Events of a conversation that are searched, from the message on. */
const THREAD_MAX = 1000;

/** The events of a conversation's stream about a message, from the message on. */
const readThread = async (
  store: EventReader,
  stream: string,
  { id, accountId, order }: MessageDocument,
): Promise<readonly KnownEvent[]> => {
  const from = await firstRevision(store, stream, ({ position }) => position >= order);
  const thread = await store.read(stream, { from, limit: THREAD_MAX });
  return (thread as KnownEvent[])
    .flatMap<KnownEvent>(expandSteps)
    .filter(
      ({ data, meta }) =>
        'messageId' in data &&
        data.messageId === id &&
        ('accountId' in data ? data.accountId : meta.accountId) === accountId,
    );
};

/** The message's own events; of statuses, those that arrived at the sending number. */
const isOwn = (event: KnownEvent, { accountId, phoneNumberId }: MessageDocument): boolean => {
  if (event.type === 'MessageSent' || event.type === 'MessageMarkedRead') {
    return event.data.accountId === accountId;
  }
  if (event.type !== 'StatusUpdated') return false;
  return phoneNumberId === null
    ? event.data.accountId === accountId
    : event.data.phoneNumberId === phoneNumberId;
};

/** The events of one message, from its own stream and from its conversation's. */
export const readTimeline = async (
  store: EventReader,
  models: Pick<ReadModels, 'get' | 'getMany'>,
  message: MessageDocument,
): Promise<readonly KnownEvent[]> => {
  const { id, accountId, phoneNumberId, contactWaId } = message;
  const ofId = await store.read(`message-${id}`, { limit: OWN_MAX });
  const own = (ofId as KnownEvent[]).filter((event) => isOwn(event, message));
  const contacts = phoneNumberId === null ? [] : await readIdsOf(models, accountId, contactWaId);
  const streams = contacts.flatMap((waId) =>
    conversationStreamsOf({ accountId, phoneNumberId: phoneNumberId ?? '', waId }),
  );
  const threads = await Promise.all(streams.map((stream) => readThread(store, stream, message)));
  return [...own, ...threads.flat()].sort((a, b) => (a.position < b.position ? -1 : 1));
};

/** Fields that name a contact show a number, or null. */
const numbersIn = (data: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    ['waId', 'recipientWaId']
      .filter((field) => typeof data[field] === 'string')
      .map((field) => [field, numberIn(String(data[field]))]),
  );

/** The fields of an event that a timeline shows. Steps of a bot are entries of their own. */
const entryOf = (event: KnownEvent) => {
  const {
    accountId: _,
    intent,
    price,
    steps,
    takenAt,
    contact,
    ...data
  } = event.data as Record<string, unknown>;
  return { type: event.type, at: event.meta.at, data: { ...data, ...numbersIn(data) } };
};

/**
 * Events as a timeline shows them. When the provider bills another category than the charged one,
 * the status shows both in `otherCategory`.
 */
export const timelineOf = (events: readonly KnownEvent[]) => {
  const sent = events.find((event) => event.type === 'MessageSent');
  return events.map((event) => {
    const entry = entryOf(event);
    if (event.type !== 'StatusUpdated' || !sent) return entry;
    const billed = billedCategory(event.data.pricing);
    const charged = sent.data.price.category;
    if (billed === undefined || billed === charged) return entry;
    return { ...entry, data: { ...entry.data, otherCategory: { charged, billed } } };
  });
};
