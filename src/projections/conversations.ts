import { conversationIdOf, joinedIdsAt } from '../events/conversation.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';
import {
  type Absorbed,
  type ConversationDocument,
  type EventOf,
  mergeThreads,
  received,
  searchable,
  sent,
  type Thread,
  updated,
} from './thread.ts';

/** A conversation that another one has absorbed. No list shows it. */
export interface AbsorbedConversation {
  id: string;
  accountId: null;
  order: null;
  absorbedBy: string;
  /** What the other one has taken over, and where in the log. */
  taken: ConversationDocument | PendingConversation | null;
  takenAt: Position;
  /** What was written later, by somebody who did not know yet; null in general. */
  late: ConversationDocument | null;
  /** Conversations that it absorbed after it was absorbed itself; none in general. */
  absorbs: readonly Absorbed[];
}

/** A conversation that has absorbed others, and has no message yet. No list shows it. */
interface PendingConversation {
  id: string;
  accountId: null;
  order: null;
  absorbs: readonly Absorbed[];
}

type Document = ConversationDocument | AbsorbedConversation | PendingConversation;

export const isAbsorbed = (document: Document): document is AbsorbedConversation =>
  'absorbedBy' in document;

export const isThread = (document: Document): document is ConversationDocument =>
  document.accountId !== null;

type Joined = EventOf<'ContactIdsJoined'>;

type Taken = AbsorbedConversation['taken'];

/** What the absorbed conversation held at the join, also where it has taken the join in already. */
const takenOf = (absorbed: Document | undefined, { position }: Joined): Taken => {
  if (!absorbed) return null;
  if (!isAbsorbed(absorbed)) return absorbed;
  return absorbed.takenAt === position ? absorbed.taken : null;
};

/** More conversations of one contact are not looked at for what came late. */
const ABSORBED_MAX = 20;

/** The kept conversation with what it takes over of another one. */
const absorb = (
  kept: Document | undefined,
  { own, taken }: { own: Absorbed; taken: Taken },
  { id, waId }: { id: string; waId: string },
): Document => {
  const thread = taken && isThread(taken) ? taken : null;
  if (kept && isAbsorbed(kept)) {
    const absorbs = [...kept.absorbs, own].slice(0, ABSORBED_MAX);
    if (!thread) return { ...kept, absorbs };
    return { ...kept, absorbs, late: kept.late ? mergeThreads(kept.late, thread) : thread };
  }
  const added = [...(kept?.absorbs ?? []), own, ...(taken?.absorbs ?? [])];
  const absorbs = added.slice(0, ABSORBED_MAX);
  if (kept && isThread(kept)) {
    const whole = searchable({ ...kept, absorbs });
    return thread ? mergeThreads(whole, thread) : whole;
  }
  if (thread) return searchable({ ...thread, id, waId, absorbs });
  return { id, accountId: null, order: null, absorbs };
};

const joined = (
  thread: Document | undefined,
  event: Joined,
  id: string,
  other: (id: string) => Document | undefined,
): Document | undefined => {
  for (const { phoneNumberId } of event.data.conversations ?? []) {
    const { ofUserId: from, ofContact: into } = joinedIdsAt(event.data, phoneNumberId);
    if (id === into) {
      const own = { id: from, userId: event.data.userId };
      const taken = takenOf(other(from), event);
      return absorb(thread, { own, taken }, { id, waId: event.data.contact });
    }
    if (id === from && (!thread || !isAbsorbed(thread))) {
      const { position: takenAt } = event;
      const pointer = { id, accountId: null, order: null, absorbedBy: into, takenAt };
      return { ...pointer, taken: thread ?? null, late: null, absorbs: [] };
    }
  }
  return thread;
};

/** Folds into what comes late where the conversation was absorbed. */
const inThread =
  <E>(fold: (thread: Thread, event: E, id: string) => Thread) =>
  (document: Document | undefined, event: E, id: string): Document | undefined => {
    if (!document || isThread(document)) return fold(document, event, id);
    if (isAbsorbed(document)) {
      return { ...document, late: fold(document.late ?? undefined, event, id) ?? null };
    }
    const begun = fold(undefined, event, id);
    return begun ? searchable({ ...begun, absorbs: document.absorbs }) : document;
  };

/** Threads, most recently active first. */
export const conversations = defineProjection<Document>({
  name: 'conversations',
  version: 6,
  indexes: [
    ['accountId?', 'phoneNumberId', '-order'],
    ['accountId?', '-order'],
  ],
  filters: ['lastInboundAt', 'updatedAt', 'searchText'],
  words: ['accountId', 'phoneNumberId'],
  on: {
    MessageReceived: {
      key: ({ data }) => conversationIdOf(data),
      fold: inThread(received),
    },
    MessageSent: {
      key: ({ data: { accountId, intent, recipientWaId: waId } }) =>
        conversationIdOf({ accountId, phoneNumberId: intent.phoneNumberId ?? '', waId }),
      fold: inThread(sent),
    },
    StatusUpdated: {
      key: ({ data: { accountId, phoneNumberId, recipientWaId, contact } }) => {
        const waId = contact ?? recipientWaId;
        return waId === null ? [] : conversationIdOf({ accountId, phoneNumberId, waId });
      },
      fold: inThread(updated),
    },
    ContactIdsJoined: {
      key: (event) =>
        (event.data.conversations ?? []).flatMap(({ phoneNumberId }) => {
          const { ofUserId: from, ofContact: into } = joinedIdsAt(event.data, phoneNumberId);
          return [from, into];
        }),
      fold: joined,
    },
  },
});
