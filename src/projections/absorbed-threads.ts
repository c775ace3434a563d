import type { Position } from '../events/store.ts';
import type { Destroyed } from './define.ts';
import { monthsOf, type SealedMonths, unlessDestroyed } from './sealed-fields.ts';
import {
  type Absorbed,
  type ConversationDocument,
  composeThread,
  monthsIn,
  personalIn,
} from './thread.ts';

/** Before every position of a log: what has this order is at the end of each list, and not shown. */
export const UNLISTED = '0000000000000000';

/** A conversation that no list shows. */
interface Unlisted extends SealedMonths {
  id: string;
  accountId: string;
  contactRef: string;
  order: typeof UNLISTED;
  absorbs: readonly Absorbed[];
}

/** A conversation that another one has absorbed. */
export interface AbsorbedConversation extends Unlisted {
  absorbedBy: string;
  /** What the other one has taken over, and where in the log. */
  taken: ConversationDocument | PendingConversation | null;
  takenAt: Position;
  /** What was written later, by somebody who did not know yet; null in general. */
  late: ConversationDocument | null;
}

/** A conversation that has absorbed others, and has no message yet. */
export type PendingConversation = Unlisted;

export type Conversation = ConversationDocument | AbsorbedConversation | PendingConversation;

export const isAbsorbed = (document: Conversation): document is AbsorbedConversation =>
  'absorbedBy' in document;

export const isThread = (document: Conversation): document is ConversationDocument =>
  'lastMessage' in document;

/** The unlisted document, with the oldest month of all that it holds. */
export const unlisted = <D extends Omit<Unlisted, keyof SealedMonths>>(
  document: D,
): D & SealedMonths => {
  const { taken, late } = document as Partial<AbsorbedConversation>;
  const held = [taken?.sealedMonth, late?.sealedMonth].filter((month) => typeof month === 'string');
  return { ...document, ...monthsOf({}, [...monthsIn(document.absorbs), ...held]) };
};

const eraseAbsorbs = (absorbs: readonly Absorbed[], destroyed: Destroyed): Absorbed[] =>
  absorbs.map((one) => {
    const { id, userId, month = '' } = one;
    const held = userId === null ? null : { value: userId, month };
    return unlessDestroyed(held, destroyed) ? one : { id, userId: null };
  });

const eraseThread = (thread: ConversationDocument, destroyed: Destroyed): ConversationDocument => {
  const { waId, userId, contactName, text } = personalIn(thread);
  const absorbs = eraseAbsorbs(thread.absorbs, destroyed);
  return composeThread(
    { ...thread, absorbs },
    {
      waId: unlessDestroyed(waId, destroyed),
      userId: unlessDestroyed(userId, destroyed),
      contactName: unlessDestroyed(contactName, destroyed),
      text: unlessDestroyed(text, destroyed),
    },
  );
};

/** The conversation without what destroyed keys had sealed. */
export const eraseConversation = <D extends Conversation>(document: D, destroyed: Destroyed): D =>
  eraseAny(document, destroyed) as D;

const eraseAny = (document: Conversation, destroyed: Destroyed): Conversation => {
  if (isThread(document)) return eraseThread(document, destroyed);
  const absorbs = eraseAbsorbs(document.absorbs, destroyed);
  if (!isAbsorbed(document)) return unlisted({ ...document, absorbs });
  const { taken, late } = document;
  return unlisted({
    ...{ ...document, absorbs },
    taken: taken && eraseConversation(taken, destroyed),
    late: late && eraseConversation(late, destroyed),
  });
};
