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

/** The events of one message: its own stream, and what its conversation says of it. */
export const readTimeline = async (
  store: EventStore,
  { id, conversationId, order }: MessageDocument,
): Promise<readonly KnownEvent[]> => {
  const own = await store.read(`message-${id}`, { limit: OWN_MAX });
  const stream = `conversation-${conversationId}`;
  const from = await revisionAt(store, stream, order);
  const thread = await store.read(stream, { from, limit: THREAD_MAX });
  const about = (thread as KnownEvent[]).filter(
    ({ data }) => 'messageId' in data && data.messageId === id,
  );
  return [...(own as KnownEvent[]), ...about].sort((a, b) => (a.position < b.position ? -1 : 1));
};
