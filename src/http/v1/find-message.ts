import { inboundKeyOf, type MessageDocument, messages } from '../../projections/messages.ts';
import type { ReadModels } from '../route/read-models.ts';

/** An account's own message by the provider's id, whichever way it went. */
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
