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
  /** See ConversationDocument: of a message in what was taken over or came late. */
  textRef?: string;
}

/** A conversation that another one has absorbed. */
export interface AbsorbedConversation extends Unlisted {
  absorbedBy: string;
  /** What the other one has taken over, and where in the log. */
  taken: ConversationDocument | PendingConversation | null;
  takenPosition: Position;
  /** What was written later, by somebody who did not know yet; null in general. */
  late: ConversationDocument | null;
}

/** A conversation that has absorbed others, and has no message yet. */
type PendingConversation = Unlisted;

export type Conversation = ConversationDocument | AbsorbedConversation | PendingConversation;

export const isAbsorbed = (document: Conversation): document is AbsorbedConversation =>
  'absorbedBy' in document;

export const isThread = (document: Conversation): document is ConversationDocument =>
  'lastMessage' in document;

const textRefIn = (document: Conversation | null | undefined): string | undefined =>
  document?.textRef;

/**
 * The thread without the text and the id of its last message: what one document holds is sealed by one
 * other contact's key at most.
 */
const withoutText = (thread: ConversationDocument): ConversationDocument =>
  composeThread(thread, { ...personalIn(thread), text: null, messageId: null });

/** The unlisted document, with the oldest month of all that it holds. */
export const unlisted = <D extends Omit<Unlisted, keyof SealedMonths>>(
  document: D,
): D & SealedMonths => {
  const { taken, late: all } = document as Partial<AbsorbedConversation>;
  const textRef = textRefIn(taken) ?? textRefIn(all);
  const isOfTwo = all?.textRef !== undefined && all.textRef !== textRef;
  const late = isOfTwo ? withoutText(all) : all;
  const held = [taken?.sealedMonth, late?.sealedMonth].filter((month) => typeof month === 'string');
  const { textRef: _, ...rest } = document;
  return {
    ...(rest as D),
    ...(late && { late }),
    ...monthsOf({}, [...monthsIn(document.absorbs), ...held]),
    ...(textRef !== undefined && { textRef }),
  };
};

const eraseAbsorbs = (absorbs: readonly Absorbed[], destroyed: Destroyed): Absorbed[] =>
  absorbs.map((one) => {
    const { id, userId, month = '' } = one;
    const held = userId === null ? null : { value: userId, month };
    return unlessDestroyed(held, destroyed) ? one : { id, userId: null };
  });

const eraseThread = (thread: ConversationDocument, destroyed: Destroyed): ConversationDocument => {
  const { waId, userId, contactName, text, messageId, labels } = personalIn(thread);
  const absorbs = eraseAbsorbs(thread.absorbs, destroyed);
  return composeThread(
    { ...thread, absorbs },
    {
      waId: unlessDestroyed(waId, destroyed),
      userId: unlessDestroyed(userId, destroyed),
      contactName: unlessDestroyed(contactName, destroyed),
      text: unlessDestroyed(text, destroyed),
      messageId: unlessDestroyed(messageId, destroyed),
      labels: unlessDestroyed(labels, destroyed),
    },
  );
};

/** The conversation without what destroyed keys had sealed. */
export const eraseConversation = <D extends Conversation>(document: D, destroyed: Destroyed): D =>
  ('refs' in destroyed && !destroyed.refs.includes(document.contactRef)
    ? eraseText(document, destroyed.refs)
    : eraseAny(document, destroyed)) as D;

const eraseAny = (document: Conversation, destroyed: Destroyed): Conversation => {
  if (isThread(document)) return eraseThread(document, destroyed);
  const absorbs = eraseAbsorbs(document.absorbs, destroyed);
  if (!isAbsorbed(document)) return unlisted({ ...document, absorbs });
  const { taken, late } = document;
  return unlisted({
    ...document,
    absorbs,
    taken: taken && (eraseAny(taken, destroyed) as typeof taken),
    late: late && eraseThread(late, destroyed),
  });
};

/** Only the text and the id of the last message, where its other key is destroyed. */
const eraseText = (document: Conversation, refs: readonly string[]): Conversation => {
  if (isThread(document))
    return refs.includes(document.textRef ?? '') ? withoutText(document) : document;
  if (!isAbsorbed(document)) return document;
  const { taken, late } = document;
  return unlisted({
    ...document,
    taken: taken && (eraseText(taken, refs) as typeof taken),
    late: late && (eraseText(late, refs) as typeof late),
  });
};
