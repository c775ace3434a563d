import {
  type RefundCause,
  type SendFailure,
  type UnsentState,
  unsentStateOf,
  wasTaken,
} from '../events/account.ts';
import type { Position } from '../events/store.ts';
import { defineProjection, made } from './define.ts';

/** A refunded charge. Most charges have no refund, so the collection is small. */
export interface RefundDocument {
  of: 'charge';
  /** The charge's id. */
  id: string;
  accountId: string;
  cause: RefundCause;
  failure: SendFailure | null;
  /** What became of the attempt to send; null where its message went out and failed later. */
  state: UnsentState | null;
  /** What was given back; 0 for a free message, or where the account counts in another unit. */
  amount: number;
  refundedAt: string;
  /** Whether its message counts in the caps. */
  counted: boolean;
  order: Position;
}

/** How far the refunds of one account are known here; its id is the account's. */
export interface RefundsKnown {
  of: 'account';
  id: string;
  /** Of the latest event that changed one of the account's refunds here. */
  revision: number;
}

export const refunds = defineProjection<RefundDocument | RefundsKnown>({
  name: 'refunds',
  version: 5,
  indexes: [
    ['accountId?', 'state?', '-order'],
    ['state?', '-order'],
  ],
  words: ['accountId', 'state'],
  // Readers take a charge without a document as not refunded up to the account's revision.
  on: {
    ChargeRefunded: made(
      ({ data }) => [data.chargeId, data.accountId],
      ({ data, revision, position }, id) =>
        id === data.accountId
          ? { of: 'account', id, revision }
          : {
              of: 'charge',
              id,
              accountId: data.accountId,
              cause: data.cause,
              failure: data.failure ?? null,
              state: unsentStateOf(data),
              amount: data.amount,
              refundedAt: data.at,
              counted: wasTaken(data.cause),
              order: position,
            },
    ),
    RefundedSendCounted: {
      key: ({ data }) => [data.chargeId, data.accountId],
      fold: (known, { revision }) =>
        known && (known.of === 'account' ? { ...known, revision } : { ...known, counted: true }),
    },
  },
});
