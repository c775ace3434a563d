import { conversationIdOf } from '../events/conversation.ts';
import type { Actor, Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** What somebody noted of a conversation. */
export interface NoteDocument {
  id: string;
  accountId: string;
  conversationId: string;
  contactRef: string;
  /** Null once erased. */
  text: string | null;
  /** Null for the holder of a key. */
  by: Actor | null;
  createdAt: string;
  order: Position;
  sealedMonth: string | null;
}

export const notes = defineProjection<NoteDocument>({
  name: 'notes',
  version: 1,
  indexes: [
    ['conversationId', '-order'],
    ['contactRef', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  words: ['accountId'],
  erase: { by: 'contactRef', document: (note) => ({ ...note, text: null, sealedMonth: null }) },
  on: {
    NoteAdded: {
      key: ({ data }) => data.noteId,
      fold: (_, { data, meta, position, sealedMonth = null }, id) => ({
        id,
        accountId: data.accountId,
        conversationId: conversationIdOf(data),
        contactRef: data.contactRef,
        text: data.text,
        by: meta.by ?? null,
        createdAt: meta.at,
        order: position,
        sealedMonth: data.text === null ? null : sealedMonth,
      }),
    },
  },
});
