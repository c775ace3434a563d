import type { Reader } from '../../projections/engine/reader.ts';
import { inboundKeyOf, type MessageDocument, messages } from '../../projections/messages.ts';

/** An account's own message by the provider's id, whichever way it went. */
export const findMessage = async (
  reader: Reader,
  accountId: string,
  messageId: string,
): Promise<MessageDocument | undefined> => {
  const sent = await reader.get(messages, messageId);
  if (sent?.recorded && sent.accountId === accountId) return sent;
  const received = await reader.get(messages, inboundKeyOf(accountId, messageId));
  return received?.recorded ? received : undefined;
};
