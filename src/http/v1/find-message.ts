import type { KnownEvent } from '../../events/index.ts';
import { messageStream } from '../../events/message.ts';
import type { EventReader } from '../../events/store.ts';
import type { MessageDocument } from '../../projections/message-document.ts';
import { inboundKeyOf, messages } from '../../projections/messages.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { ReadModels } from '../route/read-models.ts';

/** Events at the beginning of a message's stream, among which is the one that names its account. */
const FIRST_EVENTS = 50;

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
    const sent = await models.get(messages, ref);
    if (sent?.recorded && sent.accountId === accountId) return sent;
    const received = await models.get(messages, inboundKeyOf(accountId, ref));
    if (received?.recorded) return received;
  }
  return undefined;
};

/** Finds a sent message by its id alone, a received one by the account that its stream names. */
export const findAnywhere = async (
  { store, ...search }: MessageSearch & { store: Pick<EventReader, 'read'> },
  messageId: string,
): Promise<MessageDocument | undefined> => {
  for (const ref of refsOf(search, messageId)) {
    const sent = await search.models.get(messages, ref);
    if (sent?.recorded) return sent;
    const events = await store.read(messageStream(ref), { limit: FIRST_EVENTS });
    const claimed = (events as KnownEvent[]).find((event) => event.type === 'InboundIdClaimed');
    if (claimed) return findMessage(search, claimed.data.accountId, messageId);
  }
  return undefined;
};
