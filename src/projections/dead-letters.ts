import type { DeadLetterFact } from '../events/dead-letter.ts';
import type { Actor, Position, Recorded } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Kept = Extract<DeadLetterFact, { type: 'DeadLetterKept' }>['data'];

/** An item of the provider that could not be ingested, and its state. The log alone holds the item. */
export interface DeadLetterDocument extends Omit<Kept, 'raw' | 'contactRefs'> {
  /** The ids of the contact in the item; null where it names none, or more than two. */
  contactRef: string | null;
  otherRef: string | null;
  /** Of the keys of the item, while they are there. */
  sealedMonth: string | null;
  state: 'open' | 'resolved' | 'dismissed';
  resolved: boolean;
  retries: number;
  createdAt: string;
  dismissedAt: string | null;
  dismissedBy: Actor | null;
  order: Position;
}

/** More than one contact's ids: the item is unreadable once one of them is erased, and belongs to none of them. */
const REFS_MAX = 2;

const ownersOf = ({
  data: { contactRefs },
  sealedMonth,
  isErased,
}: Pick<Recorded, 'sealedMonth' | 'isErased'> & { data: Pick<Kept, 'contactRefs'> }) => {
  const [contactRef = null, otherRef = null] = contactRefs.length > REFS_MAX ? [] : contactRefs;
  const isHeld = contactRef !== null && !isErased;
  return { contactRef, otherRef, sealedMonth: isHeld ? (sealedMonth ?? null) : null };
};

const deadLetterId = (event: { data: { deadLetterId: string } }) => event.data.deadLetterId;

export const deadletters = defineProjection<DeadLetterDocument>({
  name: 'deadletters',
  version: 5,
  indexes: [
    ['-order'],
    ['state', '-order'],
    ['state', 'reason', 'order'],
    ['contactRef', 'sealedMonth?'],
    ['otherRef', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  words: ['accountId', 'state'],
  erase: {
    ofNone: true,
    by: ['contactRef', 'otherRef'],
    document: (letter) => ({ ...letter, sealedMonth: null }),
  },
  on: {
    DeadLetterKept: {
      key: deadLetterId,
      fold: (_, { data: { raw: _raw, contactRefs, ...data }, meta, position, ...sealed }) => ({
        ...data,
        ...ownersOf({ data: { contactRefs }, ...sealed }),
        state: 'open',
        resolved: false,
        retries: 0,
        createdAt: meta.at,
        dismissedAt: null,
        dismissedBy: null,
        order: position,
      }),
    },
    DeadLetterRetried: {
      key: deadLetterId,
      fold: (letter, { data }) =>
        letter && {
          ...letter,
          state: data.resolved ? 'resolved' : letter.state,
          resolved: data.resolved,
          retries: letter.retries + 1,
          reason: data.reason ?? letter.reason,
        },
    },
    DeadLetterDismissed: {
      key: deadLetterId,
      fold: (letter, { meta }) =>
        letter && {
          ...letter,
          state: 'dismissed',
          dismissedAt: meta.at,
          dismissedBy: meta.by ?? null,
        },
    },
  },
});
