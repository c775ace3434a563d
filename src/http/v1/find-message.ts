import type { MessageDocument } from '../../projections/message-document.ts';
import { inboundKeyOf, messages } from '../../projections/messages.ts';
import type { ReadModels } from '../route/read-models.ts';

/** An account's message by the provider's id, outbound or inbound. */
export const findMessage = async (
  models: ReadModels,
  accountId: string,
  messageId: string,
): Promise<MessageDocument | undefined> => {
  const sent = await models.get(messages, messageId);
  if (sent?.recorded && sent.accountId === accountId) return sent;
  const received = await models.get(messages, inboundKeyOf(accountId, messageId));
  return received?.recorded ? received : undefined;
};
