import { conversationIdOf, joinedIdsAt } from '../events/conversation.ts';
import type { EventOf } from '../events/index.ts';
import {
  type AbsorbedConversation,
  type Conversation,
  eraseConversation,
  isAbsorbed,
  isThread,
  UNLISTED,
  unlisted,
} from './absorbed-threads.ts';
import { defineProjection } from './define.ts';
import { heldIn, newest } from './sealed-fields.ts';
import {
  type Absorbed,
  assigned,
  composeThread,
  labelled,
  mergeThreads,
  personalIn,
  received,
  resumed,
  sent,
  silenced,
  type Thread,
  updated,
} from './thread.ts';

type Joined = EventOf<'ContactIdsJoined'>;

type Taken = AbsorbedConversation['taken'];

/** What the absorbed conversation held at the join, also where it has taken the join in already. */
const takenOf = (absorbed: Conversation | undefined, { position }: Joined): Taken => {
  if (!absorbed) return null;
  if (!isAbsorbed(absorbed)) return absorbed;
  return absorbed.takenPosition === position ? absorbed.taken : null;
};

/** More conversations of one contact are not looked at for what came late. */
const ABSORBED_MAX = 20;

/** The kept conversation with what it takes over of another one. */
const absorb = (
  kept: Conversation | undefined,
  { own, taken }: { own: Absorbed; taken: Taken },
  event: Joined,
  id: string,
): Conversation => {
  const thread = taken && isThread(taken) ? taken : null;
  if (kept && isAbsorbed(kept)) {
    const absorbs = [...kept.absorbs, own].slice(0, ABSORBED_MAX);
    if (!thread) return unlisted({ ...kept, absorbs });
    const late = kept.late ? mergeThreads(kept.late, thread) : thread;
    return unlisted({ ...kept, absorbs, late });
  }
  const added = [...(kept?.absorbs ?? []), own, ...(taken?.absorbs ?? [])];
  const absorbs = added.slice(0, ABSORBED_MAX);
  if (kept && isThread(kept)) {
    const whole = composeThread({ ...kept, absorbs }, personalIn(kept));
    return thread ? mergeThreads(whole, thread) : whole;
  }
  const { accountId, contactRef, contact } = event.data;
  if (!thread) return unlisted({ id, accountId, contactRef, order: UNLISTED, absorbs });
  const known = personalIn(thread);
  const waId = newest(known.waId, heldIn(event, contact));
  return composeThread({ ...thread, id, contactRef, absorbs }, { ...known, waId });
};

const joined = (
  thread: Conversation | undefined,
  event: Joined,
  id: string,
  other: (id: string) => Conversation | undefined,
): Conversation | undefined => {
  const { accountId, userRef, userId, conversations: joinedAt = [] } = event.data;
  for (const { phoneNumberId } of joinedAt) {
    const { ofUserId: from, ofContact: into } = joinedIdsAt(event.data, phoneNumberId);
    if (id === into) {
      const { value = null, month = '' } = heldIn(event, userId) ?? {};
      const own = { id: from, userId: value, ...(month !== '' && { month }) };
      return absorb(thread, { own, taken: takenOf(other(from), event) }, event, id);
    }
    if (id === from && (!thread || !isAbsorbed(thread))) {
      const pointer = { id, accountId, contactRef: userRef, order: UNLISTED, absorbs: [] } as const;
      const { position: takenPosition } = event;
      const taken = { absorbedBy: into, takenPosition, taken: thread ?? null, late: null };
      return unlisted({ ...pointer, ...taken });
    }
  }
  return thread;
};

/** Folds into what comes late where the conversation was absorbed. */
const inThread =
  <E>(fold: (thread: Thread, event: E, id: string) => Thread) =>
  (document: Conversation | undefined, event: E, id: string): Conversation | undefined => {
    if (!document || isThread(document)) return fold(document, event, id);
    if (isAbsorbed(document)) {
      const late = fold(document.late ?? undefined, event, id) ?? null;
      return unlisted({ ...document, late });
    }
    const begun = fold(undefined, event, id);
    if (!begun) return document;
    return composeThread({ ...begun, absorbs: document.absorbs }, personalIn(begun));
  };

/** Threads, most recently active first. */
export const conversations = defineProjection<Conversation>({
  name: 'conversations',
  version: 15,
  indexes: [
    ['accountId', 'phoneNumberId', '-order'],
    ['accountId', '-order'],
    ['contactRef', 'sealedMonth?'],
    ['textRef?', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  filters: [
    'lastInboundAt',
    'updatedAt',
    'searchText',
    'assignedTo',
    'unreadCount',
    'labelText',
    'failed',
    'withBot',
  ],
  words: ['accountId', 'phoneNumberId', 'assignedTo'],
  // A join of two ids of a contact folds one conversation into another.
  erase: { by: ['contactRef', 'textRef'], document: eraseConversation },
  on: {
    MessageReceived: {
      key: ({ data }) => conversationIdOf(data),
      fold: inThread(received),
    },
    MessageSent: {
      key: ({ data: { accountId, phoneNumberId, contactRef } }) =>
        conversationIdOf({ accountId, phoneNumberId: phoneNumberId ?? '', contactRef }),
      fold: inThread(sent),
    },
    StatusUpdated: {
      key: ({ data }) => conversationIdOf(data),
      fold: inThread(updated),
    },
    BotsSilenced: {
      key: ({ data }) => conversationIdOf(data),
      fold: inThread(silenced),
    },
    BotsResumed: {
      key: ({ data }) => conversationIdOf(data),
      fold: inThread(resumed),
    },
    ConversationAssigned: {
      key: ({ data }) => conversationIdOf(data),
      fold: inThread(assigned),
    },
    ConversationLabelled: {
      key: ({ data }) => conversationIdOf(data),
      fold: inThread(labelled),
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
