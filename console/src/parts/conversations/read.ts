import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type Conversation = components['schemas']['Conversation'];
export type Message = components['schemas']['Message'];

interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/** What a list shows: those of a view, that have a label or a name. */
export interface Sought {
  search?: string;
  view?: View;
  label?: string;
}

export const views = {
  all: { label: 'All', query: {} },
  waiting: { label: 'Waiting', query: { waiting: 'true' } },
  mine: { label: 'Mine', query: { assigned: 'me' } },
  unassigned: { label: 'Unassigned', query: { assigned: 'none' } },
} as const;
export type View = keyof typeof views;

export const readThreads = async (
  { search, view = 'all', label }: Sought,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Conversation>> => {
  const query = { limit: 50, search, label, cursor, ...views[view].query };
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

const pathOf = ({ id }: Conversation) => ({ params: { path: { conversationId: id } } });

/** Null takes it from whoever has it. */
export const assign = async (thread: Conversation, personId: string | null): Promise<void> => {
  await api.POST('/v1/conversations/{conversationId}/assign', {
    ...pathOf(thread),
    body: { personId },
  });
};

export const setLabels = async (thread: Conversation, labels: string[]): Promise<void> => {
  await api.POST('/v1/conversations/{conversationId}/labels', {
    ...pathOf(thread),
    body: { labels },
  });
};

export const readNotes = async (thread: Conversation, signal: AbortSignal) => {
  const { path } = pathOf(thread).params;
  const params = { path, query: { limit: 50 } };
  const { notes } = await bodyOf(
    api.GET('/v1/conversations/{conversationId}/notes', { params, signal }),
  );
  return notes;
};

export const addNote = async (thread: Conversation, text: string): Promise<void> => {
  await api.POST('/v1/conversations/{conversationId}/notes', { ...pathOf(thread), body: { text } });
};

export const readQuickReplies = async (signal: AbortSignal) => {
  const params = { query: { limit: 100 } };
  return (await bodyOf(api.GET('/v1/quick-replies', { params, signal }))).quickReplies;
};

export const addQuickReply = async (name: string, text: string): Promise<void> => {
  await api.POST('/v1/quick-replies', { body: { name, text } });
};

/** Those to whom a conversation can be given, for whoever may know them. */
export const readColleagues = async (signal: AbortSignal) => {
  const params = { query: { limit: 100 } };
  const { people } = await bodyOf(api.GET('/v1/people', { params, signal }));
  return people.filter(({ state }) => state !== 'suspended');
};
