import type { DeadLetterFact } from '../events/dead-letter.ts';
import type { Actor, Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Kept = Extract<DeadLetterFact, { type: 'DeadLetterKept' }>['data'];

/** Of a long item the read model holds the beginning; the log has all of it. */
export const RAW_SHOWN_MAX = 8_000;

export type DeadLetterStateName = 'open' | 'resolved' | 'dismissed';

/** Something of the provider's that could not be taken in, and what came of it. */
export interface DeadLetterDocument extends Kept {
  /** Length of the whole item, in characters; `raw` may be its beginning. */
  rawLength: number;
  state: DeadLetterStateName;
  resolved: boolean;
  retries: number;
  createdAt: string;
  dismissedAt: string | null;
  dismissedBy: Actor | null;
  order: Position;
}

const deadLetterId = (event: { data: { deadLetterId: string } }) => event.data.deadLetterId;

export const deadletters = defineProjection<DeadLetterDocument>({
  name: 'deadletters',
  version: 2,
  indexes: [['-order'], ['state', '-order']],
  on: {
    DeadLetterKept: {
      key: deadLetterId,
      fold: (_, { data, meta, position }) => ({
        ...data,
        raw: data.raw.slice(0, RAW_SHOWN_MAX),
        rawLength: data.raw.length,
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
