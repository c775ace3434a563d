import { billedCategory } from '../../commands/pricing/template-category.ts';
import { conversationStreamsOf } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { EventStore, Position } from '../../events/store.ts';
import type { MessageDocument } from '../../projections/messages.ts';

const OWN_MAX = 200;
/** Events of a conversation that are looked through, from the message on. */
const THREAD_MAX = 1000;

/** The revision of the first event of a stream that stands at a position or after it. */
const revisionAt = async (store: EventStore, stream: string, position: Position) => {
  const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
  let [low, high] = [0, last ? last.revision : 0];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await store.read(stream, { from: middle, limit: 1 });
    if (event && event.position < position) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** What a conversation's stream says of a message, from the message's own place on. */
const readThread = async (
  store: EventStore,
  stream: string,
  { id, accountId, order }: MessageDocument,
): Promise<readonly KnownEvent[]> => {
  const from = await revisionAt(store, stream, order);
  const thread = await store.read(stream, { from, limit: THREAD_MAX });
  return (thread as KnownEvent[]).filter(
    ({ data, meta }) =>
      'messageId' in data &&
      data.messageId === id &&
      ('accountId' in data ? data.accountId : meta.accountId) === accountId,
  );
};

/** What tells how the message fared. Of statuses, those that came in at the number that sent it. */
const isOwn = (event: KnownEvent, { accountId, phoneNumberId }: MessageDocument): boolean => {
  if (event.type === 'MessageSent') return event.data.accountId === accountId;
  if (event.type !== 'StatusUpdated') return false;
  return phoneNumberId === null
    ? event.data.accountId === accountId
    : event.data.phoneNumberId === phoneNumberId;
};

/** The events of one message: its own stream, and what its conversation says of it. */
export const readTimeline = async (
  store: EventStore,
  message: MessageDocument,
): Promise<readonly KnownEvent[]> => {
  const { id, accountId, direction, phoneNumberId, contactWaId: waId } = message;
  const sent =
    direction === 'outbound' ? await store.read(`message-${id}`, { limit: OWN_MAX }) : [];
  const own = (sent as KnownEvent[]).filter((event) => isOwn(event, message));
  const streams =
    phoneNumberId === null ? [] : conversationStreamsOf({ accountId, phoneNumberId, waId });
  const threads = await Promise.all(streams.map((stream) => readThread(store, stream, message)));
  return [...own, ...threads.flat()].sort((a, b) => (a.position < b.position ? -1 : 1));
};

/** What of an event a timeline shows: not whose message it is, nor where the log has it. */
const entryOf = (event: KnownEvent) => {
  const { accountId: _, intent, price, ...data } = event.data as Record<string, unknown>;
  return { type: event.type, at: event.meta.at, data };
};

/**
 * Events as a timeline shows them. A status in which the provider names another category than was
 * charged says so: `otherCategory` has the charged one and the one that the provider bills.
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
