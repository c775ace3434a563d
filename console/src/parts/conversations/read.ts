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
  bot: { label: 'With a bot', query: { withBot: 'true' } },
  closed: { label: 'Closed', query: { windowOpen: 'false' } },
  failed: { label: 'Failed', query: { failed: 'true' } },
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

/** One, also where the list does not show it: it is opened by an address, or has left the view. */
export const readOne = (conversationId: string, signal: AbortSignal): Promise<Conversation> => {
  const params = { path: { conversationId } };
  return bodyOf(api.GET('/v1/conversations/{conversationId}', { params, signal }));
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

/** The customer's number, else the provider's id; undefined once erased. */
export const addressOf = ({ contact }: Conversation): string | undefined =>
  contact?.waId ?? contact?.userId ?? undefined;

const mustHaveAddress = (thread: Conversation): string => {
  const to = addressOf(thread);
  if (to === undefined) throw new Error('The customer was erased');
  return to;
};

/** A file that was uploaded for a message. */
export interface Uploaded {
  id: string;
  kind: 'image' | 'video' | 'audio' | 'document' | 'sticker';
  name: string;
}

export const upload = async ({ phoneNumberId }: Conversation, file: File): Promise<Uploaded> => {
  const form = new FormData();
  form.set('phoneNumberId', phoneNumberId);
  form.set('file', file);
  const { id, kind } = await bodyOf(
    api.POST('/v1/media', {
      body: form as never,
      bodySerializer: (body: unknown) => body as FormData,
    }),
  );
  return { id, kind, name: file.name };
};

/** Kinds of files that can have words with them. */
const CAPTIONED = ['image', 'video', 'document'];

const contentOf = (text: string, file: Uploaded | undefined) => {
  if (!file) return { type: 'text' as const, text: { body: text } };
  const { id, kind, name } = file;
  const media = {
    type: kind,
    id,
    ...(text !== '' && CAPTIONED.includes(kind) && { caption: text }),
    ...(kind === 'document' && { filename: name }),
  };
  return { type: 'media' as const, media };
};

/**
 * A free-form reply in the open window, or a file. The key names this reply, so that a repeated attempt sends
 * nothing twice.
 */
export const reply = async (
  thread: Conversation,
  { text, file }: { text: string; file: Uploaded | undefined },
  idempotencyKey: string,
): Promise<void> => {
  const { phoneNumberId } = thread;
  await api.POST('/v1/messages/send', {
    params: { header: { 'Idempotency-Key': idempotencyKey } },
    body: { phoneNumberId, to: mustHaveAddress(thread), ...contentOf(text, file) },
  });
};

/** Shows the customer that his message was read, and that a reply is being written. */
export const showTyping = async (messageId: string): Promise<void> => {
  await api.POST('/v1/messages/{messageId}/read', {
    params: { path: { messageId } },
    body: { typing: true },
  });
};

const FILES = ['image', 'video', 'audio', 'document', 'sticker'];

/** The file of a message, where its id is known. */
export const mediaIn = ({ content, messageType }: Message) => {
  if (!FILES.includes(messageType)) return undefined;
  // Of what was sent, the file is the content; of what came, it lies under its type.
  const own = (content?.[messageType] ?? content) as
    | { id?: unknown; filename?: unknown }
    | undefined;
  if (typeof own?.id !== 'string') return undefined;
  return { id: own.id, name: typeof own.filename === 'string' ? own.filename : undefined };
};

export const nameOf = ({ contact }: Conversation): string =>
  contact?.name ?? (contact?.waId ? `+${contact.waId}` : (contact?.userId ?? 'erased'));

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

/** Pages of an organisation's people, of 100 each. */
const PEOPLE_PAGES_MAX = 10;

/** Those to whom a conversation can be given. */
export const readAssignees = async (signal: AbortSignal) => {
  const found: components['schemas']['Assignee'][] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PEOPLE_PAGES_MAX; page += 1) {
    const params = { query: { limit: 100, cursor } };
    const { assignees, nextCursor } = await bodyOf(api.GET('/v1/assignees', { params, signal }));
    found.push(...assignees);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found;
};
