import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type Conversation = components['schemas']['Conversation'];
export type Message = components['schemas']['Message'];

interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

export const readThreads = async (
  search: string | undefined,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Conversation>> => {
  const query = { limit: 50, search, cursor };
  const { conversations, nextCursor } = await bodyOf(
    api.GET('/v1/conversations', { params: { query }, signal }),
  );
  return { rows: conversations, nextCursor };
};

/** The newest messages first. */
export const readThread = async (
  conversationId: string,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Message>> => {
  const query = { limit: 50, conversationId, cursor };
  const { messages, nextCursor } = await bodyOf(
    api.GET('/v1/messages', { params: { query }, signal }),
  );
  return { rows: messages, nextCursor };
};

/**
 * A free-form reply in the open window. The key names this reply, so that a repeated attempt sends
 * nothing twice.
 */
export const reply = async (
  { phoneNumberId, contact }: Conversation,
  text: string,
  idempotencyKey: string,
): Promise<void> => {
  const to = contact?.waId ?? contact?.userId;
  if (!to) throw new Error('The customer was erased');
  await api.POST('/v1/messages/send', {
    params: { header: { 'Idempotency-Key': idempotencyKey } },
    body: { phoneNumberId, to, type: 'text', text: { body: text } },
  });
};

export const nameOf = ({ contact }: Conversation): string =>
  contact?.name ?? contact?.waId ?? contact?.userId ?? 'erased';
