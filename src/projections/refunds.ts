import { type RefundCause, wasTaken } from '../events/account.ts';
import { defineProjection } from './define.ts';

/** A refunded charge. Most charges have no refund, so the collection is small. */
export interface RefundDocument {
  of: 'charge';
  /** The charge's id. */
  id: string;
  accountId: string;
  cause: RefundCause;
  /** What was given back; 0 for a free message, or where the account counts in another unit. */
  amount: number;
  refundedAt: string;
  /** Whether its message counts in the caps. */
  counted: boolean;
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
  version: 3,
  indexes: [],
  // Readers take a charge without a document as not refunded up to the account's revision.
  on: {
    ChargeRefunded: {
      key: ({ data }) => [data.chargeId, data.accountId],
      fold: (_, { data, revision }, id) =>
        id === data.accountId
          ? { of: 'account', id, revision }
          : {
              of: 'charge',
              id,
              accountId: data.accountId,
              cause: data.cause,
              amount: data.amount,
              refundedAt: data.at,
              counted: wasTaken(data.cause),
            },
    },
    RefundedSendCounted: {
      key: ({ data }) => [data.chargeId, data.accountId],
      fold: (known, { revision }) =>
        known && (known.of === 'account' ? { ...known, revision } : { ...known, counted: true }),
    },
  },
});
