import type { DeadLetterFact } from '../events/dead-letter.ts';
import type { Actor, Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Kept = Extract<DeadLetterFact, { type: 'DeadLetterKept' }>['data'];

/** The read model holds the first characters of a long item; the log holds all of it. */
const RAW_SHOWN_MAX = 8_000;

/** An item of the provider that could not be ingested, and its state. */
export interface DeadLetterDocument extends Kept {
  /** Length of the whole item in characters; `raw` may be shorter. */
  rawLength: number;
  state: 'open' | 'resolved' | 'dismissed';
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
