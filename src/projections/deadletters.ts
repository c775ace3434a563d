import type { DeadLetterFact } from '../events/deadletter.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Kept = Extract<DeadLetterFact, { type: 'DeadLetterKept' }>['data'];

/** Something of the provider's that could not be taken in, and what came of trying again. */
export interface DeadLetterDocument extends Kept {
  resolved: boolean;
  retries: number;
  createdAt: string;
  order: Position;
}

const deadLetterId = (event: { data: { deadLetterId: string } }) => event.data.deadLetterId;

export const deadletters = defineProjection<DeadLetterDocument>({
  name: 'deadletters',
  version: 1,
  indexes: [['-order']],
  on: {
    DeadLetterKept: {
      key: deadLetterId,
      fold: (_, { data, meta, position }) => ({
        ...data,
        resolved: false,
        retries: 0,
        createdAt: meta.at,
        order: position,
      }),
    },
    DeadLetterRetried: {
      key: deadLetterId,
      fold: (letter, { data }) =>
        letter && {
          ...letter,
          resolved: data.resolved,
          retries: letter.retries + 1,
          reason: data.reason ?? letter.reason,
        },
    },
  },
});
