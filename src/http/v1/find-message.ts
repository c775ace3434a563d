import type { MessageDocument } from '../../projections/message-document.ts';
import { inboundKeyOf, messages } from '../../projections/messages.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { ReadModels } from '../route/read-models.ts';

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
