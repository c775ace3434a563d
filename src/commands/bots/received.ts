import { idsOf } from '../../events/contact.ts';
import { conversationIdIn, receivedIdIn } from '../../events/conversation.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { Conversation } from './conversation-log.ts';
import { type Inbound, readInbound } from './inbound.ts';

/** An event that bots may answer. */
export type Received = Extract<KnownEvent, { type: 'MessageReceived' | 'PreferenceReceived' }>;

/** The event as a bot sees it; undefined where no bot answers it, or its contact was erased. */
export const inboundOf = (event: KnownEvent): Inbound | undefined => {
  const { revision } = event;
  if (event.type === 'MessageReceived') {
    const { message } = event.data;
    const messageId = receivedIdIn(event.data);
    return message === null ? undefined : readInbound(message, { messageId, revision });
  }
  if (event.type !== 'PreferenceReceived' || event.data.value !== 'resume') return undefined;
  if (event.data.waId === null) return undefined;
  return { messageId: null, revision, kind: 'resume', text: '', choice: null };
};

export const conversationOf = ({ data, meta, id, stream }: Received): Conversation => {
  const { phoneNumberId, contactRef, waId, userId, accountId, contactName } = data;
  return {
    conversationId: conversationIdIn(stream),
    accountId,
    phoneNumberId,
    contactRef,
    contact: { ...idsOf(waId, userId), name: contactName },
    context: { requestId: meta.requestId, accountId, cause: id },
  };
};
